/**
 * `memory.csi.outgrow.dev`: volumes that are nothing but their size. Everything a driver can be asked for, every fault a class
 * can ask for, and no data: for tests, for rehearsals, and for thousands of volumes at once.
 */
import { type Driver, startDriver } from "../kit/driver.ts";
import { readParameters } from "../kit/parameters.ts";
import { openRecords, type Records } from "../kit/records.ts";
import type { DriverWork } from "../kit/work.ts";

export const MEMORY_DRIVER = "memory.csi.outgrow.dev";

export interface MemoryDriverOptions {
  /** The socket to serve on: a path, or `unix://` and a path. Its folder must be there. */
  readonly address: string;
  /** Where the volumes are remembered across restarts; left out, they end with the process. */
  readonly folder?: string;
  readonly version: string;
  readonly nodeId: string;
}

/** A volume that is there before anybody has created it through this driver. */
export interface AdoptedVolume {
  readonly volumeId: string;
  readonly capacityBytes: bigint;
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
 * Throws `CSI_ADDRESS_IN_USE`, `CSI_ADDRESS_INVALID`, or `FILE_UNUSABLE` for what is in the folder and cannot be read.
 */
export async function startMemoryDriver({
  address,
  folder,
  version,
  nodeId,
}: MemoryDriverOptions): Promise<MemoryDriver> {
  const records = await openRecords(folder === undefined ? {} : { folder });
  await records.sweep();
  for (const volume of records.all()) {
    if (volume.staged.length + volume.published.length > 0) await records.put({ ...volume, staged: [], published: [] });
  }
  const used = new Map<string, bigint>();
  const work = memoryWork(used);
  const driver = await startDriver({ name: MEMORY_DRIVER, version, address, nodeId, records, work });
  return {
    ...driver,
    setUsage: (volumeId, usedBytes) => void used.set(records.need(volumeId).id, usedBytes),
    adopt: (volume) => adopt(records, volume),
  };
}

async function adopt(records: Records, volume: AdoptedVolume): Promise<void> {
  const { volumeId, capacityBytes, access = "mount", parameters = {} } = volume;
  if (records.get(volumeId) !== undefined) return;
  await records.put({
    id: volumeId,
    name: volumeId,
    access,
    fsType: readParameters(parameters).fsType ?? "ext4",
    parameters,
    capacityBytes,
    storageBytes: capacityBytes,
    nodeBytes: capacityBytes,
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
    publish: nothing,
    unpublish: nothing,
    growContent: ({ storageBytes }) => Promise.resolve(storageBytes),
    usage({ id, nodeBytes: total }) {
      const said = usedBytes.get(id) ?? 0n;
      const used = said < total ? said : total;
      return Promise.resolve({ bytes: { total, used, available: total - used }, inodes: undefined });
    },
  };
}
