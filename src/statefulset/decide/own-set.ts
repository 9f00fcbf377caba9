/** A set that a record holds is the one that the record is named after, whatever stands in it. */
import type { VolumeExpansion } from "../types.ts";

/**
 * The record, with the name and the namespace of the saved set made its own; the same object where they are, or where no
 * set is saved. Every record that comes from the API server goes through here: who has all rights in one namespace may
 * write the status of its records, and must not have sets created or claims touched in another.
 */
export function withOwnSet(record: VolumeExpansion): VolumeExpansion {
  const { metadata, status } = record;
  const saved = status?.savedStatefulSet;
  if (saved === undefined) return record;
  const { name, namespace } = metadata;
  // Nothing but the server's word says that what is saved has metadata at all.
  const said = (saved.metadata ?? {}) as Partial<typeof saved.metadata>;
  if (said.name === name && said.namespace === namespace) return record;
  const { namespace: _, ...rest } = said;
  const own = { ...rest, name, ...(namespace === undefined ? {} : { namespace }) };
  return { ...record, status: { ...status, savedStatefulSet: { ...saved, metadata: own } } };
}
