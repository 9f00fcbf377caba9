/** Label selectors, as far as they tell what belongs to a StatefulSet. */
import type { LabelSelector } from "../../core/types.ts";

type Labels = Readonly<Record<string, string>> | undefined;

/** Whether the labels satisfy the whole selector. An operator that nobody knows is satisfied by nothing. */
export function selects(selector: LabelSelector, labels: Labels): boolean {
  return (
    selectsByLabels(selector, labels) &&
    (selector.matchExpressions ?? []).every(({ key, operator, values = [] }) => {
      const value = labels?.[key];
      switch (operator) {
        case "In":
          return value !== undefined && values.includes(value);
        case "NotIn":
          return value === undefined || !values.includes(value);
        case "Exists":
          return value !== undefined;
        case "DoesNotExist":
          return value === undefined;
        default:
          return false;
      }
    })
  );
}

/** Whether the labels have everything in `matchLabels`: all that a StatefulSet puts on the claims it makes. */
export function selectsByLabels(selector: LabelSelector, labels: Labels): boolean {
  return Object.entries(selector.matchLabels ?? {}).every(([name, value]) => labels?.[name] === value);
}
