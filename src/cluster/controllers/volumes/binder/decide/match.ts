/** Which volume suits a claim: the rules of FindMatchingVolume and checkVolumeSatisfyClaim. */
import { classNameOf, readSize } from "../../../../../core/claim.ts";
import { Quantity } from "../../../../../core/quantity.ts";
import type { PersistentVolume, PersistentVolumeClaim } from "../../../../../core/types.ts";
import { selects } from "../../../../../statefulset/decide/selector.ts";
import { classNameOfVolume } from "../../decide/claim-key.ts";

export interface MatchOptions {
  /**
   * The claim waits for its first consumer: then only a volume that was kept for it is taken, the rest is the
   * scheduler's.
   */
  readonly delayed: boolean;
}

/**
 * The volume that the claim should get; undefined when none suits. One that is kept for it comes first (within the
 * volumes that have no more access modes than needed), then the smallest that is large enough; of equals the first by
 * name.
 */
export function findVolume(
  claim: PersistentVolumeClaim,
  volumes: Iterable<PersistentVolume>,
  { delayed }: MatchOptions,
): PersistentVolume | undefined {
  const possible = [...volumes].filter(
    (volume) => isFree(volume, claim) && isLargeEnough(volume, claim) && !isUnsuitable(volume, claim),
  );
  // Volumes are searched in groups of equal access modes, those with the fewest first (index.go).
  const groups = [...Map.groupBy(possible, (volume) => modesOf(volume).size)].sort(([a], [b]) => a - b);
  for (const [, group] of groups) {
    const kept = group.find((volume) => isMeantFor(volume, claim));
    if (kept !== undefined) return kept;
    if (delayed) continue;
    const smallest = smallestOf(group.filter((volume) => mayBeGiven(volume, claim)));
    if (smallest !== undefined) return smallest;
  }
  return undefined;
}

/** Why a volume that the claim names cannot be bound to it, in upstream's words; undefined when it can. */
export function mismatch(volume: PersistentVolume, claim: PersistentVolumeClaim): string | undefined {
  if (volume.metadata.deletionTimestamp !== undefined) {
    return `the volume is marked for deletion ${JSON.stringify(volume.metadata.name)}`;
  }
  if (!isLargeEnough(volume, claim)) return "requested PV is too small";
  if (classNameOfVolume(volume) !== (classNameOf(claim) ?? "")) return "storageClassName does not match";
  if (!hasSameAttributesClass(volume, claim)) return "volumeAttributesClassName does not match";
  if (!hasSameMode(volume, claim)) return "incompatible volumeMode";
  if (!hasModes(volume, claim)) return "incompatible accessMode";
  return undefined;
}

/** Whether the volume is bound to this claim or kept for it: by name, and by uid when it says one. */
export function isMeantFor({ spec }: PersistentVolume, { metadata }: PersistentVolumeClaim): boolean {
  const reference = spec.claimRef;
  if (reference === undefined) return false;
  if (reference.name !== metadata.name || reference.namespace !== metadata.namespace) return false;
  return !reference.uid || reference.uid === metadata.uid;
}

export function hasSameMode(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  return (volume.spec.volumeMode ?? "Filesystem") === (claim.spec.volumeMode ?? "Filesystem");
}

function isFree(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  return volume.spec.claimRef === undefined || isMeantFor(volume, claim);
}

/** What rules a volume out even if it is kept for the claim. Its class and labels do not. */
function isUnsuitable(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  return (
    volume.metadata.deletionTimestamp !== undefined ||
    !hasSameMode(volume, claim) ||
    !hasSameAttributesClass(volume, claim) ||
    !hasModes(volume, claim)
  );
}

function mayBeGiven(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  const { selector } = claim.spec;
  return (
    volume.status?.phase === "Available" &&
    (selector === undefined || selects(selector, volume.metadata.labels)) &&
    classNameOfVolume(volume) === (classNameOf(claim) ?? "")
  );
}

function isLargeEnough(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  const request = readSize(claim, claim.spec.resources?.requests, "spec.resources.requests.storage");
  return sizeOf(volume).atLeast(request ?? Quantity.zero);
}

function hasSameAttributesClass(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  return (volume.spec.volumeAttributesClassName ?? "") === (claim.spec.volumeAttributesClassName ?? "");
}

function hasModes(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  const modes = modesOf(volume);
  return (claim.spec.accessModes ?? []).every((mode) => modes.has(mode));
}

function modesOf({ spec }: PersistentVolume): ReadonlySet<string> {
  return new Set(spec.accessModes);
}

function sizeOf(volume: PersistentVolume): Quantity {
  return readSize(volume, volume.spec.capacity, "spec.capacity.storage") ?? Quantity.zero;
}

function smallestOf(volumes: readonly PersistentVolume[]): PersistentVolume | undefined {
  let best: { readonly volume: PersistentVolume; readonly size: Quantity } | undefined;
  for (const volume of volumes) {
    const size = sizeOf(volume);
    const order = best === undefined ? -1 : size.compare(best.size);
    if (order < 0 || (order === 0 && best !== undefined && volume.metadata.name < best.volume.metadata.name)) {
      best = { volume, size };
    }
  }
  return best?.volume;
}
