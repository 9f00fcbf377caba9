/**
 * What is to be done about a volume: syncVolume of kube-controller-manager's pv_controller.go, as one pure function.
 */
import type { PersistentVolume, PersistentVolumeClaim } from "../../../../../core/types.ts";
import { hasAnnotation, MIGRATED_TO, PROVISIONED_BY } from "../../decide/names.ts";
import { type News, warning } from "../../decide/news.ts";
import type { VolumePhase } from "./binding.ts";
import { hasSameMode } from "./match.ts";

export interface VolumeFacts {
  readonly volume: PersistentVolume;
  /**
   * The claim that `spec.claimRef` names, with the uid that stands there; undefined when it is known to be gone. One
   * that was only not heard of yet must not be taken for gone: its volume would be deleted.
   */
  readonly claim: PersistentVolumeClaim | undefined;
}

export type VolumeDecision =
  /** `news`: told when the phase changes with it. */
  | { readonly kind: "phase"; readonly phase: VolumePhase; readonly news?: News }
  /** The claim's side is not written yet, and is the claim's business. */
  | { readonly kind: "look-at-claim" }
  /** The claim got another volume. */
  | { readonly kind: "unbind" }
  /** The two can never be bound. */
  | { readonly kind: "mismatch"; readonly volumeNews: News; readonly claimNews: News };

export function decideVolume({ volume, claim }: VolumeFacts): VolumeDecision {
  // With a name but no uid it is kept for a claim that has yet to come.
  if (!volume.spec.claimRef?.uid) return { kind: "phase", phase: "Available" };
  if (claim === undefined) return release(volume);
  if (claim.spec.volumeName === volume.metadata.name) return { kind: "phase", phase: "Bound" };
  if (!claim.spec.volumeName) {
    return hasSameMode(volume, claim)
      ? { kind: "look-at-claim" }
      : { kind: "mismatch", ...mismatchNews(volume, claim) };
  }
  // Made for this claim, which does not need it: nobody ever will.
  if (hasAnnotation(volume, PROVISIONED_BY) && policyOf(volume) === "Delete") return release(volume);
  return { kind: "unbind" };
}

/**
 * Whether the claim must be read from the API server before it may count as gone: the cache may be behind. A volume
 * that is released already has been through this.
 */
export function mustAskForClaim(volume: PersistentVolume, held: PersistentVolumeClaim | undefined): boolean {
  const uid = volume.spec.claimRef?.uid;
  if (!uid || held?.metadata.uid === uid) return false;
  return held !== undefined || !isReleased(volume);
}

function isReleased({ status }: PersistentVolume): boolean {
  return status?.phase === "Released" || status?.phase === "Failed";
}

/** First released, for provisioners to see; then, where nobody can do what the policy wants, failed. */
function release(volume: PersistentVolume): VolumeDecision {
  if (!isReleased(volume)) return { kind: "phase", phase: "Released" };
  const failure = reclaimFailure(volume);
  if (failure !== undefined) return { kind: "phase", phase: "Failed", news: failure };
  return { kind: "phase", phase: volume.status?.phase === "Failed" ? "Failed" : "Released" };
}

/** Why the volume cannot be reclaimed; undefined when it stays, or when a provisioner sees to it. */
function reclaimFailure(volume: PersistentVolume): News | undefined {
  if (hasAnnotation(volume, MIGRATED_TO)) return undefined;
  switch (policyOf(volume)) {
    case "Retain":
      return undefined;
    case "Delete":
      return deletionFailure(volume);
    case "Recycle":
      return warning("VolumeFailedRecycle", "No recycler plugin found for the volume!");
    default:
      return warning("VolumeUnknownReclaimPolicy", "Volume has unrecognized PersistentVolumeReclaimPolicy");
  }
}

/** Volumes are deleted by whoever provisioned them; there is nobody here for those of in-tree kinds. */
function deletionFailure(volume: PersistentVolume): News | undefined {
  const provisioner = volume.metadata.annotations?.[PROVISIONED_BY];
  if (provisioner) {
    if (!provisioner.startsWith("kubernetes.io/")) return undefined;
    return warning("VolumeFailedDelete", `no volume plugin matched name: ${provisioner}`);
  }
  if (volume.spec.csi !== undefined) return undefined;
  const what = `error getting deleter volume plugin for volume ${JSON.stringify(volume.metadata.name)}`;
  return warning("VolumeFailedDelete", `${what}: no deletable volume plugin matched`);
}

function policyOf({ spec }: PersistentVolume): string {
  return spec.persistentVolumeReclaimPolicy ?? "Retain";
}

function mismatchNews(
  { metadata }: PersistentVolume,
  claim: PersistentVolumeClaim,
): { volumeNews: News; claimNews: News } {
  const [volumeName, claimName] = [metadata.name, claim.metadata.name].map((name) => JSON.stringify(name));
  return {
    volumeNews: warning(
      "VolumeMismatch",
      `Cannot bind PersistentVolume to requested PersistentVolumeClaim ${claimName} due to incompatible volumeMode.`,
    ),
    claimNews: warning(
      "VolumeMismatch",
      `Cannot bind PersistentVolume ${volumeName} to requested PersistentVolumeClaim due to incompatible volumeMode.`,
    ),
  };
}
