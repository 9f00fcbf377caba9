/** What a source says, in CEL: paths into a resource, names with placeholders, and selectors. Works from Kubernetes 1.30 on. */
import type { LabelSelector } from "../../core/types.ts";
import type { Path, Step } from "../decide/path.ts";
import { kindOfPlaceholder } from "../decide/placeholders.ts";

/** A text as CEL writes it. */
export function text(value: string): string {
  return `'${value.replaceAll("\\", "\\\\").replaceAll("'", "\\'").replaceAll("\n", "\\n")}'`;
}

/** What stands at the path below this object, as an optional. The path goes through no list. */
export function at(object: string, path: Path): string {
  return `${object}${path.map(down).join("")}`;
}

/** What an optional has, as text; empty when it has nothing. Of any type: sizes are written as texts and as numbers. */
export function textOf(optional: string): string {
  return `string(${optional}.orValue(dyn('')))`;
}

/** The texts that are not empty, in one line. */
export function joined(texts: string): string {
  return `${texts}.filter(text, text != '').join(', ')`;
}

/** The pattern with its placeholders filled from `object` and, where a path goes through a list, from this item of it. */
export function filled(pattern: string, item: string | undefined): string {
  const parts = pattern.split(/(\{[^{}]*\})/).filter((part) => part !== "");
  return parts.map((part) => placeholder(part, item) ?? text(part)).join(" + ") || "''";
}

/** Whether labels (an optional map) satisfy the selector, whose values may have placeholders. */
export function selected(labels: string, selector: LabelSelector, item: string | undefined): string {
  const value = (key: string) => `${labels}[?${text(key)}]`;
  const conditions = [
    ...Object.entries(selector.matchLabels ?? {}).map(
      ([key, wanted]) => `${value(key)} == optional.of(${filled(wanted, item)})`,
    ),
    ...(selector.matchExpressions ?? []).map(({ key, operator, values = [] }) => {
      const isOne = values.map((each) => `${value(key)} == optional.of(${filled(each, item)})`).join(" || ") || "false";
      switch (operator) {
        case "In":
          return `(${isOne})`;
        case "NotIn":
          return `!(${isOne})`;
        case "Exists":
          return `${value(key)}.hasValue()`;
        case "DoesNotExist":
          return `!${value(key)}.hasValue()`;
        default:
          return "false";
      }
    }),
  ];
  return conditions.join(" && ") || "true";
}

/** The fields of a list's items that patterns go by: `{item.name}`. */
export function itemFields(patterns: readonly string[]): readonly string[] {
  const words = patterns.flatMap((pattern) =>
    [...pattern.matchAll(/\{item\.([^{}]+)\}/g)].map(([, word = ""]) => word),
  );
  return [...new Set(words)];
}

function placeholder(part: string, item: string | undefined): string | undefined {
  const word = part.startsWith("{") ? part.slice(1, -1) : "";
  switch (kindOfPlaceholder(word)) {
    case "name":
      return "object.metadata.name";
    case "namespace":
      return "object.metadata.namespace";
    case "item":
      return item === undefined ? undefined : textOf(at(item, [{ kind: "key", key: word.slice("item.".length) }]));
    case "unknown":
      return undefined;
  }
}

function down(step: Step): string {
  switch (step.kind) {
    case "key":
      return IDENTIFIER.test(step.key) && !RESERVED.has(step.key) ? `.?${step.key}` : `[?${text(step.key)}]`;
    case "index":
      return `[?${step.index}]`;
    case "each":
      throw new Error("a path in CEL goes through no list; whoever has one maps over its items");
  }
}

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Words that CEL keeps for itself: as a field they are only found between brackets. */
const RESERVED: ReadonlySet<string> = new Set(
  "true false null in as break const continue else for function if import let loop package namespace return var void while".split(
    " ",
  ),
);
