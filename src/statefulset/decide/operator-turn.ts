/**
 * A set that is deleted to change its template, and that its operator creates again (`recreatedBy: Operator`). The
 * operator makes it from its own resource, with the sizes that it has there. Pods must not be without a set for long,
 * so it has a minute; then the set comes back from the journal.
 *
 * The minute counts from the deletion, which the journal knows: the set is saved once more while it is going. So a
 * process that starts in the gap waits for what is left of it, and no longer.
 */
import { fromTimestamp, toTimestamp } from "../../core/clock.ts";
import type { StatefulSet } from "../../core/types.ts";
import type { VolumeExpansionSpec } from "../types.ts";

export type Recreator = NonNullable<VolumeExpansionSpec["recreatedBy"]>;

/** How long an operator has, in milliseconds. */
export const OPERATOR_HAS = 60_000;

/** Until when the operator is waited for; undefined: it is not its turn, or not any longer. */
export function operatorHasUntil(saved: StatefulSet, recreatedBy: Recreator, now: number): number | undefined {
  const deleted = fromTimestamp(saved.metadata.deletionTimestamp);
  if (recreatedBy !== "Operator" || deleted === undefined) return undefined;
  const until = deleted + OPERATOR_HAS;
  return now < until ? until : undefined;
}

/** Whether the journal still has to learn when the set was deleted. */
export function lacksMoment(saved: StatefulSet, recreatedBy: Recreator): boolean {
  return recreatedBy === "Operator" && saved.metadata.deletionTimestamp === undefined;
}

/** What is waited for, in words. */
export function operatorsTurn(saved: StatefulSet, until: number): string {
  const owner = saved.metadata.ownerReferences?.find(({ controller }) => controller === true);
  const who = owner === undefined ? "the operator" : `the operator of ${owner.kind} ${owner.name}`;
  return `waits for ${who} to create the set again; it comes back as it was saved at ${toTimestamp(until)} if it does not`;
}
