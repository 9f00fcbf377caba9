/** What is to be done about a claim: syncClaim of kube-controller-manager's pv_controller.go, as one pure function. */
import type { StorageClasses } from "../../../../../admission/storage-classes.ts";
import { classNameOf } from "../../../../../core/claim.ts";
import type { PersistentVolume, PersistentVolumeClaim, Pod } from "../../../../../core/types.ts";
import { BIND_COMPLETED, BOUND_BY_CONTROLLER, hasAnnotation, SELECTED_NODE } from "../../decide/names.ts";
import { type News, normal, warning } from "../../decide/news.ts";
import { isUnscheduled } from "../../decide/pod-claims.ts";
import { findVolume, isMeantFor, mismatch } from "./match.ts";

export interface ClaimFacts {
  readonly claim: PersistentVolumeClaim;
  /** The volume that `spec.volumeName` names; undefined when there is none. */
  readonly named: PersistentVolume | undefined;
  /** The volumes that are free or kept for this claim. */
  readonly volumes: Iterable<PersistentVolume>;
  readonly classes: StorageClasses;
  /** The pods that use it. */
  readonly pods: Iterable<Pod>;
}

export type ClaimDecision =
  /** Write both sides, or what is missing of them. */
  | { readonly kind: "bind"; readonly volume: PersistentVolume }
  /** It names no class, and now there is a default. */
  | { readonly kind: "assign-class"; readonly className: string }
  /** Ask for a volume: the provisioner goes by the annotation. */
  | { readonly kind: "hand-over"; readonly provisioner: string; readonly news: News }
  /** It has no volume. `once`: people are told only when the phase changes with it. */
  | { readonly kind: "no-volume"; readonly phase: "Pending" | "Lost"; readonly news?: News; readonly once?: true }
  /** There is nothing that we can do. */
  | { readonly kind: "leave"; readonly news: News };

export function decideClaim(facts: ClaimFacts): ClaimDecision {
  return hasAnnotation(facts.claim, BIND_COMPLETED) ? decideBound(facts) : decideUnbound(facts);
}

/** It was bound before: it has its volume, or has lost it. Lost is for good. */
function decideBound({ claim, named }: ClaimFacts): ClaimDecision {
  if (!claim.spec.volumeName) {
    return lost("ClaimLost", "Bound claim has lost reference to PersistentVolume. Data on the volume is lost!");
  }
  if (named === undefined) {
    return lost("ClaimLost", "Bound claim has lost its PersistentVolume. Data on the volume is lost!");
  }
  const reference = named.spec.claimRef;
  if (reference === undefined || reference.uid === claim.metadata.uid) return { kind: "bind", volume: named };
  return lost("ClaimMisbound", "Two claims are bound to the same volume, this one is bound incorrectly");
}

function lost(reason: string, message: string): ClaimDecision {
  return { kind: "no-volume", phase: "Lost", news: warning(reason, message), once: true };
}

function decideUnbound(facts: ClaimFacts): ClaimDecision {
  const { claim, named, volumes, classes } = facts;
  if (claim.spec.volumeName) return decideNamed(claim, named);
  const className = classNameOf(claim);
  const storageClass = className === undefined ? undefined : classes.named(className);
  const delayed = storageClass?.volumeBindingMode === "WaitForFirstConsumer";
  const volume = findVolume(claim, volumes, { delayed });
  if (volume !== undefined) return { kind: "bind", volume };

  if (className === undefined && classes.defaultClass !== undefined) {
    return { kind: "assign-class", className: classes.defaultClass.metadata.name };
  }
  if (delayed && !hasAnnotation(claim, SELECTED_NODE)) return pending(waitingFor(facts));
  if (!className) {
    const message = "no persistent volumes available for this claim and no storage class is set";
    return pending(normal("FailedBinding", message));
  }
  if (storageClass === undefined) {
    const message = `storageclass.storage.k8s.io ${JSON.stringify(className)} not found`;
    return { kind: "leave", news: warning("ProvisioningFailed", message) };
  }
  return handOver(storageClass.provisioner);
}

/** A person asked for one volume and no other. */
function decideNamed(claim: PersistentVolumeClaim, volume: PersistentVolume | undefined): ClaimDecision {
  if (volume === undefined) return pending();
  const name = JSON.stringify(volume.metadata.name);
  if (volume.spec.claimRef === undefined) {
    const why = mismatch(volume, claim);
    if (why === undefined) return { kind: "bind", volume };
    return pending(warning("VolumeMismatch", `Cannot bind to requested volume ${name}: ${why}`));
  }
  if (isMeantFor(volume, claim)) return { kind: "bind", volume };
  const news = warning("FailedBinding", `volume ${name} already bound to a different claim.`);
  // We have chosen the volume, so somebody took `bind-completed` away since. Upstream does not touch such a claim
  // either.
  return hasAnnotation(claim, BOUND_BY_CONTROLLER) ? { kind: "leave", news } : pending(news);
}

function waitingFor({ pods }: ClaimFacts): News {
  const names = [...pods].filter(isUnscheduled).map(({ metadata }) => metadata.name);
  if (names.length === 0) {
    return normal("WaitForFirstConsumer", "waiting for first consumer to be created before binding");
  }
  const which = names.length === 1 ? `pod ${names[0]}` : `pods ${names.sort().join(",")}`;
  return normal("WaitForPodScheduled", `waiting for ${which} to be scheduled`);
}

const IN_TREE = "kubernetes.io/";

function handOver(provisioner: string): ClaimDecision {
  if (provisioner.startsWith(IN_TREE)) {
    return { kind: "leave", news: warning("ProvisioningFailed", `no volume plugin matched name: ${provisioner}`) };
  }
  const message =
    `Waiting for a volume to be created either by the external provisioner '${provisioner}' ` +
    "or manually by the system administrator. If volume creation is delayed, please verify that " +
    "the provisioner is running and correctly registered.";
  return { kind: "hand-over", provisioner, news: normal("ExternalProvisioning", message) };
}

function pending(news?: News): ClaimDecision {
  return { kind: "no-volume", phase: "Pending", ...(news === undefined ? {} : { news }) };
}
