/** Where the parts of a volume lie, in the folder that the records give it. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { CsiError } from "../../../csi/index.ts";
import type { Records } from "../kit/records.ts";

/** The file that is the volume, where it is a device. */
export function diskOf(records: Records, volumeId: string): string {
  return join(folderOf(records, volumeId), "disk");
}

/** The folder that is the volume, where it can be no more than that. */
export function filesOf(records: Records, volumeId: string): string {
  return join(folderOf(records, volumeId), "files");
}

function folderOf(records: Records, volumeId: string): string {
  const folder = records.folderOf(volumeId);
  if (folder === undefined) throw new TypeError("volumes with data need a folder");
  return folder;
}

/** Throws `FailedPrecondition` for a volume that was made in the other of the two ways: its data is not where we look. */
export async function mustBeThere(path: string, volumeId: string): Promise<void> {
  const there = await stat(path).catch(() => undefined);
  if (there !== undefined) return;
  throw new CsiError(
    "FailedPrecondition",
    `volume ${volumeId} has no ${path}: it was made where there were ${path.endsWith("disk") ? "no " : ""}loop devices; ` +
      "start this driver as it was started then, or delete the volume",
  );
}

/** What the file takes up of the disk, of all that it seems to have. */
export async function sparseUsage(file: string): Promise<{ total: bigint; used: bigint; available: bigint }> {
  const { size, blocks } = await stat(file, { bigint: true });
  const written = blocks * 512n;
  const used = written < size ? written : size;
  return { total: size, used, available: size - used };
}
