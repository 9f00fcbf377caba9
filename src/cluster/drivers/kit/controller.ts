/** The controller service of our drivers. */
import { semanticallyEqual } from "../../../core/semantic-equal.ts";
import {
  type ControllerHandlers,
  type CreateVolumeRequest,
  CsiError,
  type ListVolumesRequest,
  ControllerServiceCapability_RPC_Type as Rpc,
} from "../../../csi/index.ts";
import type { DriverContext } from "./context.ts";
import { expandOnController } from "./expand.ts";
import { readParameters } from "./parameters.ts";
import { required, useOf, useOfAll } from "./requests.ts";
import { grantedSize } from "./size.ts";
import type { VolumeRecord } from "./volume.ts";

const ABILITIES = [Rpc.CREATE_DELETE_VOLUME, Rpc.LIST_VOLUMES, Rpc.GET_CAPACITY, Rpc.EXPAND_VOLUME];

export function controllerHandlers(context: DriverContext): ControllerHandlers {
  const { records, turns, work } = context;
  return {
    controllerGetCapabilities: () => ({
      capabilities: ABILITIES.map((type) => ({ type: { case: "rpc" as const, value: { type } } })),
    }),

    async createVolume(request) {
      const wanted = describe(request);
      const volume = await turns.take(wanted.id, async () => {
        const there = records.get(wanted.id);
        if (there !== undefined) return mustBeTheSame(there, wanted, request);
        if (wanted.access === "mount") work.checkFileSystem(wanted.fsType);
        const rules = work.sizeRules(wanted);
        const { roundToBytes = rules.stepBytes } = readParameters(wanted.parameters);
        const bytes = grantedSize(request.capacityRange, { ...rules, stepBytes: roundToBytes });
        const made = { ...wanted, capacityBytes: bytes, storageBytes: bytes };
        await work.create(made);
        await records.put(made);
        return made;
      });
      return { volume: asVolume(volume) };
    },

    async deleteVolume(request) {
      const volumeId = required("volume_id", request.volumeId);
      await turns.take(volumeId, async () => {
        const volume = records.get(volumeId);
        if (volume === undefined) return;
        if (volume.staged.length > 0) {
          const where = volume.staged.map(({ path }) => path).join(", ");
          throw new CsiError("FailedPrecondition", `volume ${volumeId} is still staged at ${where}`);
        }
        await records.remove(volumeId);
      });
      return {};
    },

    validateVolumeCapabilities(request) {
      const volume = records.need(required("volume_id", request.volumeId));
      const { access } = useOfAll(request.volumeCapabilities);
      if (access !== volume.access) return { message: `it is a ${volume.access} volume` };
      const other = request.volumeCapabilities
        .map(useOf)
        .find(({ fsType }) => fsType !== "" && fsType !== volume.fsType);
      if (other !== undefined) return { message: `its file system is ${volume.fsType}, not ${other.fsType}` };
      const { volumeCapabilities, volumeContext, parameters } = request;
      return { confirmed: { volumeCapabilities, volumeContext, parameters } };
    },

    listVolumes: (request) => listPage(records.all(), request),

    async getCapacity() {
      // 2^63-1 stands for "as much as you like": CSI has no other word for it.
      return { availableCapacity: (await work.availableBytes()) ?? 2n ** 63n - 1n };
    },

    async controllerExpandVolume(request) {
      const volumeId = required("volume_id", request.volumeId);
      const { capacityRange } = request;
      if (capacityRange === undefined) throw new CsiError("InvalidArgument", "capacity_range is missing");
      return turns.take(volumeId, () => expandOnController(context, volumeId, capacityRange));
    },
  };
}

/** The volume that a request asks for, without a size. */
function describe(request: CreateVolumeRequest): VolumeRecord {
  const name = required("name", request.name);
  const { access, fsType } = useOfAll(request.volumeCapabilities);
  const parameters = readParameters(request.parameters);
  return {
    id: name,
    name,
    access,
    fsType: parameters.fsType ?? (fsType || "ext4"),
    parameters: request.parameters,
    capacityBytes: 0n,
    storageBytes: 0n,
    nodeBytes: 0n,
    staged: [],
    published: [],
  };
}

/** Asking again for a volume that is there gives it, if it is what is asked for; else it is `AlreadyExists`. */
function mustBeTheSame(
  there: VolumeRecord,
  wanted: VolumeRecord,
  { capacityRange }: CreateVolumeRequest,
): VolumeRecord {
  const { requiredBytes = 0n, limitBytes = 0n } = capacityRange ?? {};
  const sizeFits = requiredBytes <= there.capacityBytes && (limitBytes === 0n || there.capacityBytes <= limitBytes);
  const sameParameters = semanticallyEqual(there.parameters, wanted.parameters);
  const difference = !sizeFits
    ? `${there.capacityBytes} bytes large`
    : there.access !== wanted.access
      ? `a ${there.access} volume`
      : there.fsType !== wanted.fsType || !sameParameters
        ? "made with other parameters"
        : undefined;
  if (difference === undefined) return there;
  throw new CsiError("AlreadyExists", `volume ${there.name} is there already, and is ${difference}`);
}

/** A token is the last volume of the page before, which may be gone by then. */
const TOKEN = /^after:(.+)$/;

function listPage(volumes: readonly VolumeRecord[], { maxEntries, startingToken }: ListVolumesRequest) {
  if (maxEntries < 0) throw new CsiError("InvalidArgument", "max_entries is below zero");
  const after = TOKEN.exec(startingToken)?.[1];
  if (startingToken !== "" && after === undefined) {
    throw new CsiError("Aborted", `starting_token ${startingToken} is none of ours; begin anew without one`);
  }
  const rest = after === undefined ? volumes : volumes.filter(({ id }) => id > after);
  const page = maxEntries === 0 ? rest : rest.slice(0, maxEntries);
  return {
    entries: page.map((volume) => ({ volume: asVolume(volume) })),
    nextToken: page.length < rest.length ? `after:${page.at(-1)?.id ?? ""}` : "",
  };
}

function asVolume({ id, capacityBytes, parameters }: VolumeRecord) {
  return { volumeId: id, capacityBytes, volumeContext: { ...parameters } };
}
