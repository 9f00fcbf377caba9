/** Deletes a volume that nobody needs any more: what it stands for, then the object. */
import { messageOf } from "../../../../../core/errors.ts";
import type { PersistentVolume } from "../../../../../core/types.ts";
import type { CsiClient } from "../../../../../csi/index.ts";
import {
  type EventRecorder,
  isNotFound,
  type KubeClient,
  referenceTo,
  refOf,
  type Status,
  VOLUMES,
} from "../../../../../kube/index.ts";
import type { Writer } from "../../shared/writer.ts";
import { decideProvisioned, withoutOurs } from "../decide/volume.ts";

export interface DeleteTools {
  readonly client: KubeClient;
  readonly csi: CsiClient;
  readonly driver: string;
  readonly recorder: EventRecorder;
  readonly writer: Writer;
  readonly signal: AbortSignal;
}

/**
 * May be broken off and begun again anywhere. People are told why the driver refuses. What is known of the volume may
 * be old news, and somebody may have taken it since: so the API server has the last word on whether it goes.
 */
export async function deleteVolume(tools: DeleteTools, known: PersistentVolume): Promise<void> {
  const { client, csi, driver, recorder, writer, signal } = tools;
  const volume = await client.get(VOLUMES, refOf(known), {}, signal);
  if (volume.metadata.uid !== known.metadata.uid || decideProvisioned(volume, driver).kind !== "delete") return;
  const volumeId = volume.spec.csi?.volumeHandle ?? "";
  try {
    await csi.deleteVolume({ volumeId }, signal);
  } catch (error) {
    if (!signal.aborted) {
      recorder.event(referenceTo(VOLUMES, volume), "Warning", "VolumeFailedDelete", messageOf(error));
    }
    throw error;
  }
  const going = await remove(client, volume, signal);
  if (going === undefined) return;
  await writer.volume(going, {
    ...going,
    metadata: { ...going.metadata, finalizers: [...withoutOurs(going.metadata.finalizers ?? [])] },
  });
}

/** The object that finalizers still hold; undefined when it is gone, or is another one by now. */
async function remove(
  client: KubeClient,
  volume: PersistentVolume,
  signal: AbortSignal,
): Promise<PersistentVolume | undefined> {
  const { uid } = volume.metadata;
  try {
    const options = uid === undefined ? {} : { preconditions: { uid } };
    const answer: PersistentVolume | Status = await client.delete(VOLUMES, refOf(volume), options, signal);
    return "metadata" in answer && "spec" in answer && answer.metadata.finalizers !== undefined ? answer : undefined;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
