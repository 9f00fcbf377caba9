/** Names and labels with placeholders, as a source writes them. `through`: the path goes through a list, so there is an item. */
import { type FieldError, invalid, notSupported, required } from "../../admission/verdict.ts";
import type { LabelSelector } from "../../core/types.ts";
import { kindOfPlaceholder, PLACEHOLDERS, placeholdersOf } from "./placeholders.ts";

/** Whether it has the name of a list's item in it. */
export function namesItem(pattern: string): boolean {
  return placeholdersOf(pattern).some((word) => kindOfPlaceholder(word) === "item");
}

/** The name of a set: it has the resource's name in it, since every resource needs a set of its own. */
export function checkNamePattern(field: string, pattern: string | undefined, through: boolean): readonly FieldError[] {
  if (pattern === undefined) return [];
  const errors = checkPlaceholders(field, pattern, through);
  if (errors.length > 0) return errors;
  if (!/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(pattern.replaceAll(/\{[^{}]*\}/g, "x"))) {
    return [
      invalid(field, pattern, "is no name: small letters, digits, hyphens, dots and placeholders, as moco-{name}"),
    ];
  }
  if (namesResource(pattern)) return [];
  return [invalid(field, pattern, "every resource would follow the same set; have {name} in it")];
}

/** The name of a claim template, or of a size for people. */
export function checkTemplatePattern(field: string, pattern: string, through: boolean): readonly FieldError[] {
  if (pattern === "") return [required(field, "the name of the claim template, for example data")];
  return checkPlaceholders(field, pattern, through);
}

const OPERATORS = ["In", "NotIn", "Exists", "DoesNotExist"];

/** Labels: some that tell the resources apart, since an empty selector takes everything in the namespace. */
export function checkSelector(
  field: string,
  selector: LabelSelector | undefined,
  through: boolean,
): readonly FieldError[] {
  if (selector === undefined) return [];
  const { matchLabels = {}, matchExpressions = [] } = selector;
  const errors = [
    ...Object.entries(matchLabels).flatMap(([key, value]) =>
      checkPlaceholders(`${field}.matchLabels[${JSON.stringify(key)}]`, value, through),
    ),
    ...matchExpressions.flatMap(({ operator, values = [] }, index) => {
      const at = `${field}.matchExpressions[${index}]`;
      if (!OPERATORS.includes(operator)) return [notSupported(`${at}.operator`, operator, OPERATORS)];
      if (operator.endsWith("In") && values.length === 0) return [required(`${at}.values`, `${operator} needs some`)];
      return values.flatMap((value, place) => checkPlaceholders(`${at}.values[${place}]`, value, through));
    }),
  ];
  if (errors.length > 0 || valuesOf(selector).some(namesResource)) return errors;
  return [invalid(field, selector, "every resource would have the same; have {name} in the value of a label")];
}

/** The values that a selector demands. */
export function valuesOf({ matchLabels = {}, matchExpressions = [] }: LabelSelector): readonly string[] {
  const among = matchExpressions.filter(({ operator }) => operator === "In").flatMap(({ values = [] }) => values);
  return [...Object.values(matchLabels), ...among];
}

function namesResource(pattern: string): boolean {
  return placeholdersOf(pattern).includes("name");
}

function checkPlaceholders(field: string, pattern: string, through: boolean): readonly FieldError[] {
  if (/[{}]/.test(pattern.replaceAll(/\{[^{}]*\}/g, ""))) {
    return [invalid(field, pattern, "has a brace without its partner")];
  }
  return placeholdersOf(pattern).flatMap((word) => {
    switch (kindOfPlaceholder(word)) {
      case "name":
      case "namespace":
        return [];
      case "item":
        return through
          ? []
          : [invalid(field, pattern, `there is no {${word}}: the path goes through no list with [*]`)];
      case "unknown":
        return [invalid(field, pattern, `nothing fills {${word}}; there are ${PLACEHOLDERS}`)];
    }
  });
}
