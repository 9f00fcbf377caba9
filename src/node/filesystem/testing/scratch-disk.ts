/** A file of a given size as a block device, with a folder to mount it at; everything is given back by `remove`. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasTool, type SystemTool } from "../command.ts";
import { FILE_SYSTEMS, type FileSystemType } from "../kinds.ts";
import { attachLoop, detachLoop, rescanLoop } from "../loop-device.ts";
import { mountAt, readMounts, unmountLazily } from "../mounts.ts";

export interface ScratchDisk {
  readonly device: string;
  readonly folder: string;
  readonly mountPath: string;
  /** Makes the file, and with it the device, this large. */
  resize(bytes: bigint): Promise<void>;
  remove(): Promise<void>;
}

export async function scratchDisk(bytes: bigint): Promise<ScratchDisk> {
  const folder = mkdtempSync(join(tmpdir(), "outgrow-disk-"));
  const file = join(folder, "disk");
  const mountPath = join(folder, "mount");
  mkdirSync(mountPath);
  writeFileSync(file, "");
  truncateSync(file, Number(bytes));
  const device = await attachLoop(file);
  return {
    device,
    folder,
    mountPath,
    async resize(size) {
      truncateSync(file, Number(size));
      await rescanLoop(device);
    },
    async remove() {
      while (mountAt(await readMounts(), mountPath) !== undefined) await unmountLazily(mountPath);
      await detachLoop(device);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Why there can be no such disk here; undefined when there can. For `context.skip`. */
export function whyNoDisks(type?: FileSystemType): string | undefined {
  if (process.getuid?.() !== 0) return "only root may mount";
  if (!existsSync("/dev/loop-control")) return "there are no loop devices";
  const tools: readonly SystemTool[] = ["losetup", "blkid", ...(type === undefined ? [] : FILE_SYSTEMS[type].tools)];
  const missing = tools.find((tool) => !hasTool(tool));
  return missing === undefined ? undefined : `${missing} is missing`;
}
