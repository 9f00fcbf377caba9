/**
 * Names that differ from resource to resource: `moco-{name}`, `{name}-es-{item.name}`. A placeholder is filled with the
 * resource's name, its namespace, or a field of the list item that a path went through.
 */
import { describe } from "../../core/claim.ts";
import { OutgrowError } from "../../core/errors.ts";
import type { KubeObject, LabelSelector } from "../../core/types.ts";
import { fieldPath, type Path, readAt } from "./path.ts";

/** What fills the placeholders of one resource; `at` is the item's place, for messages. */
export interface Filling {
  readonly resource: KubeObject;
  readonly item?: unknown;
  readonly at?: Path;
}

const PLACEHOLDER = /\{([^{}]*)\}/g;
const ITEM = /^item\.([A-Za-z_][A-Za-z0-9_-]*)$/;

/** For messages about one that is not known. */
export const PLACEHOLDERS = "{name}, {namespace} and, where a path goes through a list with [*], {item.FIELD}";

/** What stands between braces in a pattern, in order. */
export function placeholdersOf(pattern: string): readonly string[] {
  return [...pattern.matchAll(PLACEHOLDER)].map(([, word = ""]) => word);
}

export type PlaceholderKind = "name" | "namespace" | "item" | "unknown";

export function kindOfPlaceholder(word: string): PlaceholderKind {
  if (word === "name" || word === "namespace") return word;
  return ITEM.test(word) ? "item" : "unknown";
}

/**
 * The pattern with everything filled in. Throws `OBJECT_MALFORMED`, naming the resource and the field, when the item lacks the field or
 * has neither a text nor a number in it. Unknown placeholders stay as they are; `checkSource` refuses them.
 */
export function fill(pattern: string, filling: Filling): string {
  const { metadata } = filling.resource;
  return pattern.replaceAll(PLACEHOLDER, (whole, word: string) => {
    switch (kindOfPlaceholder(word)) {
      case "name":
        return metadata.name;
      case "namespace":
        return metadata.namespace ?? "";
      case "item":
        return fieldOfItem(ITEM.exec(word)?.[1] ?? "", filling);
      case "unknown":
        return whole;
    }
  });
}

/** The same in every value of a selector; keys and operators stay. */
export function fillSelector(selector: LabelSelector, filling: Filling): LabelSelector {
  const { matchLabels, matchExpressions } = selector;
  return {
    ...(matchLabels !== undefined && {
      matchLabels: Object.fromEntries(Object.entries(matchLabels).map(([key, value]) => [key, fill(value, filling)])),
    }),
    ...(matchExpressions !== undefined && {
      matchExpressions: matchExpressions.map(({ values, ...rest }) => ({
        ...rest,
        ...(values !== undefined && { values: values.map((value) => fill(value, filling)) }),
      })),
    }),
  };
}

function fieldOfItem(field: string, { resource, item, at = [] }: Filling): string {
  const value = readAt(item, [{ kind: "key", key: field }])[0]?.value;
  if (typeof value === "number" || (typeof value === "string" && value !== "")) return String(value);
  const place = fieldPath([...at, { kind: "key", key: field }]);
  throw new OutgrowError("OBJECT_MALFORMED", `${describe(resource)}: ${place}: no name stands here, and one is needed`);
}
