/**
 * Who owns which fields after a write. Follows structured-merge-diff's updater for kinds whose versions have the same fields:
 * entries of a version that is no longer served are dropped, as upstream does.
 */
import type { Json, JsonObject } from "../../json.ts";
import { jsonEqual } from "../../json.ts";
import type { FieldType } from "../../schema/types.ts";
import type { Steps } from "../../steps.ts";
import { type Comparison, compare, exclude } from "./compare.ts";
import { type Conflict, conflictsOf } from "./conflicts.ts";
import { difference, differenceBelow, type FieldSet, intersection, NO_FIELDS, union } from "./field-set.ts";
import { type Managed, type ManagedEntry, type Manager, managerId } from "./managed-fields.ts";
import { merge } from "./merge.ts";
import { prune } from "./prune.ts";
import { toFieldSet } from "./to-field-set.ts";

/** What both kinds of write need to know. Objects come without managedFields. */
export interface Write {
  readonly type: FieldType;
  readonly managed: Managed;
  readonly manager: Manager;
  /** Whether an entry of this version is about the fields of the object as it is. */
  readonly isServed: (apiVersion: string) => boolean;
  /** Fields that this endpoint does not write, whatever the request says (`status` on the main one). */
  readonly ignored: FieldSet;
}

/**
 * Owners after an object was written as it stands. `taken` is what the writer changed or added; undefined when it changed
 * nothing. The writer's own entry is not in `managed` yet.
 */
export function* ownUpdate(
  before: JsonObject,
  after: JsonObject,
  { type, managed, isServed, ignored }: Write,
): Steps<{ readonly managed: Managed; readonly taken: FieldSet }> {
  const changes = exclude(compare(before, after, type), ignored);
  yield;
  const others = letGo(managed, isServed, changes);
  return { managed: others, taken: union(changes.modified, changes.added) };
}

export type Applied =
  | { readonly kind: "conflict"; readonly conflicts: readonly Conflict[] }
  /** `object` is undefined when nothing changed. */
  | { readonly kind: "applied"; readonly object: JsonObject | undefined; readonly managed: Managed };

/**
 * The object and its owners after somebody applied a configuration. Fields that the applier owned, applies no longer and
 * nobody else owns are removed. Without `force`, taking a field that another owns and that would change is a conflict.
 */
export function* ownApply(live: JsonObject, config: JsonObject, force: boolean, write: Write): Steps<Applied> {
  const { type, managed, manager, isServed, ignored } = write;
  const id = managerId(manager);
  const current = new Map([...managed].filter(([, entry]) => isServed(entry.manager.apiVersion)));
  const last = current.get(id)?.fields ?? NO_FIELDS;
  const fields = differenceBelow(toFieldSet(config, type), ignored);
  yield;
  const merged = merge(live, config, type) ?? {};
  yield;
  const owners = new Map(current).set(id, { manager, fields, ...timeOf(current.get(id)) });
  const next = objectOrEmpty(yield* prune(merged, type, owners, last, fields));

  const changes = exclude(compare(live, next, type), ignored);
  yield;
  const others = new Map([...owners].filter(([other]) => other !== id));
  const written = union(changes.modified, changes.added);
  const taken = [...others.values()]
    .map((entry) => [entry.manager, intersection(entry.fields, written)] as const)
    .filter(([, set]) => set.size > 0);
  if (!force && taken.length > 0) return { kind: "conflict", conflicts: conflictsOf(taken) };

  const after = new Map(letGo(others, isServed, changes));
  const own = owners.get(id);
  if (own !== undefined && own.fields.size > 0) after.set(id, own);
  yield;
  return { kind: "applied", object: jsonEqual(live, next) ? undefined : next, managed: after };
}

function timeOf(entry: ManagedEntry | undefined): { time?: string } {
  return entry?.time === undefined ? {} : { time: entry.time };
}

function objectOrEmpty(value: Json): JsonObject {
  return value === null ? {} : (value as JsonObject);
}

/** Everybody without the fields that somebody else changed, added or removed; who owns nothing is gone. */
function letGo(managed: Managed, isServed: Write["isServed"], { added, modified, removed }: Comparison): Managed {
  if (managed.size === 0) return managed;
  const gone = union(union(added, modified), removed);
  const left = new Map<string, ManagedEntry>();
  for (const [id, entry] of managed) {
    if (!isServed(entry.manager.apiVersion)) continue;
    const fields = difference(entry.fields, gone);
    if (fields.size > 0) left.set(id, { ...entry, fields });
  }
  return left;
}
