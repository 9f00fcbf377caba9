/** How far the deletion of an object has come, as far as it concerns those that belong to it. */
import type { ObjectMeta } from "../../../../../core/types.ts";

/** Kubernetes' names of the finalizers by which an owner waits for the garbage collector. */
export const ORPHAN = "orphan";
export const FOREGROUND = "foregroundDeletion";

export type Stage =
  /** Nobody has deleted it. */
  | "here"
  /** It waits until nobody names it as an owner any more. */
  | "orphaning"
  /** It waits until those that block it are gone. */
  | "foreground"
  /** It waits for others, or for nobody: no business of ours until it is gone. */
  | "going";

export function stageOf({ deletionTimestamp, finalizers = [] }: ObjectMeta): Stage {
  if (deletionTimestamp === undefined) return "here";
  if (finalizers.includes(ORPHAN)) return "orphaning";
  return finalizers.includes(FOREGROUND) ? "foreground" : "going";
}
