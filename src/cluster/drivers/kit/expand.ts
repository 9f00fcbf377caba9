/** Both halves of an expansion, with the faults that a class asks for. */
import { type CapacityRange, CsiError } from "../../../csi/index.ts";
import type { DriverContext } from "./context.ts";
import { readParameters } from "./parameters.ts";
import { refusalOf } from "./refusal.ts";
import { grantedSize, type SizeRules } from "./size.ts";
import type { VolumeRecord } from "./volume.ts";
import type { DriverWork } from "./work.ts";

export interface ControllerAnswer {
  readonly capacityBytes: bigint;
  readonly nodeExpansionRequired: boolean;
}

/**
 * The controller's half. A volume without one (`controllerExpansion: "false"`) is answered for as csi-resizer would: the
 * size is taken as given, and all is left to the node. One without a node half is grown all the way here.
 */
export async function expandOnController(
  { records, work, pause }: DriverContext,
  volumeId: string,
  range: CapacityRange,
): Promise<ControllerAnswer> {
  const volume = records.need(volumeId);
  const parameters = readParameters(volume.parameters);
  const bytes = grantedSize(range, sizeRulesOf(volume, work));
  const { controllerExpansion, nodeExpansion } = parameters;

  if (!controllerExpansion && nodeExpansion) {
    // Nothing is made yet, so a smaller wish after a failure may take a larger one back.
    const capacityBytes = bytes > volume.storageBytes ? bytes : volume.storageBytes;
    if (capacityBytes !== volume.capacityBytes) await records.put({ ...volume, capacityBytes });
    return { capacityBytes, nodeExpansionRequired: true };
  }
  let next = volume;
  if (bytes > volume.storageBytes || !controllerExpansion) {
    await pause(parameters.delayMs);
    const refusal = refusalOf({ volumeId, half: "controller", toBytes: bytes, usedAt: usedAt(volume) }, parameters);
    if (refusal !== undefined) throw refusal;
    await work.growStorage(volume, bytes);
    next = { ...volume, capacityBytes: bytes, storageBytes: bytes };
    await records.put(next);
  }
  if (!nodeExpansion && next.staged.length > 0 && next.nodeBytes < next.storageBytes) {
    await records.put({ ...next, nodeBytes: await work.growContent(next).catch(inDoubt) });
  }
  return { capacityBytes: next.capacityBytes, nodeExpansionRequired: nodeExpansion };
}

/**
 * The node's half: makes all that the storage has usable. A fault goes by the size that is asked for, so that a smaller
 * wish can succeed after a larger one was refused (KEP-1790), though the storage has the larger one already.
 */
export async function expandOnNode(
  { records, work, pause }: DriverContext,
  volumeId: string,
  range: CapacityRange | undefined,
): Promise<bigint> {
  const volume = records.need(volumeId);
  const parameters = readParameters(volume.parameters);
  const unasked = range === undefined || range.requiredBytes === 0n;
  const wanted = unasked ? volume.capacityBytes : grantedSize(range, sizeRulesOf(volume, work));
  if (wanted > volume.capacityBytes && parameters.controllerExpansion) {
    throw new CsiError(
      "OutOfRange",
      `volume ${volumeId} has ${volume.capacityBytes} bytes, not the ${wanted} asked for`,
    );
  }
  if (wanted <= volume.nodeBytes) return volume.nodeBytes;
  await pause(parameters.delayMs);
  const refusal = refusalOf({ volumeId, half: "node", toBytes: wanted, usedAt: usedAt(volume) }, parameters);
  if (refusal !== undefined) throw refusal;

  const next = wanted > volume.storageBytes ? await growStorageTo(volume, wanted, work) : volume;
  if (next !== volume) await records.put(next);
  const nodeBytes = await work.growContent(next);
  await records.put({ ...next, nodeBytes });
  return nodeBytes;
}

/** The storage has grown and only the rest has not: nobody may take that for an expansion that did not happen. */
function inDoubt(error: unknown): never {
  throw error instanceof CsiError ? new CsiError("Aborted", error.description, { cause: error }) : error;
}

/** The volume with storage of that size, which only a volume without a controller half is given on the node. */
export async function growStorageTo(volume: VolumeRecord, bytes: bigint, work: DriverWork): Promise<VolumeRecord> {
  await work.growStorage(volume, bytes);
  return { ...volume, storageBytes: bytes, capacityBytes: bytes > volume.capacityBytes ? bytes : volume.capacityBytes };
}

/** Whether staging may grow what is on the volume: not past a fault, else the fault would end with the pod's restart. */
export function mayGrowAtStage(volume: VolumeRecord): boolean {
  const parameters = readParameters(volume.parameters);
  if (!parameters.nodeExpansion) return true;
  const { id: volumeId, capacityBytes: toBytes } = volume;
  return refusalOf({ volumeId, half: "node", toBytes, usedAt: usedAt(volume) }, parameters) === undefined;
}

function sizeRulesOf(volume: VolumeRecord, work: DriverWork): SizeRules {
  const rules = work.sizeRules(volume);
  return { ...rules, stepBytes: readParameters(volume.parameters).roundToBytes ?? rules.stepBytes };
}

function usedAt(volume: VolumeRecord): readonly string[] {
  return volume.published.map(({ path }) => path);
}
