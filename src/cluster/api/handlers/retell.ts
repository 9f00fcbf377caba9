/** Objects of a kind that is stored as another: the same object, told in other words. */
import type { JsonObject } from "../json.ts";
import { toVersionOne, toVersionTwo } from "../kinds/autoscaler-versions.ts";
import { groupVersionOf, type Kind, type StoredAs } from "../kinds/kind.ts";
import { canonicalObject } from "../protobuf/canonical.ts";

/** What is more than other names for the same fields. */
interface Retelling {
  readonly toStored: (object: JsonObject) => JsonObject;
  readonly toServed: (object: JsonObject) => JsonObject;
}

const RETELLINGS: ReadonlyMap<string, Retelling> = new Map([
  ["autoscaling/v1/HorizontalPodAutoscaler", { toStored: toVersionTwo, toServed: toVersionOne }],
]);

function retellingOf(kind: Kind): Retelling | undefined {
  return RETELLINGS.get(`${groupVersionOf(kind)}/${kind.kind}`);
}

/** An object of the kind as it is stored. */
export function asStored(kind: Kind, stored: StoredAs, object: JsonObject): JsonObject {
  return renamed(retellingOf(kind)?.toStored(object) ?? object, stored, stored.names);
}

/** A stored object as one of the kind. */
export function asServed(kind: Kind, { names }: StoredAs, object: JsonObject): JsonObject {
  return renamed(retellingOf(kind)?.toServed(object) ?? object, kind, inverted(names));
}

function renamed(
  object: JsonObject,
  kind: Pick<Kind, "group" | "version" | "kind">,
  names: Readonly<Record<string, string>>,
): JsonObject {
  const fields = Object.fromEntries(Object.entries(object).map(([name, value]) => [names[name] ?? name, value]));
  return canonicalObject({ ...fields, kind: kind.kind, apiVersion: groupVersionOf(kind) });
}

function inverted(names: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(names).map(([own, stored]) => [stored, own]));
}
