/**
 * What is known before something grows: plain data, gathered from files, a cluster, or an admission request. What nobody
 * knows is `undefined`, and checks then warn; they never take "not known" for "not there".
 */
import type { ClaimView } from "../../core/claim.ts";
import type { Gates } from "../../core/gates.ts";
import type { Quantity } from "../../core/quantity.ts";
import type {
  LimitRange,
  PersistentVolume,
  PersistentVolumeClaim,
  ResourceQuota,
  RetentionPolicy,
} from "../../core/types.ts";
import type { StorageClasses } from "../storage-classes.ts";

export interface PreflightFacts {
  /** The claims that growth is about, whether or not there is something to be done about each. */
  readonly claims: readonly ClaimFacts[];
  /** The StatefulSet that they belong to, when it is that which grows; undefined for a claim on its own. */
  readonly set: SetFacts | undefined;
  /** For a claim on its own that is a StatefulSet's: the set, and the template it was made from. */
  readonly memberOf: { readonly set: string; readonly template: string } | undefined;
  readonly classes: StorageClasses | undefined;
  /** The CSI drivers that are registered, by name. */
  readonly drivers: ReadonlySet<string> | undefined;
  /** The quotas and limit ranges of the claims' namespace, the quotas with their usage. */
  readonly quotas: readonly ResourceQuota[];
  readonly limitRanges: readonly LimitRange[];
  readonly gates: Gates;
}

export interface ClaimFacts {
  readonly object: PersistentVolumeClaim;
  readonly view: ClaimView;
  /** The size that it is to ask for. */
  readonly to: Quantity;
  /** What is due: ask for more, ask for less to recover from a failure, or nothing. */
  readonly step: "grow" | "recover" | "none";
  /** Why it does not get there, in words, when something other than its class or driver is in the way. */
  readonly stuck: string | undefined;
  /** Its volume; undefined when it has none, or it is not known. */
  readonly volume: PersistentVolume | undefined;
  /** The pods that use it and are on a node. */
  readonly users: readonly ClaimUser[] | undefined;
}

export interface ClaimUser {
  readonly pod: string;
  readonly readOnly: boolean;
}

export interface SetFacts {
  readonly name: string;
  readonly retention: RetentionPolicy | undefined;
  /** Per template: what it says now and what is desired. */
  readonly sizes: readonly { readonly template: string; readonly now: Quantity; readonly desired: Quantity }[];
  /** How the template comes to its size, as the rules of statefulset/ decided. */
  readonly way: "up-to-date" | "patch" | "re-create" | "wait";
  /** For `wait`: each reason, by its id there. */
  readonly holds: readonly { readonly id: string; readonly reason: string }[];
  /** The controller that owns the set, as `Kind name`. */
  readonly owner: string | undefined;
  /** Whether the growth is to go on although a controller owns the set. */
  readonly evenIfOwned: boolean;
}

/** The claims that are about to ask for more. */
export function growing({ claims }: PreflightFacts): readonly ClaimFacts[] {
  return claims.filter((claim) => claim.step === "grow");
}

/** The claims that should be larger than they ask to be now, also where something is in the way. */
export function wanting({ claims }: PreflightFacts): readonly ClaimFacts[] {
  return claims.filter(({ view, to, stuck }) => stuck === undefined && to.moreThan(view.request));
}
