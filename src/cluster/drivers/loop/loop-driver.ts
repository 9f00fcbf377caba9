/**
 * `loop.csi.outgrow.dev`: volumes with real file systems on this machine. Where nothing can be mounted (no root, no loop
 * devices) it serves plain folders instead, and says so.
 */
import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "../../../kube/logger.ts";
import {
  type FileSystemAbilities,
  hasTool,
  limitsOf,
  probeAbilities,
  waitForOrphans,
} from "../../../node/filesystem/index.ts";
import { type Driver, startDriver } from "../kit/driver.ts";
import { holdFolder } from "../kit/hold-folder.ts";
import { openRecords, type Records } from "../kit/records.ts";
import type { DriverWork } from "../kit/work.ts";
import { LOOP_DRIVER } from "../names.ts";
import { diskWork } from "./disk-work.ts";
import { filesWork } from "./files-work.ts";
import { giveBack } from "./give-back.ts";

export interface LoopDriverOptions {
  /** The socket to serve on: a path, or `unix://` and a path. Its folder must be there. */
  readonly address: string;
  /** Where the volumes are kept; made when it is not there. Only one driver at a time can have it. */
  readonly folder: string;
  readonly version: string;
  readonly nodeId: string;
  readonly log: Logger;
  /** A program to run instead of the tools that grow file systems: see `GrowRequest.resizeTool`. */
  readonly resizeTool?: string;
  /**
   * Use loop devices, or plain folders.
   * @default loop devices where this process can mount them
   */
  readonly medium?: "devices" | "folders";
}

export interface LoopDriver extends Driver {
  readonly medium: "devices" | "folders";
  /** What each file system can do here; for choosing one that grows online. */
  readonly abilities: FileSystemAbilities;
}

/** How long to wait for what a killed driver has left running. */
const PATIENCE_MS = 30_000;

/**
 * Serves until stopped, and gives back what an earlier driver of the same folder has left behind before it does. `stop` gives
 * back everything but the volumes. Throws `CSI_ADDRESS_IN_USE`, `CSI_ADDRESS_INVALID`, or `FILE_UNUSABLE`.
 */
export async function startLoopDriver(options: LoopDriverOptions): Promise<LoopDriver> {
  const { address, version, nodeId, log } = options;
  const hold = await holdFolder(options.folder);
  const folder = await realpath(options.folder);
  try {
    const why = whyNoDevices();
    const medium = options.medium ?? (why === undefined ? "devices" : "folders");
    const abilities = probeAbilities();
    const records = await openRecords({ folder: join(folder, "volumes"), durable: true });
    const leftovers = { folder, records, log, devices: why === undefined };
    const orphans = why === undefined ? await waitForOrphans(PATIENCE_MS) : [];
    if (orphans.length > 0)
      log.warn({ orphans }, "programs of an earlier driver are still at work; going on without them");
    await giveBack(leftovers);
    await records.sweep();
    sayLimits(medium, why, abilities, log);

    const work = medium === "devices" ? disksOf(options, folder, records, abilities) : filesWork(records, folder);
    const driver = await startDriver({ name: LOOP_DRIVER, version, address, nodeId, records, work });
    let stopped: Promise<void> | undefined;
    const stop = async (): Promise<void> => {
      await driver.stop();
      await giveBack(leftovers);
      hold.release();
    };
    return {
      ...driver,
      medium,
      abilities,
      stop() {
        stopped ??= stop();
        return stopped;
      },
    };
  } catch (error) {
    hold.release();
    throw error;
  }
}

function disksOf(
  { resizeTool }: LoopDriverOptions,
  folder: string,
  records: Records,
  abilities: FileSystemAbilities,
): DriverWork {
  return diskWork({ records, folder, abilities, ...(resizeTool !== undefined && { resizeTool }) });
}

function whyNoDevices(): string | undefined {
  if (process.geteuid?.() !== 0) return "this process is not root";
  if (!existsSync("/dev/loop-control")) return "this machine has no loop devices";
  const missing = (["losetup", "mount", "umount", "blkid"] as const).find((tool) => !hasTool(tool));
  return missing === undefined ? undefined : `${missing} is not there`;
}

/** Once, at the start: what people would otherwise find out by waiting for it. */
function sayLimits(
  medium: LoopDriver["medium"],
  why: string | undefined,
  abilities: FileSystemAbilities,
  log: Logger,
): void {
  if (medium === "folders") {
    log.warn(
      `volumes of ${LOOP_DRIVER} are plain folders: ${why ?? "so it was asked for"}; sizes are kept, not enforced`,
    );
    return;
  }
  for (const limit of limitsOf(abilities)) log.warn(limit);
}
