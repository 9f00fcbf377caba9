/** A label selector as it stands in upstream's messages. */
import type { LabelSelector } from "../../../../core/types.ts";

export function goSelector({ matchLabels = {}, matchExpressions = [] }: LabelSelector): string {
  const labels = Object.keys(matchLabels)
    .sort()
    .map((name) => `${name}: ${matchLabels[name]},`)
    .join("");
  const expressions = matchExpressions
    .map(({ key, operator, values = [] }) => {
      return `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(" ")}],},`;
    })
    .join("");
  return `&LabelSelector{MatchLabels:map[string]string{${labels}},MatchExpressions:[]LabelSelectorRequirement{${expressions}},}`;
}
