/**
 * Taking the capacity from before an expansion off a volume, once the node is done. It is there so that a claim which is
 * deleted and made anew in between does not lose the expansion of its file system (k/k#88683).
 */
import { readClaim } from "../../core/claim.ts";
import { PRE_RESIZE_CAPACITY } from "../../core/names.ts";
import type { PersistentVolume } from "../../core/types.ts";
import { isBoundTo, readVolume } from "../../core/volume.ts";
import { CLAIMS, isNotFound, type KubeClient, refOfKey } from "../../kube/index.ts";
import type { Writer } from "../apply/writes.ts";

/** `volumes` are this driver's volumes that name the claim; the claim itself is at rest, so it is read from the server. */
export async function clearAnnotation(
  writer: Writer,
  client: Pick<KubeClient, "get">,
  volumes: readonly PersistentVolume[],
  key: string,
  signal: AbortSignal,
): Promise<void> {
  for (const volume of volumes) {
    if (volume.metadata.annotations?.[PRE_RESIZE_CAPACITY] === undefined) continue;
    try {
      const claim = readClaim(await client.get(CLAIMS, refOfKey(key), {}, signal));
      const view = readVolume(volume);
      if (!isBoundTo(view, claim) || claim.capacity?.atLeast(view.capacity) !== true) continue;
    } catch (error) {
      if (isNotFound(error)) continue;
      throw error;
    }
    const { [PRE_RESIZE_CAPACITY]: _, ...annotations } = volume.metadata.annotations;
    const without = { ...volume, metadata: { ...volume.metadata, annotations } };
    if ((await writer.tryVolume(volume, without, signal)) === undefined) {
      throw new Error(`volume ${volume.metadata.name} was written by somebody else`);
    }
  }
}
