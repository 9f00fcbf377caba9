/**
 * What becomes of an object that has owners, once the server has said of each whether it is there (upstream
 * garbagecollector.go, attemptToDeleteItem).
 */
import type { ObjectMeta, OwnerReference } from "../../../../../core/types.ts";
import type { Node } from "./graph.ts";
import { FOREGROUND, ORPHAN, stageOf } from "./stage.ts";

/** What the server says of an owner, just now. */
export type OwnerState =
  /** It is there. */
  | "solid"
  /** It is there, and waits for its dependents to go. */
  | "waiting"
  /** There is no such object, or another one under its name. */
  | "absent"
  /** It cannot be an owner: it would be in a namespace, and the dependent is in none. */
  | "impossible";

export interface JudgedOwner {
  readonly reference: OwnerReference;
  readonly state: OwnerState;
}

export type Propagation = "Orphan" | "Background" | "Foreground";

export type Fate =
  | { readonly kind: "stays" }
  /** Others still own it: the references to those that do not are dropped. */
  | { readonly kind: "drop-references"; readonly uids: readonly string[] }
  /** `unblock`: before that, it no longer holds up its owners, since one of its own dependents waits for it in turn. */
  | { readonly kind: "delete"; readonly policy: Propagation; readonly unblock: boolean };

const STAYS: Fate = { kind: "stays" };

/** `object` is as the server has it; `dependents` is what is known of those that belong to it. */
export function decideFate(object: ObjectMeta, owners: readonly JudgedOwner[], dependents: readonly Node[]): Fate {
  if (object.deletionTimestamp !== undefined || owners.length === 0) return STAYS;
  const uids = (...states: readonly OwnerState[]): string[] =>
    owners.filter(({ state }) => states.includes(state)).map(({ reference }) => reference.uid);
  // What such a reference was meant to say, nobody knows. Nothing is deleted on a guess.
  if (uids("impossible").length > 0) return STAYS;
  if (uids("solid").length > 0) {
    const dropped = uids("absent", "waiting");
    return dropped.length === 0 ? STAYS : { kind: "drop-references", uids: dropped };
  }
  if (uids("waiting").length > 0 && dependents.length > 0) {
    const unblock = dependents.some(({ metadata }) => stageOf(metadata) === "foreground");
    return { kind: "delete", policy: "Foreground", unblock };
  }
  return { kind: "delete", policy: policyOf(object), unblock: false };
}

/** What somebody has already said about its own dependents holds. */
function policyOf({ finalizers = [] }: ObjectMeta): Propagation {
  if (finalizers.includes(ORPHAN)) return "Orphan";
  return finalizers.includes(FOREGROUND) ? "Foreground" : "Background";
}
