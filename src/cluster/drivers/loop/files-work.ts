/**
 * Volumes where nothing can be mounted: a folder each, with a link to it where it is published. Sizes are kept and answered
 * for, but nothing keeps a program from writing more than fits.
 */
import { mkdir, readdir, readlink, rmdir, stat, symlink, unlink } from "node:fs/promises";
import { join } from "node:path";
import { measureUsage } from "../../../node/filesystem/index.ts";
import type { Records } from "../kit/records.ts";
import type { VolumeRecord } from "../kit/volume.ts";
import type { DriverWork } from "../kit/work.ts";
import { diskOf, filesOf, mustBeThere, sparseUsage } from "./layout.ts";
import { growSparse, makeSparse } from "./sparse-file.ts";

const RULES = { defaultBytes: 2n ** 30n, minimumBytes: 4096n, stepBytes: 4096n };

export function filesWork(records: Records, folder: string): DriverWork {
  const isBlock = (volume: VolumeRecord): boolean => volume.access === "block";
  const contentOf = (volume: VolumeRecord): string =>
    isBlock(volume) ? diskOf(records, volume.id) : filesOf(records, volume.id);
  return {
    sizeRules: () => RULES,
    checkFileSystem() {},
    async create(volume) {
      const own = isBlock(volume) ? join(contentOf(volume), "..") : contentOf(volume);
      await mkdir(own, { recursive: true, mode: 0o700 });
      if (isBlock(volume)) await makeSparse(contentOf(volume), volume.storageBytes);
    },
    async growStorage(volume, bytes) {
      if (isBlock(volume)) await growSparse(contentOf(volume), bytes);
    },
    availableBytes: async () => (await measureUsage(folder)).bytes.available,
    async stage(volume, _, mayGrow) {
      await mustBeThere(contentOf(volume), volume.id);
      return mayGrow || volume.nodeBytes === 0n ? volume.storageBytes : volume.nodeBytes;
    },
    unstage: () => Promise.resolve(),
    publish: (volume, { path }) => link(contentOf(volume), path),
    unpublish: (_, path) => removeLink(path),
    growContent: (volume) => Promise.resolve(volume.storageBytes),
    async usage(volume) {
      if (isBlock(volume)) return { bytes: await sparseUsage(contentOf(volume)), inodes: undefined };
      const [total, used] = [volume.nodeBytes, await bytesBelow(contentOf(volume))];
      return { bytes: { total, used, available: total > used ? total - used : 0n }, inodes: undefined };
    },
  };
}

async function link(content: string, path: string): Promise<void> {
  if ((await linkAt(path)) === content) return;
  // A folder that was made for the mount; one with something in it is not ours to remove.
  await rmdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
  await symlink(content, path);
}

/** Removes the link; anything else that lies there stays. */
export async function removeLink(path: string): Promise<void> {
  if ((await linkAt(path)) !== undefined) await unlink(path);
}

async function linkAt(path: string): Promise<string | undefined> {
  return readlink(path).catch(() => undefined);
}

async function bytesBelow(folder: string): Promise<bigint> {
  let sum = 0n;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    // It may be gone by now.
    sum += await stat(join(entry.parentPath, entry.name), { bigint: true }).then(
      ({ size }) => size,
      () => 0n,
    );
  }
  return sum;
}
