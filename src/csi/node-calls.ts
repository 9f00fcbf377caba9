/** The node's half of CSI, with parameters and answers in our own words. */
import { type Caller, type CallParams, capacityRange, type Secrets, type SizeParams } from "./calls.ts";
import {
  Node,
  NodeServiceCapability_RPC_Type,
  type VolumeCapability,
  type VolumeUsage,
  VolumeUsage_Unit,
} from "./generated/csi_pb.ts";

/** What a node service can do, by the names of the CSI spec. */
export type NodeCapability = Exclude<keyof typeof NodeServiceCapability_RPC_Type, "UNKNOWN">;

export interface NodeExpandParams extends SizeParams, CallParams {
  readonly volumeId: string;
  /** Where the volume is published; where it is staged, when nothing is published. */
  readonly volumePath: string;
  readonly stagingPath?: string;
  readonly capability?: VolumeCapability;
  readonly secrets?: Secrets;
}

export interface NodeStageParams extends CallParams {
  readonly volumeId: string;
  readonly stagingPath: string;
  readonly capability: VolumeCapability;
  readonly publishContext?: Readonly<Record<string, string>>;
  readonly volumeContext?: Readonly<Record<string, string>>;
  readonly secrets?: Secrets;
}

export interface NodePublishParams extends Omit<NodeStageParams, "stagingPath"> {
  readonly targetPath: string;
  /** Missing for drivers that do not stage. */
  readonly stagingPath?: string;
  readonly readOnly?: boolean;
}

export interface NodeInfo {
  readonly nodeId: string;
  /** 0: the driver does not say. */
  readonly maxVolumes: bigint;
  /** Where this node is, as the driver's topology has it. */
  readonly segments: Readonly<Record<string, string>>;
}

export interface Usage {
  readonly total: bigint;
  readonly used: bigint;
  readonly available: bigint;
}

export interface VolumeStats {
  readonly bytes: Usage | undefined;
  readonly inodes: Usage | undefined;
  /** What is wrong with the volume, when the driver says that something is. */
  readonly abnormal: string | undefined;
}

/** Every call throws `CsiError`. Asking again for what is done already succeeds: CSI calls are idempotent. */
export interface NodeCalls {
  /** Gives the size of the volume now, as the driver says; 0 where it does not say. */
  nodeExpand(params: NodeExpandParams, signal?: AbortSignal): Promise<{ readonly capacityBytes: bigint }>;
  nodeGetVolumeStats(
    params: CallParams & { readonly volumeId: string; readonly volumePath: string; readonly stagingPath?: string },
    signal?: AbortSignal,
  ): Promise<VolumeStats>;
  nodeInfo(params?: CallParams, signal?: AbortSignal): Promise<NodeInfo>;
  nodeStage(params: NodeStageParams, signal?: AbortSignal): Promise<void>;
  nodeUnstage(
    params: CallParams & { readonly volumeId: string; readonly stagingPath: string },
    signal?: AbortSignal,
  ): Promise<void>;
  nodePublish(params: NodePublishParams, signal?: AbortSignal): Promise<void>;
  nodeUnpublish(
    params: CallParams & { readonly volumeId: string; readonly targetPath: string },
    signal?: AbortSignal,
  ): Promise<void>;
}

export function nodeCalls(call: Caller): NodeCalls {
  const { method } = Node;
  return {
    async nodeExpand(params, signal) {
      const { capacityBytes } = await call(
        method.nodeExpandVolume,
        {
          volumeId: params.volumeId,
          volumePath: params.volumePath,
          capacityRange: capacityRange(params),
          stagingTargetPath: params.stagingPath ?? "",
          secrets: params.secrets ?? {},
          ...(params.capability !== undefined && { volumeCapability: params.capability }),
        },
        params,
        signal,
      );
      return { capacityBytes };
    },

    async nodeGetVolumeStats(params, signal) {
      const { volumeId, volumePath, stagingPath: stagingTargetPath = "" } = params;
      const { usage, volumeCondition } = await call(
        method.nodeGetVolumeStats,
        { volumeId, volumePath, stagingTargetPath },
        params,
        signal,
      );
      return {
        bytes: usageIn(usage, VolumeUsage_Unit.BYTES),
        inodes: usageIn(usage, VolumeUsage_Unit.INODES),
        abnormal: volumeCondition?.abnormal === true ? volumeCondition.message : undefined,
      };
    },

    async nodeInfo(params = {}, signal) {
      const answer = await call(method.nodeGetInfo, {}, params, signal);
      return {
        nodeId: answer.nodeId,
        maxVolumes: answer.maxVolumesPerNode,
        segments: answer.accessibleTopology?.segments ?? {},
      };
    },

    async nodeStage(params, signal) {
      await call(
        method.nodeStageVolume,
        {
          volumeId: params.volumeId,
          stagingTargetPath: params.stagingPath,
          volumeCapability: params.capability,
          publishContext: params.publishContext ?? {},
          volumeContext: params.volumeContext ?? {},
          secrets: params.secrets ?? {},
        },
        params,
        signal,
      );
    },

    async nodeUnstage(params, signal) {
      const { volumeId, stagingPath: stagingTargetPath } = params;
      await call(method.nodeUnstageVolume, { volumeId, stagingTargetPath }, params, signal);
    },

    async nodePublish(params, signal) {
      await call(
        method.nodePublishVolume,
        {
          volumeId: params.volumeId,
          targetPath: params.targetPath,
          stagingTargetPath: params.stagingPath ?? "",
          volumeCapability: params.capability,
          readonly: params.readOnly ?? false,
          publishContext: params.publishContext ?? {},
          volumeContext: params.volumeContext ?? {},
          secrets: params.secrets ?? {},
        },
        params,
        signal,
      );
    },

    async nodeUnpublish(params, signal) {
      const { volumeId, targetPath } = params;
      await call(method.nodeUnpublishVolume, { volumeId, targetPath }, params, signal);
    },
  };
}

export async function askNodeCapabilities(call: Caller, params: CallParams): Promise<ReadonlySet<NodeCapability>> {
  const { capabilities } = await call(Node.method.nodeGetCapabilities, {}, params, undefined);
  const held = new Set(capabilities.map(({ type }) => (type.case === "rpc" ? type.value.type : undefined)));
  const names = Object.entries(NodeServiceCapability_RPC_Type);
  return new Set(
    names.filter(([, number]) => number !== 0 && held.has(number)).map(([name]) => name as NodeCapability),
  );
}

function usageIn(usage: readonly VolumeUsage[], unit: VolumeUsage_Unit): Usage | undefined {
  const entry = usage.find((candidate) => candidate.unit === unit);
  return entry && { total: entry.total, used: entry.used, available: entry.available };
}
