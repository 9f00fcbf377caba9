/**
 * `memory.csi.outgrow.dev`: volumes that are nothing but their size. Everything a driver can be asked for, every fault a class
 * can ask for, and no data: for tests, for rehearsals, and for thousands of volumes at once.
 */
import { join } from "node:path";
import { type Driver, startDriver } from "../kit/driver.ts";
import { holdFolder } from "../kit/hold-folder.ts";
import { readParameters } from "../kit/parameters.ts";
import { openRecords, type Records } from "../kit/records.ts";
import { makeTarget, removeTarget } from "../kit/target.ts";
import type { DriverWork } from "../kit/work.ts";
import { MEMORY_DRIVER } from "../names.ts";

export interface MemoryDriverOptions {
  /** The socket to serve on: a path, or `unix://` and a path. Its folder must be there. */
  readonly address: string;
  /** Where the volumes are remembered across restarts, a folder of its own; left out, they end with the process. */
  readonly folder?: string;
  readonly version: string;
  readonly nodeId: string;
}

/** A volume that is there before anybody has created it through this driver. */
export interface AdoptedVolume {
  readonly volumeId: string;
  readonly capacityBytes: bigint;
  /** As large is what is on it. @default capacityBytes */
  readonly nodeBytes?: bigint;
  readonly access?: "mount" | "block";
  /** The same as of a StorageClass. */
  readonly parameters?: Readonly<Record<string, string>>;
}

export interface MemoryDriver extends Driver {
  /** Says how full a volume is, as `NodeGetVolumeStats` will tell it: at most as full as it is large. `NotFound`. */
  setUsage(volumeId: string, usedBytes: bigint): void;
  /** Takes a volume in, for clusters that were imported with theirs. One that is there already stays as it is. */
  adopt(volume: AdoptedVolume): Promise<void>;
}

/**
 * Serves until stopped. Where volumes are used is forgotten at the start: a node that finds its driver anew publishes anew.
 * Throws `CSI_ADDRESS_IN_USE`, `CSI_ADDRESS_INVALID`, or `FILE_UNUSABLE` for a folder that another driver has or that has
 * something in it which cannot be read.
 */
export async function startMemoryDriver(options: MemoryDriverOptions): Promise<MemoryDriver> {
  const { folder, ...rest } = options;
  const hold = folder === undefined ? undefined : await holdFolder(folder);
  try {
    const records = await openRecords(folder === undefined ? {} : { folder: join(folder, "volumes") });
    await records.sweep();
    await forgetUses(records);
    const used = new Map<string, bigint>();
    const driver = await startDriver({ ...rest, name: MEMORY_DRIVER, records, work: memoryWork(used) });
    let stopped: Promise<void> | undefined;
    const stop = async (): Promise<void> => {
      await driver.stop();
      await forgetUses(records);
      hold?.release();
    };
    return {
      ...driver,
      stop() {
        stopped ??= stop();
        return stopped;
      },
      setUsage: (volumeId, usedBytes) => void used.set(records.need(volumeId).id, usedBytes),
      adopt: (volume) => adopt(records, volume),
    };
  } catch (error) {
    hold?.release();
    throw error;
  }
}

/** Nobody uses any volume any more: the places where they were published go. */
async function forgetUses(records: Records): Promise<void> {
  for (const volume of records.all()) {
    if (volume.staged.length + volume.published.length === 0) continue;
    for (const { path } of volume.published) await removeTarget(path);
    await records.put({ ...volume, staged: [], published: [] });
  }
}

async function adopt(records: Records, volume: AdoptedVolume): Promise<void> {
  const { volumeId, capacityBytes, nodeBytes = capacityBytes, access = "mount", parameters = {} } = volume;
  if (records.get(volumeId) !== undefined) return;
  await records.put({
    id: volumeId,
    name: volumeId,
    access,
    fsType: readParameters(parameters).fsType ?? "ext4",
    parameters,
    capacityBytes,
    storageBytes: capacityBytes,
    nodeBytes,
    staged: [],
    published: [],
  });
}

const RULES = { defaultBytes: 2n ** 30n, minimumBytes: 1n, stepBytes: 1n };

function memoryWork(usedBytes: ReadonlyMap<string, bigint>): DriverWork {
  const nothing = (): Promise<void> => Promise.resolve();
  return {
    sizeRules: () => RULES,
    checkFileSystem() {},
    create: nothing,
    growStorage: nothing,
    availableBytes: () => Promise.resolve(undefined),
    stage: ({ storageBytes, nodeBytes }, _, mayGrow) =>
      Promise.resolve(mayGrow || nodeBytes === 0n ? storageBytes : nodeBytes),
    unstage: nothing,
    publish: ({ access }, { path }) => makeTarget(path, access),
    unpublish: (_, path) => removeTarget(path),
    growContent: ({ storageBytes }) => Promise.resolve(storageBytes),
    usage({ id, nodeBytes: total }) {
      const said = usedBytes.get(id) ?? 0n;
      const used = said < total ? said : total;
      return Promise.resolve({ bytes: { total, used, available: total - used }, inodes: undefined });
    },
  };
}
