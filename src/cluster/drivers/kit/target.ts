/** The file or folder at which a volume is published: CSI has the driver make it, and take it away again. */
import { mkdir, open, rmdir, unlink } from "node:fs/promises";
import type { VolumeRecord } from "./volume.ts";

/** A folder for a file system, a file for a raw block volume. What is there already will do. */
export async function makeTarget(path: string, access: VolumeRecord["access"]): Promise<void> {
  if (access === "mount") await mkdir(path, { recursive: true });
  else await (await open(path, "a", 0o600)).close();
}

/** A folder with something in it stays: that is nobody's volume, and not ours to remove. */
export async function removeTarget(path: string): Promise<void> {
  try {
    await rmdir(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOTDIR") await unlink(path);
    else if (code !== "ENOENT" && code !== "ENOTEMPTY") throw error;
  }
}
