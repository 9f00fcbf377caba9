/**
 * Who manages which field of a set (server-side apply), kept across a re-creation.
 *
 * A set that we create is, to the API server, ours in every field; the next `kubectl apply --server-side` or Flux run
 * that changes one would be a conflict. So the old entries are put back, and our own are removed.
 */
import { RECREATE_MANAGER } from "../../core/names.ts";
import type { StatefulSet } from "../../core/types.ts";

export { RECREATE_MANAGER };

export interface ManagedFieldsEntry {
  readonly manager?: string;
  readonly operation?: string;
  readonly subresource?: string;
  readonly [field: string]: unknown;
}

/** The entries of a set; none when it was read without them. */
export function managedFieldsOf(set: StatefulSet): readonly ManagedFieldsEntry[] {
  return (set.metadata as { managedFields?: readonly ManagedFieldsEntry[] }).managedFields ?? [];
}

export function isManagedByUs(set: StatefulSet): boolean {
  return managedFieldsOf(set).some(isOurs);
}

/**
 * The entries that a set should have: those of the set that was saved, then those of others that have come since, and
 * none of ours. An API server takes an empty list for "not said", and one empty entry for "nobody".
 */
export function handedBack(live: StatefulSet, saved?: StatefulSet): readonly ManagedFieldsEntry[] {
  const before = saved === undefined ? [] : managedFieldsOf(saved);
  const known = new Set(before.map(identity));
  const since = managedFieldsOf(live).filter((entry) => !known.has(identity(entry)));
  const others = [...before, ...since].filter((entry) => !isOurs(entry));
  return others.length > 0 ? others : [{}];
}

function isOurs(entry: ManagedFieldsEntry): boolean {
  return entry.manager === RECREATE_MANAGER;
}

function identity({ manager = "", operation = "", subresource = "" }: ManagedFieldsEntry): string {
  return `${manager}/${operation}/${subresource}`;
}
