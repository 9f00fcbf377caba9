/** Volumes on real file systems: a sparse file is a loop device, the device is mounted, the mount is bound to the pod's path. */
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { CsiError } from "../../../csi/index.ts";
import {
  attachLoop,
  detachLoop,
  detectContent,
  FILE_SYSTEMS,
  type FileSystemAbilities,
  growFileSystem,
  isFileSystemType,
  loopOf,
  measureUsage,
  readMounts,
  rescanLoop,
} from "../../../node/filesystem/index.ts";
import type { Records } from "../kit/records.ts";
import { removeTarget } from "../kit/target.ts";
import type { VolumeRecord } from "../kit/volume.ts";
import type { DriverWork } from "../kit/work.ts";
import { diskOf, mustBeThere, sparseUsage } from "./layout.ts";
import {
  type MountedVolume,
  mountEverything,
  mountPublication,
  mountStage,
  shows,
  unmountAll,
  unmountEverything,
} from "./mounting.ts";
import { growSparse, makeSparse } from "./sparse-file.ts";

export interface DiskOptions {
  readonly records: Records;
  /** The folder that all files are in. */
  readonly folder: string;
  readonly abilities: FileSystemAbilities;
  /** See `GrowRequest.resizeTool`. */
  readonly resizeTool?: string;
}

const BLOCK = 4096n;

export function diskWork(options: DiskOptions): DriverWork {
  const { records, folder, abilities, resizeTool } = options;
  const disk = (volume: VolumeRecord): string => diskOf(records, volume.id);
  const tool = resizeTool === undefined ? {} : { resizeTool };

  const mounted = (volume: VolumeRecord, device: string, type: string): MountedVolume => {
    const online = resizeTool !== undefined || (isFileSystemType(type) && abilities[type].online);
    return { volume, device, type, needsFloor: !online };
  };

  /** The volume with its device, which it must have by now. */
  const find = async (volume: VolumeRecord): Promise<MountedVolume> => {
    const device = await loopOf(disk(volume));
    if (device === undefined) throw new CsiError("FailedPrecondition", `volume ${volume.id} is not staged`);
    const content = volume.access === "block" ? undefined : await detectContent(device);
    return mounted(volume, device, content?.kind === "file-system" ? content.type : volume.fsType);
  };

  /** Grows a file system that cannot be grown while it is mounted: it is taken away for that moment, if nobody uses it. */
  const growBetweenMounts = async (at: MountedVolume, why: string): Promise<void> => {
    try {
      await unmountEverything(at);
    } catch (error) {
      if (!(error instanceof CsiError)) throw error;
      throw new CsiError(error.code, `volume ${at.volume.id} cannot grow now: ${error.description}; ${why}`);
    }
    try {
      await growFileSystem({ device: at.device, ...tool }, abilities);
    } finally {
      await mountEverything(at);
    }
  };

  return {
    sizeRules: ({ access, fsType }) => ({
      defaultBytes: 2n ** 30n,
      minimumBytes: access === "mount" && isFileSystemType(fsType) ? FILE_SYSTEMS[fsType].minimumBytes : BLOCK,
      stepBytes: BLOCK,
    }),

    checkFileSystem(type) {
      if (!isFileSystemType(type)) throw new CsiError("InvalidArgument", `file system ${type} is not known (fsType)`);
      const { usable, why = "" } = abilities[type];
      if (!usable) throw new CsiError("InvalidArgument", `file system ${type} (fsType) cannot be had here: ${why}`);
    },

    async create(volume) {
      await mkdir(dirname(disk(volume)), { recursive: true, mode: 0o700 });
      await makeSparse(disk(volume), volume.storageBytes);
    },

    growStorage: (volume, bytes) => growSparse(disk(volume), bytes),
    availableBytes: async () => (await measureUsage(folder)).bytes.available,

    async stage(volume, stage, mayGrow) {
      await mustBeThere(disk(volume), volume.id);
      const { storageBytes, nodeBytes } = volume;
      if (volume.access === "block") {
        await attachLoop(disk(volume));
        return mayGrow || nodeBytes === 0n ? storageBytes : nodeBytes;
      }
      const device = await attachForMount(disk(volume), volume);
      const at = mounted(volume, device, await typeOn(device, volume, stage.readOnly));
      const grow = mayGrow && nodeBytes > 0n && nodeBytes < storageBytes;
      if (!grow) {
        await mountStage(at, stage);
        return nodeBytes === 0n ? storageBytes : nodeBytes;
      }
      await rescanLoop(device);
      const early = (await isMounted(device)) ? undefined : await growFileSystem({ device, ...tool }, abilities);
      await mountStage(at, stage);
      if (early?.kind === "grown") return storageBytes;
      const late = await growFileSystem({ device, mountPath: stage.path, ...tool }, abilities);
      return late.kind === "grown" ? storageBytes : nodeBytes;
    },

    async unstage(volume, path) {
      const device = await loopOf(disk(volume));
      await unmountAll(path, device);
      if (device !== undefined && volume.staged.every((stage) => stage.path === path)) await detachLoop(device);
    },

    async publish(volume, publication) {
      if (volume.access === "block" && publication.readOnly) {
        throw new CsiError(
          "InvalidArgument",
          `volume ${volume.id} is a raw block volume, which cannot be read-only here`,
        );
      }
      await mountPublication(await find(volume), publication);
    },

    async unpublish(volume, path) {
      await unmountAll(path, await loopOf(disk(volume)));
      await removeTarget(path);
    },

    async growContent(volume) {
      const at = await find(volume);
      await rescanLoop(at.device);
      if (volume.access === "block") return volume.storageBytes;
      // An earlier attempt may have been cut off between its unmounting and its mounting.
      await mountEverything(at);
      const writable = volume.staged.find((stage) => !stage.readOnly);
      const { path: mountPath, readOnly } = writable ?? { path: volume.staged[0]?.path ?? "", readOnly: true };
      const growth = await growFileSystem({ device: at.device, mountPath, readOnly, ...tool }, abilities);
      switch (growth.kind) {
        case "grown":
          return volume.storageBytes;
        case "unmount-first":
          await growBetweenMounts(at, growth.why);
          return volume.storageBytes;
        case "read-only":
          throw new CsiError(
            "FailedPrecondition",
            `volume ${volume.id} is mounted read-only; nothing is grown through that`,
          );
        case "no-file-system":
        case "mount-first":
        case "unsupported":
          throw new CsiError("Internal", `what is on volume ${volume.id} cannot be grown (${growth.kind})`);
      }
    },

    async usage(volume, path) {
      if (volume.access === "block") return { bytes: await sparseUsage(disk(volume)), inodes: undefined };
      return measureUsage(path);
    },
  };
}

/**
 * A volume that was never staged to the end has nothing on it that anybody could have written. What an interrupted mkfs may
 * have left is wiped, so that a file system is either whole or not there.
 */
async function attachForMount(file: string, { nodeBytes, storageBytes }: VolumeRecord): Promise<string> {
  const there = await loopOf(file);
  if (nodeBytes > 0n || (there !== undefined && (await isMounted(there)))) return there ?? attachLoop(file);
  if (there !== undefined) await detachLoop(there);
  if ((await loopOf(file)) !== undefined) {
    // A tool that outlived its driver may still be writing.
    throw new CsiError("Aborted", `${file} is still in use from before; try again`);
  }
  await makeSparse(file, storageBytes);
  return attachLoop(file);
}

async function isMounted(device: string): Promise<boolean> {
  return (await readMounts()).some((mount) => shows(mount, device));
}

/** The file system on the device; made where there is none. Throws `FailedPrecondition` for anything that is not ours to touch. */
async function typeOn(device: string, volume: VolumeRecord, readOnly: boolean): Promise<string> {
  const content = await detectContent(device);
  const { id, fsType, nodeBytes } = volume;
  if (content.kind === "file-system") return content.type;
  if (content.kind === "something-else") {
    throw new CsiError(
      "FailedPrecondition",
      `volume ${id} holds no file system but ${content.description}; it is left alone`,
    );
  }
  if (nodeBytes > 0n) {
    throw new CsiError(
      "FailedPrecondition",
      `volume ${id} has lost its file system; it is not formatted a second time`,
    );
  }
  if (readOnly) {
    throw new CsiError(
      "FailedPrecondition",
      `volume ${id} has no file system yet, and none is made for a read-only use`,
    );
  }
  if (!isFileSystemType(fsType))
    throw new CsiError("Internal", `volume ${id} should have ${fsType}, which is not known`);
  await FILE_SYSTEMS[fsType].make(device);
  return fsType;
}
