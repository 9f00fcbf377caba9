/** What a scripted driver does when the script lets it: the work behind each method. */
import { CsiError } from "../error.ts";
import {
  type CapacityRange,
  ControllerServiceCapability_RPC_Type as ControllerRpc,
  NodeServiceCapability_RPC_Type as NodeRpc,
  PluginCapability_Service_Type as Service,
  type VolumeCapability,
  PluginCapability_VolumeExpansion_Type as VolumeExpansion,
  VolumeUsage_Unit,
} from "../generated/csi_pb.ts";
import type { ControllerHandlers, IdentityHandlers, NodeHandlers } from "../server.ts";
import type { Backend } from "./backend.ts";
import type { Abilities, Answer, Script, ScriptedMethod } from "./script.ts";

/** How the work of a call is to be done: the part of an answer that is about sizes. */
export type Manner = Pick<Extract<Answer, { kind: "done" }>, "roundToBytes" | "sayBytes">;

/** Takes one call through the script: records it, and does the work, or not, and answers as the rules say. */
export type Play = <T>(call: PlayedCall, signal: AbortSignal, work: (manner: Manner) => T) => Promise<T>;

export interface PlayedCall {
  readonly method: ScriptedMethod;
  readonly volumeId?: string;
  readonly capacityRange?: CapacityRange | undefined;
  readonly capability?: VolumeCapability | undefined;
  readonly secrets?: Readonly<Record<string, string>>;
}

export const DEFAULT_NAME = "scripted.csi.outgrow.dev";

const ALL: Required<Abilities> = {
  controllerExpansion: true,
  nodeExpansion: true,
  singleNodeMultiWriter: false,
  online: true,
};

export function identityHandlers(script: Script, play: Play): IdentityHandlers {
  const { online } = { ...ALL, ...script.abilities };
  return {
    getPluginInfo: (_, { signal }) =>
      play({ method: "GetPluginInfo" }, signal, () => ({ name: script.name ?? DEFAULT_NAME, vendorVersion: "1" })),
    getPluginCapabilities: (_, { signal }) =>
      play({ method: "GetPluginCapabilities" }, signal, () => ({
        capabilities: [
          { type: { case: "service" as const, value: { type: Service.CONTROLLER_SERVICE } } },
          {
            type: {
              case: "volumeExpansion" as const,
              value: { type: online ? VolumeExpansion.ONLINE : VolumeExpansion.OFFLINE },
            },
          },
        ],
      })),
    probe: (_, { signal }) => play({ method: "Probe" }, signal, () => ({ ready: true })),
  };
}

export function controllerHandlers(script: Script, backend: Backend, play: Play): ControllerHandlers {
  const abilities = { ...ALL, ...script.abilities };
  return {
    controllerGetCapabilities: (_, { signal }) =>
      play({ method: "ControllerGetCapabilities" }, signal, () => ({
        capabilities: rpcs([
          ControllerRpc.CREATE_DELETE_VOLUME,
          ControllerRpc.LIST_VOLUMES,
          ...(abilities.controllerExpansion ? [ControllerRpc.EXPAND_VOLUME] : []),
          ...(abilities.singleNodeMultiWriter ? [ControllerRpc.SINGLE_NODE_MULTI_WRITER] : []),
        ]),
      })),

    createVolume: ({ name: volumeId, capacityRange, secrets, volumeCapabilities }, { signal }) =>
      play(
        { method: "CreateVolume", volumeId, capacityRange, secrets, capability: volumeCapabilities[0] },
        signal,
        (manner) => {
          const bytes = backend.get(volumeId)?.backendBytes ?? granted(capacityRange, manner, script);
          backend.set(volumeId, { backendBytes: bytes, fileSystemBytes: bytes });
          return { volume: { volumeId, capacityBytes: manner.sayBytes ?? bytes } };
        },
      ),

    deleteVolume: ({ volumeId, secrets }, { signal }) =>
      play({ method: "DeleteVolume", volumeId, secrets }, signal, () => {
        backend.delete(volumeId);
        return {};
      }),

    listVolumes: (_, { signal }) =>
      play({ method: "ListVolumes" }, signal, () => ({
        entries: [...backend.all()].map(([volumeId, { backendBytes }]) => ({
          volume: { volumeId, capacityBytes: backendBytes },
        })),
      })),

    ...(abilities.controllerExpansion && {
      controllerExpandVolume: ({ volumeId, capacityRange, secrets, volumeCapability }, { signal }) =>
        play(
          { method: "ControllerExpandVolume", volumeId, capacityRange, secrets, capability: volumeCapability },
          signal,
          (manner) => {
            refuseWhileInUse(backend, volumeId, abilities);
            const { backendBytes } = backend.grow(volumeId, "backendBytes", granted(capacityRange, manner, script));
            return {
              capacityBytes: manner.sayBytes ?? backendBytes,
              nodeExpansionRequired: abilities.nodeExpansion && volumeCapability?.accessType.case !== "block",
            };
          },
        ),
    }),
  };
}

export function nodeHandlers(script: Script, backend: Backend, play: Play): NodeHandlers {
  const abilities = { ...ALL, ...script.abilities };
  return {
    nodeGetCapabilities: (_, { signal }) =>
      play({ method: "NodeGetCapabilities" }, signal, () => ({
        capabilities: rpcs([NodeRpc.GET_VOLUME_STATS, ...(abilities.nodeExpansion ? [NodeRpc.EXPAND_VOLUME] : [])]),
      })),

    nodeGetInfo: (_, { signal }) => play({ method: "NodeGetInfo" }, signal, () => ({ nodeId: "scripted-node" })),

    nodeGetVolumeStats: ({ volumeId }, { signal }) =>
      play({ method: "NodeGetVolumeStats", volumeId }, signal, () => {
        const { fileSystemBytes: total } = backend.need(volumeId);
        return { usage: [{ unit: VolumeUsage_Unit.BYTES, total, used: 0n, available: total }] };
      }),

    ...(abilities.nodeExpansion && {
      nodeExpandVolume: ({ volumeId, capacityRange, secrets, volumeCapability }, { signal }) =>
        play(
          { method: "NodeExpandVolume", volumeId, capacityRange, secrets, capability: volumeCapability },
          signal,
          (manner) => {
            // Without a controller half it is the node that makes the storage itself larger.
            if (!abilities.controllerExpansion) {
              backend.grow(volumeId, "backendBytes", granted(capacityRange, manner, script));
            }
            const { backendBytes } = backend.need(volumeId);
            backend.grow(volumeId, "fileSystemBytes", backendBytes);
            return { capacityBytes: manner.sayBytes ?? backendBytes };
          },
        ),
    }),
  };
}

function rpcs<T extends number>(types: readonly T[]): { type: { case: "rpc"; value: { type: T } } }[] {
  return types.map((type) => ({ type: { case: "rpc", value: { type } } }));
}

/** What is given for what was asked: rounded up; `OutOfRange` where that is beyond the limit. */
function granted(range: CapacityRange | undefined, manner: Manner, script: Script): bigint {
  const { requiredBytes = 0n, limitBytes = 0n } = range ?? {};
  const step = manner.roundToBytes ?? script.roundToBytes ?? 1n;
  const bytes = ((requiredBytes + step - 1n) / step) * step;
  if (limitBytes > 0n && bytes > limitBytes) {
    throw new CsiError("OutOfRange", `${bytes} bytes are more than the limit of ${limitBytes}`);
  }
  return bytes;
}

function refuseWhileInUse(backend: Backend, volumeId: string, abilities: Required<Abilities>): void {
  if (!abilities.online && backend.need(volumeId).inUse) {
    throw new CsiError("FailedPrecondition", `volume ${volumeId} is in use, and grows only while it is not`);
  }
}
