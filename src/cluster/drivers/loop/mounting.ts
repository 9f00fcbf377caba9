/** The mounts of one volume: staged with its file system, bound to where it is published. */
import { mkdir, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { CsiError } from "../../../csi/index.ts";
import {
  bindMount,
  type Mount,
  mountAt,
  mountDevice,
  readMounts,
  runTool,
  unmount,
} from "../../../node/filesystem/index.ts";
import { makeTarget } from "../kit/target.ts";
import type { Publication, Stage, VolumeRecord } from "../kit/volume.ts";

/** A volume as the kernel has it. */
export interface MountedVolume {
  readonly volume: VolumeRecord;
  readonly device: string;
  /** What to mount it as. */
  readonly type: string;
  /** It must be unmounted for a moment to grow, so there must be a floor below where it is published. */
  readonly needsFloor: boolean;
}

/**
 * The name of what lies below a volume that may be taken away for a moment: an empty, read-only folder. Without it somebody who
 * writes in just that moment would write below the mount, where nobody finds it again.
 */
export const FLOOR = "outgrow.dev";

/** Whether a mount shows this device: its file system, or, as a raw block volume, the device itself. */
export function shows(mount: Mount | undefined, device: string): boolean {
  if (mount === undefined) return false;
  return mount.source === device || (mount.root === `/${basename(device)}` && /^(devtmpfs|tmpfs)$/.test(mount.type));
}

/** What is seen at a path. The kernel knows mounts by their real paths, callers by whatever leads there. */
export async function seenAt(path: string): Promise<Mount | undefined> {
  const folder = await realpath(dirname(path)).catch(() => undefined);
  return folder === undefined ? undefined : mountAt(await readMounts(), join(folder, basename(path)));
}

export async function mountStage(
  { device, type }: MountedVolume,
  { path, readOnly, mountFlags }: Stage,
): Promise<void> {
  if (shows(await seenAt(path), device)) return;
  await mkdir(path, { recursive: true });
  await mountDevice(device, path, type, [...mountFlags, ...(readOnly ? ["ro"] : [])]);
}

export async function mountPublication(
  mounted: MountedVolume,
  { path, stagedAt, readOnly }: Publication,
): Promise<void> {
  const { volume, device, needsFloor } = mounted;
  const there = await seenAt(path);
  if (shows(there, device)) return;
  await makeTarget(path, volume.access);
  if (volume.access === "block") return bindMount(device, path);
  if (needsFloor && there?.source !== FLOOR) {
    await runTool("mount", ["-t", "tmpfs", "-o", "ro,size=4k,mode=0555", FLOOR, path]);
  }
  await bindMount(stagedAt, path, readOnly);
}

/** Takes away all that we have mounted at a path. Throws `FailedPrecondition` while somebody uses it. */
export async function unmountAll(path: string, device: string | undefined): Promise<void> {
  for (;;) {
    const there = await seenAt(path);
    const ours = there?.source === FLOOR || (device !== undefined && shows(there, device));
    if (!ours) return;
    if ((await unmount(path)) === "busy") throw inUse(path);
  }
}

/** Puts back whatever of the volume is not mounted where it should be. */
export async function mountEverything(mounted: MountedVolume): Promise<void> {
  for (const stage of mounted.volume.staged) await mountStage(mounted, stage);
  for (const publication of mounted.volume.published) await mountPublication(mounted, publication);
}

/** Takes the volume away from everywhere, floors excepted. `FailedPrecondition`, and nothing has changed, while it is used. */
export async function unmountEverything(mounted: MountedVolume): Promise<void> {
  const { volume, device } = mounted;
  const paths = [...volume.published, ...volume.staged].map(({ path }) => path);
  for (const path of paths) {
    if (!shows(await seenAt(path), device)) continue;
    if ((await unmount(path)) === "busy") {
      await mountEverything(mounted);
      throw inUse(path);
    }
  }
}

function inUse(path: string): CsiError {
  return new CsiError("FailedPrecondition", `somebody has a file open below ${path}, or stands in a folder there`);
}
