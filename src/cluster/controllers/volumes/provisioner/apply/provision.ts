/** Provisions the volume of one claim, and says so. */
import { messageOf } from "../../../../../core/errors.ts";
import type { PersistentVolumeClaim, StorageClass } from "../../../../../core/types.ts";
import { type CsiClient, CsiError, consequenceOf, type Volume } from "../../../../../csi/index.ts";
import {
  CLAIMS,
  type EventRecorder,
  isAlreadyExists,
  type KubeClient,
  keyOf,
  referenceTo,
  VOLUMES,
} from "../../../../../kube/index.ts";
import { type News, normal, warning } from "../../decide/news.ts";
import { newVolume } from "../decide/new-volume.ts";
import { type VolumeRequest, volumeRequest } from "./volume-request.ts";

export interface ProvisionTools {
  readonly client: KubeClient;
  readonly csi: CsiClient;
  readonly recorder: EventRecorder;
  readonly driver: string;
  /** Who provisions: see `newVolume`. */
  readonly identity: string;
  readonly signal: AbortSignal;
}

export interface Provisioned {
  /** Why there is no volume object; undefined when there is one. */
  readonly error?: unknown;
  /**
   * Whether the driver may have a volume that has no object, so that it must be asked until it says. Undefined: it was
   * not asked this time, so that is as it was.
   */
  readonly inDoubt?: boolean;
}

/** One attempt. Does not throw: how it ended, people are told, and the caller hears what to make of it. */
export async function provision(
  tools: ProvisionTools,
  claim: PersistentVolumeClaim,
  storageClass: StorageClass,
): Promise<Provisioned> {
  const { client, csi, recorder, driver, identity, signal } = tools;
  const tell = ({ type, reason, message }: News): void =>
    recorder.event(referenceTo(CLAIMS, claim), type, reason, message);
  const failed = (error: unknown): { readonly error: unknown } => {
    const which = `StorageClass ${JSON.stringify(storageClass.metadata.name)}`;
    // That we give up because we are stopped is nothing to tell people about.
    if (!signal.aborted) {
      tell(warning("ProvisioningFailed", `failed to provision volume with ${which}: ${messageOf(error)}`));
    }
    return { error };
  };

  const key = JSON.stringify(keyOf(claim.metadata));
  tell(normal("Provisioning", `External provisioner is provisioning volume for claim ${key}`));
  let request: VolumeRequest;
  try {
    request = volumeRequest(claim, storageClass, await csi.controllerCapabilities(signal));
  } catch (error) {
    return failed(error);
  }
  const { params, fsType } = request;
  let made: Volume;
  try {
    made = await csi.createVolume(params, signal);
  } catch (error) {
    return { ...failed(error), inDoubt: !consequenceOf(error).final };
  }
  const requestedBytes = params.requiredBytes;
  if (made.capacityBytes !== 0n && made.capacityBytes < requestedBytes) {
    const sizes = `created volume capacity ${made.capacityBytes} less than requested capacity ${requestedBytes}`;
    const isDeleted = await csi.deleteVolume({ volumeId: made.volumeId }, signal).then(
      () => true,
      () => false,
    );
    return { ...failed(new CsiError("OutOfRange", sizes)), inDoubt: !isDeleted };
  }
  const volume = newVolume({ claim, storageClass, driver, made, requestedBytes, fsType, identity });
  try {
    await client.create(VOLUMES, volume, {}, signal);
  } catch (error) {
    // An earlier attempt whose answer was lost: no other volume has this claim's uid in its name.
    if (!isAlreadyExists(error)) return { ...failed(error), inDoubt: true };
  }
  tell(normal("ProvisioningSucceeded", `Successfully provisioned volume ${volume.metadata.name}`));
  return { inDoubt: false };
}
