/** What a driver is asked for when a claim needs a volume. */
import { readSize } from "../../../../../core/claim.ts";
import { OutgrowError } from "../../../../../core/errors.ts";
import { Quantity } from "../../../../../core/quantity.ts";
import type { PersistentVolumeClaim, StorageClass } from "../../../../../core/types.ts";
import { type ControllerCapability, type CreateVolumeParams, volumeCapability } from "../../../../../csi/index.ts";
import { readClassParameters } from "../decide/parameters.ts";
import { volumeNameFor } from "../decide/should-provision.ts";

export interface VolumeRequest {
  readonly params: CreateVolumeParams;
  readonly fsType: string | undefined;
}

/**
 * The same claim gives the same request, in every attempt. Throws an `OutgrowError` that says what of the claim or the
 * class cannot be asked for.
 */
export function volumeRequest(
  claim: PersistentVolumeClaim,
  storageClass: StorageClass,
  abilities: ReadonlySet<ControllerCapability>,
): VolumeRequest {
  const read = readClassParameters(storageClass.parameters);
  if (read.kind === "refused") throw new OutgrowError("OBJECT_MALFORMED", read.why);
  const { fsType, forDriver: parameters } = read;
  const request = readSize(claim, claim.spec.resources?.requests, "spec.resources.requests.storage");
  const use = {
    volumeMode: claim.spec.volumeMode === "Block" ? "Block" : "Filesystem",
    ...(fsType === undefined ? {} : { fsType }),
    ...(storageClass.mountOptions === undefined ? {} : { mountFlags: storageClass.mountOptions }),
  } as const;
  // One for each mode: the volume must be good for all of them.
  const capabilities = (claim.spec.accessModes ?? []).map((mode) =>
    volumeCapability({ ...use, accessModes: [mode] }, abilities.has("SINGLE_NODE_MULTI_WRITER")),
  );
  const requiredBytes = (request ?? Quantity.zero).toBytes();
  return { params: { name: volumeNameFor(claim), requiredBytes, capabilities, parameters }, fsType };
}
