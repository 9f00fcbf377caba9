/** The controller's half of CSI, with parameters and answers in our own words. */
import { type Caller, type CallParams, capacityRange, type Secrets, type SizeParams } from "./calls.ts";
import { CsiError } from "./error.ts";
import {
  Controller,
  ControllerServiceCapability_RPC_Type,
  type Topology,
  type Volume,
  type VolumeCapability,
} from "./generated/csi_pb.ts";

/** What a controller service can do, by the names of the CSI spec. */
export type ControllerCapability = Exclude<keyof typeof ControllerServiceCapability_RPC_Type, "UNKNOWN">;

export interface ControllerExpandParams extends SizeParams, CallParams {
  readonly volumeId: string;
  readonly capability?: VolumeCapability;
  readonly secrets?: Secrets;
}

export interface ControllerExpandResult {
  /** The size of the volume now, as the driver says. Not checked: 0 or less than asked is for the caller to refuse. */
  readonly capacityBytes: bigint;
  readonly nodeExpansionRequired: boolean;
}

export interface CreateVolumeParams extends SizeParams, CallParams {
  /** The same name gives the same volume, however often it is asked for. */
  readonly name: string;
  readonly capabilities: readonly VolumeCapability[];
  readonly parameters?: Readonly<Record<string, string>>;
  readonly secrets?: Secrets;
  readonly topology?: { readonly requisite: readonly Topology[]; readonly preferred: readonly Topology[] };
}

export interface VolumeParams extends CallParams {
  readonly volumeId: string;
  readonly secrets?: Secrets;
}

export interface ControllerPublishParams extends VolumeParams {
  readonly nodeId: string;
  readonly capability: VolumeCapability;
  readonly readOnly?: boolean;
  readonly volumeContext?: Readonly<Record<string, string>>;
}

export interface ValidateCapabilitiesParams extends VolumeParams {
  readonly capabilities: readonly VolumeCapability[];
  readonly volumeContext?: Readonly<Record<string, string>>;
  readonly parameters?: Readonly<Record<string, string>>;
}

export interface StorageCapacity {
  readonly availableBytes: bigint;
  readonly maximumVolumeBytes: bigint | undefined;
  readonly minimumVolumeBytes: bigint | undefined;
}

/** Every call throws `CsiError`. Asking again for what is done already succeeds: CSI calls are idempotent. */
export interface ControllerCalls {
  controllerExpand(params: ControllerExpandParams, signal?: AbortSignal): Promise<ControllerExpandResult>;
  createVolume(params: CreateVolumeParams, signal?: AbortSignal): Promise<Volume>;
  deleteVolume(params: VolumeParams, signal?: AbortSignal): Promise<void>;
  /** Gives the publish context, to be handed to the node's calls. */
  controllerPublish(params: ControllerPublishParams, signal?: AbortSignal): Promise<Record<string, string>>;
  controllerUnpublish(params: VolumeParams & { readonly nodeId: string }, signal?: AbortSignal): Promise<void>;
  /** Undefined when the volume can be used so; else why not. */
  validateCapabilities(params: ValidateCapabilitiesParams, signal?: AbortSignal): Promise<string | undefined>;
  /** All volumes, page by page until there is no more. */
  listVolumes(params?: CallParams, signal?: AbortSignal): Promise<readonly Volume[]>;
  getCapacity(
    params: CallParams & {
      readonly parameters?: Readonly<Record<string, string>>;
      readonly capabilities?: readonly VolumeCapability[];
      readonly topology?: Topology;
    },
    signal?: AbortSignal,
  ): Promise<StorageCapacity>;
  controllerGetVolume(params: CallParams & { readonly volumeId: string }, signal?: AbortSignal): Promise<Volume>;
}

export function controllerCalls(call: Caller): ControllerCalls {
  const { method } = Controller;
  return {
    async controllerExpand(params, signal) {
      const { capacityBytes, nodeExpansionRequired } = await call(
        method.controllerExpandVolume,
        {
          volumeId: params.volumeId,
          capacityRange: capacityRange(params),
          secrets: params.secrets ?? {},
          ...(params.capability !== undefined && { volumeCapability: params.capability }),
        },
        params,
        signal,
      );
      return { capacityBytes, nodeExpansionRequired };
    },

    async createVolume(params, signal) {
      const { volume } = await call(
        method.createVolume,
        {
          name: params.name,
          capacityRange: capacityRange(params),
          volumeCapabilities: [...params.capabilities],
          parameters: params.parameters ?? {},
          secrets: params.secrets ?? {},
          ...(params.topology !== undefined && {
            accessibilityRequirements: {
              requisite: [...params.topology.requisite],
              preferred: [...params.topology.preferred],
            },
          }),
        },
        params,
        signal,
      );
      return present(volume, `CreateVolume of ${params.name}`);
    },

    async deleteVolume(params, signal) {
      await call(method.deleteVolume, { volumeId: params.volumeId, secrets: params.secrets ?? {} }, params, signal);
    },

    async controllerPublish(params, signal) {
      const { publishContext } = await call(
        method.controllerPublishVolume,
        {
          volumeId: params.volumeId,
          nodeId: params.nodeId,
          volumeCapability: params.capability,
          readonly: params.readOnly ?? false,
          secrets: params.secrets ?? {},
          volumeContext: params.volumeContext ?? {},
        },
        params,
        signal,
      );
      return publishContext;
    },

    async controllerUnpublish(params, signal) {
      const { volumeId, nodeId, secrets = {} } = params;
      await call(method.controllerUnpublishVolume, { volumeId, nodeId, secrets }, params, signal);
    },

    async validateCapabilities(params, signal) {
      const { confirmed, message } = await call(
        method.validateVolumeCapabilities,
        {
          volumeId: params.volumeId,
          volumeCapabilities: [...params.capabilities],
          volumeContext: params.volumeContext ?? {},
          parameters: params.parameters ?? {},
          secrets: params.secrets ?? {},
        },
        params,
        signal,
      );
      return confirmed === undefined ? message || "the driver does not say why" : undefined;
    },

    async listVolumes(params = {}, signal) {
      const volumes: Volume[] = [];
      let startingToken = "";
      do {
        const page = await call(method.listVolumes, { startingToken }, params, signal);
        volumes.push(...page.entries.flatMap(({ volume }) => (volume === undefined ? [] : [volume])));
        startingToken = page.nextToken;
      } while (startingToken !== "");
      return volumes;
    },

    async getCapacity(params, signal) {
      const answer = await call(
        method.getCapacity,
        {
          volumeCapabilities: [...(params.capabilities ?? [])],
          parameters: params.parameters ?? {},
          ...(params.topology !== undefined && { accessibleTopology: params.topology }),
        },
        params,
        signal,
      );
      return {
        availableBytes: answer.availableCapacity,
        maximumVolumeBytes: answer.maximumVolumeSize,
        minimumVolumeBytes: answer.minimumVolumeSize,
      };
    },

    async controllerGetVolume(params, signal) {
      const { volume } = await call(method.controllerGetVolume, { volumeId: params.volumeId }, params, signal);
      return present(volume, `ControllerGetVolume of ${params.volumeId}`);
    },
  };
}

export async function askControllerCapabilities(
  call: Caller,
  params: CallParams,
): Promise<ReadonlySet<ControllerCapability>> {
  const { capabilities } = await call(Controller.method.controllerGetCapabilities, {}, params, undefined);
  const held = new Set(capabilities.map(({ type }) => (type.case === "rpc" ? type.value.type : undefined)));
  const names = Object.entries(ControllerServiceCapability_RPC_Type);
  return new Set(
    names.filter(([, number]) => number !== 0 && held.has(number)).map(([name]) => name as ControllerCapability),
  );
}

/** The driver's answer lacks what CSI demands of it. Whether the work was done, nobody knows. */
function present(volume: Volume | undefined, what: string): Volume {
  if (volume === undefined) throw new CsiError("Unavailable", `the driver answered ${what} without a volume`);
  return volume;
}
