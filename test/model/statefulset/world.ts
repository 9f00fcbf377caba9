/**
 * A StatefulSet with two replicas and two templates, everything around it that can lose data, and one process of ours.
 * Sizes, uids and policies are small numbers, so that states are small; `objects.ts` turns them into what the rules read.
 */

/** Retention policies, `whenDeleted/whenScaled`: Retain/Retain, Delete/Retain, Retain/Delete. */
export type Policy = 0 | 1 | 2;

/** What a set says: all that must survive a re-creation. */
export interface SetSpec {
  readonly replicas: number;
  /** Stands for everything in the pod template. */
  readonly image: number;
  /** Template sizes: data, wal. */
  readonly sizes: Sizes;
  readonly policy: Policy;
  /** The policy noted on the set while it is suspended; 0 for none. */
  readonly suspended: Policy;
  /** Wanted size of data; 0 for no wish. */
  readonly wish: number;
}

export type Sizes = readonly [data: number, wal: number];

export interface SetState extends SetSpec {
  readonly uid: number;
  /** Finalizers: ours, and the garbage collector's two. */
  readonly ours: boolean;
  readonly orphan: boolean;
  readonly foreground: boolean;
  readonly deleting: boolean;
  readonly rollout: boolean;
  /** Created a moment ago. */
  readonly young: boolean;
}

export interface ClaimState {
  readonly request: number;
  readonly capacity: number;
  /** The storage refused the request for good. */
  readonly failed: boolean;
  readonly deleting: boolean;
  /** The driver has said that it grows this volume only while no pod uses it. */
  readonly inUse: boolean;
  /** The set of this uid, its own pod, a pod that is gone, or nobody (0). */
  readonly owner: number | "pod" | "dead pod";
}

export interface PodState {
  /** The uid of the owning set; 0 for none. */
  readonly owner: number;
  /** It was evicted, and our finalizer keeps its name taken. */
  readonly held: boolean;
}

/** A set in the journal. */
export interface SavedSet extends SetSpec {
  readonly uid: number;
  /** It was saved while it was going, so that the journal knows when it was deleted. */
  readonly going: boolean;
}

export interface RecordState {
  readonly saved: SavedSet | undefined;
  readonly guarded: boolean;
  readonly deleting: boolean;
}

export interface World {
  readonly set: SetState | undefined;
  readonly record: RecordState;
  /** By `ordinal * 2 + template`. */
  readonly claims: readonly (ClaimState | undefined)[];
  readonly pods: readonly (PodState | undefined)[];
  /** What the StatefulSet controller acts by: the last state of the set that it has seen. */
  readonly seen: { readonly uid: number; readonly policy: Policy; readonly replicas: number };
  readonly us: {
    /** The call that was decided but not sent yet, by its number (calls.ts). */
    readonly pending: number | undefined;
    /** What a dry run was made of and taken. */
    readonly checked: SetSpec | undefined;
  };
  /** What people asked for last, whoever carries it out. */
  readonly wanted: {
    readonly replicas: number;
    readonly image: number;
    readonly policy: Policy;
    readonly wish: number;
  };
  /** Sets that people deleted. */
  readonly killed: readonly number[];
  /** When they did so, the journal was written already: then we may bring the set back. */
  readonly mayReturn: boolean;
  readonly nextUid: number;
  /** How the API server and the rollout are in this run, and how much interference is still to come. */
  readonly scene: Scene;
  readonly budget: number;
  /** What was lost or done that must never be; empty as long as all is well. */
  readonly harm: string;
}

export interface Scene {
  readonly name: string;
  /** The API server takes changes of template sizes. */
  readonly takesEdits: boolean;
  readonly oneByOne: boolean;
  /** Disks are full: pods are not ready before data has grown. */
  readonly full: boolean;
  /** The driver grows only volumes that no pod uses, and pods may be restarted for that. */
  readonly offline: boolean;
  /** The storage may refuse a size of 3. */
  readonly refuses: boolean;
  /** The wish is that of a custom resource, in the record; and its operator creates the set again. */
  readonly operator: boolean;
  /** Who interferes. */
  readonly people: readonly Person[];
}

export type Person =
  | "autoscaler"
  | "developer"
  | "policy"
  | "gitops"
  | "deleter"
  | "record deleter"
  | "claim deleter"
  | "wisher"
  | "volume autoscaler"
  | "operator";

export const TEMPLATES = ["data", "wal"] as const;
export const ORDINALS = [0, 1] as const;

export function claimIndex(ordinal: number, template: number): number {
  return ordinal * TEMPLATES.length + template;
}

export function claimName(index: number): string {
  return `${TEMPLATES[index % TEMPLATES.length]}-db-${ordinalOf(index)}`;
}

export function ordinalOf(claim: number): number {
  return Math.floor(claim / TEMPLATES.length);
}

/** Which set a claim or pod belongs to by the policy, for a set that has a pod of the claim's ordinal. */
export function tiesToSet(policy: Policy): boolean {
  return policy === 1;
}

export function withClaim(world: World, index: number, claim: ClaimState | undefined): World {
  return { ...world, claims: world.claims.with(index, claim) };
}

export function changeSet(world: World, change: Partial<SetState>): World {
  if (world.set === undefined) return world;
  return vanish({ ...world, set: { ...world.set, ...change } });
}

/** An object that is being deleted is gone as soon as nothing holds it any more. */
function vanish(world: World): World {
  const { set } = world;
  if (set === undefined || !set.deleting || set.ours || set.orphan || set.foreground) return world;
  return { ...world, set: undefined };
}

export function harmed(world: World, harm: string): World {
  return world.harm === "" ? { ...world, harm } : world;
}

/** Two worlds with the same key are the same world. */
export function worldKey(world: World): string {
  const { record, seen, us, wanted } = world;
  const bits = flag(record.guarded, 4) + flag(record.deleting, 2) + flag(world.mayReturn, 1);
  const checked = us.checked === undefined ? "" : specKey(us.checked);
  const ghosts = `${wanted.replicas}${wanted.image}${wanted.policy}${wanted.wish}${world.budget}${world.nextUid}${world.killed.join("")}`;
  const view = `${seen.uid}${seen.policy}${seen.replicas}`;
  return `${world.scene.name} ${setKey(world.set)} ${savedKey(record)}${bits} ${claimsKey(world)} ${podsKey(world)} ${view} ${us.pending ?? ""} ${checked} ${ghosts}${world.harm}`;
}

/** Everything about a set: what a resourceVersion stands for. */
export function setKey(set: SetState | undefined): string {
  if (set === undefined) return "-";
  const finalizers = flag(set.ours, 1) + flag(set.orphan, 2) + flag(set.foreground, 4);
  return `${set.uid}:${specKey(set)}${finalizers}${flag(set.deleting, 1) + flag(set.rollout, 2) + flag(set.young, 4)}`;
}

export function savedKey({ saved }: RecordState): string {
  return saved === undefined ? "-" : `${saved.uid}:${specKey(saved)}${flag(saved.going, 1)}`;
}

export function specKey(spec: SetSpec): string {
  return `${spec.replicas}${spec.image}${spec.sizes[0]}${spec.sizes[1]}${spec.policy}${spec.suspended}${spec.wish}`;
}

export function claimsKey({ claims }: World): string {
  let key = "";
  for (const claim of claims) key += claim === undefined ? "-" : claimKey(claim);
  return key;
}

export function claimKey(claim: ClaimState): string {
  const { owner } = claim;
  const letter = owner === "pod" ? "p" : owner === "dead pod" ? "d" : owner;
  return `${claim.request}${claim.capacity}${flag(claim.failed, 1) + flag(claim.deleting, 2) + flag(claim.inUse, 4)}${letter}`;
}

export function podsKey({ pods }: World): string {
  let key = "";
  for (const pod of pods) key += pod === undefined ? "-" : `${pod.owner}${pod.held ? "h" : ""}`;
  return key;
}

function flag(value: boolean, bit: number): number {
  return value ? bit : 0;
}
