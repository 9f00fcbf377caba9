/**
 * Gives back all that a driver has taken of this machine for the volumes in its folder: mounts, devices, and the places where
 * they were published. At the end of a driver, and at the start of the next one for what a crash has left. What is not of this
 * folder is not touched.
 */
import { join } from "node:path";
import { messageOf } from "../../../core/errors.ts";
import type { Logger } from "../../../kube/logger.ts";
import {
  detachLoop,
  listLoops,
  type Mount,
  readMounts,
  unmount,
  unmountLazily,
} from "../../../node/filesystem/index.ts";
import type { Records } from "../kit/records.ts";
import { removeTarget } from "../kit/target.ts";
import { removeLink } from "./files-work.ts";
import { FLOOR, seenAt, shows } from "./mounting.ts";

export interface GiveBackOptions {
  /** Where the volumes are; a real path. */
  readonly folder: string;
  readonly records: Records;
  readonly log: Logger;
  /** False where nothing was ever mounted. */
  readonly devices: boolean;
}

/** Never throws for a single thing that cannot be given back: that is logged, and the next start tries again. */
export async function giveBack({ folder, records, log, devices }: GiveBackOptions): Promise<void> {
  const attempt = async (what: string, work: () => Promise<void>): Promise<void> => {
    await work().catch((error: unknown) => log.warn({ error: messageOf(error) }, `cannot give back ${what}`));
  };
  const targets = records.all().flatMap(({ published }) => published.map(({ path }) => path));
  if (devices) {
    const loops = (await listLoops()).filter(({ file }) => file.startsWith(join(folder, "/")));
    const isOurs = (mount: Mount): boolean => loops.some(({ device }) => shows(mount, device));
    // The last mount may lie on top of an earlier one.
    for (const mount of (await readMounts()).filter(isOurs).reverse()) {
      await attempt(mount.path, () => takeAway(mount.path, log));
    }
    for (const path of targets) {
      await attempt(path, async () => {
        while ((await seenAt(path))?.source === FLOOR) await takeAway(path, log);
      });
    }
    for (const { device } of loops) await attempt(device, () => detachLoop(device));
  }
  for (const volume of records.all()) {
    if (volume.staged.length + volume.published.length === 0) continue;
    for (const { path } of volume.published) {
      await attempt(path, async () => {
        await removeLink(path);
        await removeTarget(path);
      });
    }
    await attempt(`the record of ${volume.id}`, () => records.put({ ...volume, staged: [], published: [] }));
  }
}

async function takeAway(path: string, log: Logger): Promise<void> {
  if ((await unmount(path)) === "unmounted") return;
  log.warn({ path }, "somebody still uses this mount; it is out of sight now, and ends when they are done");
  await unmountLazily(path);
}
