/** The objects that a plan is made from, by kind and name: a picture of a cluster, or of the part that was given. */
import { OutgrowError } from "../../core/errors.ts";
import type {
  CSIDriver,
  KubeObject,
  LimitRange,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  ResourceQuota,
  StatefulSet,
  StorageClass,
} from "../../core/types.ts";
import { KINDS, type KindName } from "./kinds.ts";
import { describePlace, type Place } from "./place.ts";
import { findFault } from "./shape.ts";
import { SHAPES } from "./shapes.ts";

export interface ObjectsByKind {
  StatefulSet: StatefulSet;
  PersistentVolumeClaim: PersistentVolumeClaim;
  PersistentVolume: PersistentVolume;
  StorageClass: StorageClass;
  CSIDriver: CSIDriver;
  ResourceQuota: ResourceQuota;
  LimitRange: LimitRange;
  Pod: Pod;
}

/** By kind; within a kind by `namespace/name`, or by name where the kind has no namespaces. In order of the input. */
export type Snapshot = { readonly [K in KindName]: ReadonlyMap<string, ObjectsByKind[K]> };

/** A snapshot in the making. */
export interface SnapshotBuilder {
  /**
   * Adds an object. Throws `OBJECT_MALFORMED`, naming the place and the field, when a field has a wrong type, and
   * `OBJECT_AMBIGUOUS` when a different object of that name is there already.
   */
  add(kind: KindName, object: unknown, place: Place): void;
  build(): Snapshot;
}

export function snapshotBuilder(): SnapshotBuilder {
  const kinds = Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, new Map<string, KubeObject>()])) as {
    [K in KindName]: Map<string, KubeObject>;
  };
  return {
    add(kind, value, place) {
      const object = checked(kind, value, place);
      const key = keyOf(kind, object);
      const before = kinds[kind].get(key);
      if (before === undefined) {
        kinds[kind].set(key, object);
      } else if (JSON.stringify(before) !== JSON.stringify(object)) {
        // The same thing in two files is a habit of people who collect files; two versions of it are a question.
        throw new OutgrowError(
          "OBJECT_AMBIGUOUS",
          `${describePlace(place)} (${kind} ${key}): was in the input before, and differs; leave one of the two out`,
        );
      }
    },
    build: () => kinds as unknown as Snapshot,
  };
}

/** How an object is found again: see `Snapshot`. What names no namespace is in `default`. */
export function keyOf(kind: KindName, { metadata }: KubeObject): string {
  return KINDS[kind].namespaced ? `${metadata.namespace ?? "default"}/${metadata.name}` : metadata.name;
}

function checked(kind: KindName, value: unknown, place: Place): KubeObject {
  const fault = findFault(value, SHAPES[kind]);
  if (fault === undefined) return value as KubeObject;
  const { name, namespace } = ((value as { metadata?: unknown }).metadata ?? {}) as Record<string, unknown>;
  const path = [namespace, name].filter((part) => typeof part === "string").join("/");
  throw new OutgrowError(
    "OBJECT_MALFORMED",
    `${describePlace(place)} (${path === "" ? kind : `${kind} ${path}`}): ${fault.field}: ${fault.problem}`,
  );
}
