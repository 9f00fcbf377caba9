/** The revision that a set is at, made or renumbered where it has to be; and the old ones that may go. */
import type { StatefulSet } from "../../../../core/types.ts";
import { isAlreadyExists } from "../../../../kube/index.ts";
import { type ControllerRevision, newRevision, outdated, revisionStep, sameData } from "../decide/revision.ts";
import type { Writer } from "./writer.ts";

export interface AtRevision {
  readonly revision: ControllerRevision;
  /** How often a name was taken by another revision, for the status. */
  readonly collisions: number;
}

/** `own` in order. */
export async function ensureRevision(
  writer: Writer,
  set: StatefulSet,
  own: readonly ControllerRevision[],
): Promise<AtRevision> {
  const collisions = set.status?.collisionCount ?? 0;
  const step = revisionStep(set, own);
  switch (step.kind) {
    case "use":
      return { revision: step.revision, collisions };
    case "renumber":
      return { revision: await writer.renumberRevision(step.revision, step.to), collisions };
    case "create":
      return createRevision(writer, set, step.number, collisions);
  }
}

async function createRevision(
  writer: Writer,
  set: StatefulSet,
  number: number,
  collisions: number,
): Promise<AtRevision> {
  const revision = newRevision(set, number, collisions);
  try {
    return { revision: await writer.createRevision(revision), collisions };
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
  const present = await writer.getRevision(revision);
  if (sameData(present, revision)) return { revision: present, collisions };
  return createRevision(writer, set, number, collisions + 1);
}

/** `live`: the revisions that the set or one of its pods is at, by name. */
export async function truncateHistory(
  writer: Writer,
  set: StatefulSet,
  own: readonly ControllerRevision[],
  live: ReadonlySet<string>,
): Promise<void> {
  for (const revision of outdated(set, own, live)) await writer.deleteRevision(revision);
}
