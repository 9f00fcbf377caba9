/** What a pod's claims mean for where it may go (upstream scheduler plugin VolumeBinding). */
import { classNameOf, readSize } from "../../../../core/claim.ts";
import { Quantity } from "../../../../core/quantity.ts";
import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from "../../../../core/types.ts";
import { claimUses } from "../../../../node/decide/claim-uses.ts";
import { findVolume } from "../../volumes/binder/decide/match.ts";
import { selects, standsForAll } from "./node-selector.ts";
import type { Node, NodeSelector, SchedulablePod } from "./types.ts";

/** How objects are found: what the scheduler has in its caches. */
export interface Lookup {
  claim(namespace: string, name: string): PersistentVolumeClaim | undefined;
  volume(name: string): PersistentVolume | undefined;
  storageClass(name: string): StorageClass | undefined;
  /** The volumes of a class that are not bound yet. */
  openVolumes(className: string): Iterable<PersistentVolume>;
}

/** On a claim: the node that its first user goes to; whoever makes the volume makes it there. */
export const SELECTED_NODE = "volume.kubernetes.io/selected-node";
const BIND_COMPLETED = "pv.kubernetes.io/bind-completed";
/** The provisioner of classes whose volumes somebody makes by hand. */
const BY_HAND = "kubernetes.io/no-provisioner";

export type PodClaims =
  /** No node will do, whatever it is like. `passing`: this is likely to be over in a moment. */
  | { readonly kind: "refused"; readonly why: string; readonly passing?: boolean }
  | {
      readonly kind: "known";
      readonly bound: readonly PersistentVolumeClaim[];
      /** They wait for a node to be chosen. */
      readonly waiting: readonly PersistentVolumeClaim[];
    };

export function claimsOf(pod: SchedulablePod, lookup: Lookup): PodClaims {
  const namespace = pod.metadata.namespace ?? "default";
  const bound: PersistentVolumeClaim[] = [];
  const waiting: PersistentVolumeClaim[] = [];
  let immediate = false;
  for (const { claim: name, ephemeral } of claimUses(pod)) {
    const claim = lookup.claim(namespace, name);
    const quoted = JSON.stringify(name);
    if (claim === undefined) {
      const awaited = `waiting for ephemeral volume controller to create the persistentvolumeclaim ${quoted}`;
      return refused(ephemeral ? awaited : `persistentvolumeclaim ${quoted} not found`);
    }
    if (claim.status?.phase === "Lost") {
      const volume = JSON.stringify(claim.spec.volumeName ?? "");
      return refused(`persistentvolumeclaim ${quoted} bound to non-existent persistentvolume ${volume}`);
    }
    if (claim.metadata.deletionTimestamp !== undefined) {
      return refused(`persistentvolumeclaim ${quoted} is being deleted`);
    }
    if (isBound(claim)) bound.push(claim);
    else if (waitsForConsumer(claim, lookup)) waiting.push(claim);
    else immediate = true;
  }
  if (immediate) return { ...refused("pod has unbound immediate PersistentVolumeClaims"), passing: true };
  return { kind: "known", bound, waiting };
}

function isBound({ metadata, spec }: PersistentVolumeClaim): boolean {
  return (spec.volumeName ?? "") !== "" && metadata.annotations?.[BIND_COMPLETED] !== undefined;
}

/** A claim that names its volume is bound to that one, whatever its class says. */
function waitsForConsumer(claim: PersistentVolumeClaim, lookup: Lookup): boolean {
  if ((claim.spec.volumeName ?? "") !== "") return false;
  return lookup.storageClass(classNameOf(claim) ?? "")?.volumeBindingMode === "WaitForFirstConsumer";
}

/** A volume that somebody made by hand, for the claim that gets it. */
export interface Match {
  readonly claim: PersistentVolumeClaim;
  readonly volume: PersistentVolume;
}

export type ClaimsOnNode =
  | { readonly kind: "refused"; readonly why: string }
  | {
      readonly kind: "fits";
      readonly matched: readonly Match[];
      /** Whose volumes are to be made on this node. */
      readonly provisioned: readonly PersistentVolumeClaim[];
    };

/**
 * What these claims would get on this node. A volume that is there is taken before one is made, unless the claim was told
 * already to have one made; the smallest claim chooses first, and no volume is given twice.
 */
export function claimsOnNode(
  node: Node,
  { bound, waiting }: PodClaims & { kind: "known" },
  lookup: Lookup,
): ClaimsOnNode {
  for (const { spec } of bound) {
    const volume = lookup.volume(spec.volumeName ?? "");
    if (volume === undefined)
      return refused("node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)");
    if (!isReachable(volume, node)) return refused("node(s) didn't match PersistentVolume's node affinity");
  }
  const matched: Match[] = [];
  const provisioned: PersistentVolumeClaim[] = [];
  for (const claim of waiting.toSorted((a, b) => sizeOf(a).compare(sizeOf(b)))) {
    const className = classNameOf(claim) ?? "";
    const isTold = claim.metadata.annotations?.[SELECTED_NODE] === node.metadata.name;
    const free = Iterator.from(isTold ? [] : lookup.openVolumes(className)).filter(
      (volume) => isReachable(volume, node) && matched.every((match) => match.volume !== volume),
    );
    const volume = findVolume(claim, free, { delayed: false });
    if (volume !== undefined) matched.push({ claim, volume });
    else if (isMadeOnDemand(lookup.storageClass(className))) provisioned.push(claim);
    else return refused("node(s) didn't find available persistent volumes to bind");
  }
  return { kind: "fits", matched, provisioned };
}

function isMadeOnDemand(storageClass: StorageClass | undefined): boolean {
  const { provisioner = "" } = storageClass ?? {};
  return provisioner !== "" && provisioner !== BY_HAND;
}

function sizeOf(claim: PersistentVolumeClaim): Quantity {
  return readSize(claim, claim.spec.resources?.requests, "spec.resources.requests.storage") ?? Quantity.zero;
}

function isReachable(volume: PersistentVolume, node: Node): boolean {
  const { required } = (volume.spec["nodeAffinity"] ?? {}) as { required?: NodeSelector };
  return required === undefined || standsForAll(node) || selects(required, node);
}

function refused(why: string): { readonly kind: "refused"; readonly why: string } {
  return { kind: "refused", why };
}
