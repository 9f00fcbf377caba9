/** A kind that is built in, with the fields of its objects that somebody looks at. */
import type { KubeObject } from "../../../core/types.ts";
import type { JsonObject } from "../json.ts";
import { groupVersionOf, type Kind } from "../kinds/kind.ts";

export interface KnownKind<T extends KubeObject> {
  readonly apiVersion: string;
  readonly kind: string;
  /** How its objects are read. A constant that says so needs no value here. */
  readonly objects?: T;
}

export function isOfKind(kind: Kind, known: KnownKind<KubeObject>): boolean {
  return kind.kind === known.kind && groupVersionOf(kind) === known.apiVersion;
}

/** An object of this kind: the schemas have seen to it that its fields are of the right types. */
export function read<T extends KubeObject>(_kind: KnownKind<T>, object: JsonObject): T {
  return object as unknown as T;
}

/** Back from the form that rules read. */
export function write(object: object): JsonObject {
  return object as JsonObject;
}
