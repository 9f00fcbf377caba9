/** The node service of our drivers. */
import {
  CsiError,
  type NodeHandlers,
  type NodePublishVolumeRequest,
  NodeServiceCapability_RPC_Type as Rpc,
  VolumeUsage_Unit as Unit,
} from "../../../csi/index.ts";
import type { DriverContext } from "./context.ts";
import { expandOnNode, growStorageTo, mayGrowAtStage } from "./expand.ts";
import { mustFit, required, useOf } from "./requests.ts";
import type { Publication, Stage, VolumeRecord } from "./volume.ts";

const ABILITIES = [Rpc.STAGE_UNSTAGE_VOLUME, Rpc.GET_VOLUME_STATS, Rpc.EXPAND_VOLUME];

/** Where a volume is used is written down before it is mounted there: a driver that was killed knows what to take back. */
export function nodeHandlers(context: DriverContext): NodeHandlers {
  const { records, turns, work, nodeId } = context;
  const unstage = async (volume: VolumeRecord, path: string): Promise<void> => {
    await work.unstage(volume, path);
    await records.put({ ...volume, staged: volume.staged.filter((stage) => stage.path !== path) });
  };
  const unpublish = async (volume: VolumeRecord, path: string): Promise<void> => {
    await work.unpublish(volume, path);
    await records.put({ ...volume, published: volume.published.filter((publication) => publication.path !== path) });
  };
  return {
    nodeGetCapabilities: () => ({
      capabilities: ABILITIES.map((type) => ({ type: { case: "rpc" as const, value: { type } } })),
    }),
    nodeGetInfo: () => ({ nodeId }),

    async nodeStageVolume(request) {
      const volumeId = required("volume_id", request.volumeId);
      const path = required("staging_target_path", request.stagingTargetPath);
      const use = useOf(request.volumeCapability);
      const stage: Stage = { path, readOnly: use.readOnly, mountFlags: use.mountFlags };
      await turns.take(volumeId, async () => {
        let volume = records.need(volumeId);
        mustFit(volume, use);
        const isNew = !isStagedAt(volume, path);
        const mayGrow = !use.readOnly && mayGrowAtStage(volume);
        if (mayGrow && volume.capacityBytes > volume.storageBytes) {
          volume = await growStorageTo(volume, volume.capacityBytes, work);
        }
        volume = { ...volume, staged: [...volume.staged.filter((other) => other.path !== path), stage] };
        await records.put(volume);
        try {
          const nodeBytes = await work.stage(volume, stage, mayGrow);
          if (nodeBytes !== volume.nodeBytes) await records.put({ ...volume, nodeBytes });
        } catch (error) {
          if (isNew) await unstage(volume, path).catch(leftToItsCaller);
          throw error;
        }
      });
      return {};
    },

    async nodeUnstageVolume(request) {
      const volumeId = required("volume_id", request.volumeId);
      const path = required("staging_target_path", request.stagingTargetPath);
      await turns.take(volumeId, async () => {
        const volume = records.get(volumeId);
        // What is not there is not staged: this is what was asked for.
        if (volume === undefined || !isStagedAt(volume, path)) return;
        const users = volume.published.filter(({ stagedAt }) => stagedAt === path);
        if (users.length > 0) {
          const where = users.map((user) => user.path).join(", ");
          throw new CsiError("FailedPrecondition", `volume ${volumeId} is still published at ${where}`);
        }
        await unstage(volume, path);
      });
      return {};
    },

    async nodePublishVolume(request) {
      const volumeId = required("volume_id", request.volumeId);
      const path = required("target_path", request.targetPath);
      const use = useOf(request.volumeCapability);
      await turns.take(volumeId, async () => {
        const volume = records.need(volumeId);
        mustFit(volume, use);
        const publication = publicationOf(volume, request, use.readOnly);
        if (isPublishedAt(volume, path)) return work.publish(volume, publication);
        const next = { ...volume, published: [...volume.published, publication] };
        await records.put(next);
        try {
          await work.publish(next, publication);
        } catch (error) {
          await unpublish(next, path).catch(leftToItsCaller);
          throw error;
        }
      });
      return {};
    },

    async nodeUnpublishVolume(request) {
      const volumeId = required("volume_id", request.volumeId);
      const path = required("target_path", request.targetPath);
      await turns.take(volumeId, async () => {
        const volume = records.get(volumeId);
        if (volume !== undefined && isPublishedAt(volume, path)) await unpublish(volume, path);
      });
      return {};
    },

    async nodeGetVolumeStats(request) {
      const volumeId = required("volume_id", request.volumeId);
      const path = required("volume_path", request.volumePath);
      const { bytes, inodes } = await work.usage(mustBeAt(records.need(volumeId), path), path);
      return {
        usage: [{ ...bytes, unit: Unit.BYTES }, ...(inodes === undefined ? [] : [{ ...inodes, unit: Unit.INODES }])],
      };
    },

    async nodeExpandVolume(request) {
      const volumeId = required("volume_id", request.volumeId);
      const path = required("volume_path", request.volumePath);
      const capacityBytes = await turns.take(volumeId, () => {
        mustBeAt(records.need(volumeId), path);
        return expandOnNode(context, volumeId, request.capacityRange);
      });
      return { capacityBytes };
    },
  };
}

/** Throws `FailedPrecondition` where the volume is not staged, `AlreadyExists` where it is published there otherwise. */
function publicationOf(volume: VolumeRecord, request: NodePublishVolumeRequest, readOnlyUse: boolean): Publication {
  const { targetPath: path, stagingTargetPath: stagedAt } = request;
  if (!isStagedAt(volume, stagedAt)) {
    throw new CsiError(
      "FailedPrecondition",
      `volume ${volume.id} is not staged at ${stagedAt || "a path"}; stage it first`,
    );
  }
  const readOnly = request.readonly || readOnlyUse;
  const there = volume.published.find((publication) => publication.path === path);
  if (there !== undefined && (there.stagedAt !== stagedAt || there.readOnly !== readOnly)) {
    throw new CsiError("AlreadyExists", `volume ${volume.id} is published at ${path} in another way`);
  }
  return { path, stagedAt, readOnly };
}

function mustBeAt(volume: VolumeRecord, path: string): VolumeRecord {
  if (isStagedAt(volume, path) || isPublishedAt(volume, path)) return volume;
  throw new CsiError("NotFound", `volume ${volume.id} is not at ${path}`);
}

function isStagedAt(volume: VolumeRecord, path: string): boolean {
  return volume.staged.some((stage) => stage.path === path);
}

function isPublishedAt(volume: VolumeRecord, path: string): boolean {
  return volume.published.some((publication) => publication.path === path);
}

/**
 * After a call that failed, callers need not make the opposite one, so what was begun is taken back. Where even that fails it
 * stays recorded, for such a call or the next start; the first failure is the one to tell.
 */
function leftToItsCaller(): void {}
