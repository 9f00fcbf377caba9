/**
 * What a driver knows of its volumes: in memory, and in one small file each, so that it is known after a restart. A file is
 * written beside its place and then renamed: it is whole, or it is the one before.
 */
import { createHash } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { messageOf, OutgrowError } from "../../../core/errors.ts";
import { CsiError } from "../../../csi/index.ts";
import { fromText, toText, type VolumeRecord } from "./volume.ts";

export interface RecordsOptions {
  /** One folder per volume is in here; left out, nothing is kept beyond the life of the process. */
  readonly folder?: string;
  /** Bring each record to the disk before it counts: for volumes with data, which must not outlive what is known of them. */
  readonly durable?: boolean;
}

export interface Records {
  get(volumeId: string): VolumeRecord | undefined;
  /** The volume, or `NotFound`. */
  need(volumeId: string): VolumeRecord;
  /** In the order of their ids. */
  all(): readonly VolumeRecord[];
  /** Writes the volume, new or changed. When this returns it is what `get` gives; when it throws, nothing has changed. */
  put(volume: VolumeRecord): Promise<void>;
  /** Forgets the volume; its folder with whatever is in it goes too. One that is not there is fine. */
  remove(volumeId: string): Promise<void>;
  /**
   * Removes the folders without a record: what a crash has left of volumes that were being made or removed. To be called
   * when nothing can be mounted below them.
   */
  sweep(): Promise<void>;
  /** The folder of a volume, made for it before it is first written; undefined where nothing is kept. */
  folderOf(volumeId: string): string | undefined;
}

const RECORD = "volume.json";

/**
 * Reads what is there. Throws `FILE_UNUSABLE` for a record that cannot be read: there may be data beside it.
 */
export async function openRecords({ folder, durable = false }: RecordsOptions): Promise<Records> {
  const volumes = folder === undefined ? new Map<string, VolumeRecord>() : await readAll(folder);
  const folderOf = (volumeId: string): string | undefined =>
    folder === undefined ? undefined : join(folder, folderName(volumeId));

  return {
    get: (volumeId) => volumes.get(volumeId),
    need(volumeId) {
      const volume = volumes.get(volumeId);
      if (volume === undefined) throw new CsiError("NotFound", `volume ${volumeId} is not there`);
      return volume;
    },
    all: () => [...volumes.values()].sort((a, b) => (a.id < b.id ? -1 : 1)),
    folderOf,
    async put(volume) {
      const own = folderOf(volume.id);
      if (own !== undefined) {
        if (!volumes.has(volume.id)) await mkdir(own, { recursive: true, mode: 0o700 });
        await replaceFile(join(own, RECORD), toText(volume), durable);
      }
      volumes.set(volume.id, volume);
    },
    async sweep() {
      if (folder === undefined) return;
      const known = new Set([...volumes.keys()].map(folderName));
      for (const name of await readdir(folder)) {
        if (!known.has(name)) await rm(join(folder, name), { recursive: true, force: true });
      }
    },
    async remove(volumeId) {
      const own = volumes.has(volumeId) ? folderOf(volumeId) : undefined;
      if (own !== undefined) {
        // The record first: without it the rest is a leftover, which the next start removes.
        await rm(join(own, RECORD), { force: true });
        await rm(own, { recursive: true, force: true });
      }
      volumes.delete(volumeId);
    },
  };
}

async function readAll(folder: string): Promise<Map<string, VolumeRecord>> {
  const volumes = new Map<string, VolumeRecord>();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of await readdir(folder)) {
    const file = join(folder, name, RECORD);
    const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
      throw error;
    });
    if (text === undefined) continue;
    try {
      const volume = fromText(text);
      volumes.set(volume.id, volume);
    } catch (error) {
      throw new OutgrowError(
        "FILE_UNUSABLE",
        `${file} cannot be read: ${messageOf(error)}; restore it, or move its folder away to go on without that volume`,
        { cause: error },
      );
    }
  }
  return volumes;
}

/** An id may be any text; one that could not be the name of a folder, or could be another's, is given a name of its own. */
function folderName(volumeId: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(volumeId)) return volumeId;
  return `volume.${createHash("sha256").update(volumeId).digest("hex").slice(0, 40)}`;
}

async function replaceFile(file: string, text: string, durable: boolean): Promise<void> {
  const draft = `${file}.new`;
  const handle = await open(draft, "w", 0o600);
  try {
    await handle.writeFile(text);
    if (durable) await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, file);
}
