/** What is mounted where, as the kernel says it, and changing that. */
import { readFile } from "node:fs/promises";
import { runTool, toolFailed } from "./command.ts";

export interface Mount {
  /** Where it is. */
  readonly path: string;
  /** What of the file system is seen there: `/` for all of it, else the folder or file that was bound. */
  readonly root: string;
  readonly type: string;
  /** The device, or whatever name it was mounted under. */
  readonly source: string;
  readonly readOnly: boolean;
}

/** Every mount that this process sees, in the order they were made: of several at one path, the last is what is seen. */
export async function readMounts(): Promise<readonly Mount[]> {
  return parseMounts(await readFile("/proc/self/mountinfo", "utf8"));
}

/** Reads the form of `/proc/self/mountinfo` (proc(5)). */
export function parseMounts(text: string): readonly Mount[] {
  return text.split("\n").flatMap((line) => {
    const [before, after] = line.split(" - ");
    const [, , , root, path, options] = before?.split(" ") ?? [];
    const [type, source] = after?.split(" ") ?? [];
    if (root === undefined || path === undefined || type === undefined || source === undefined) return [];
    const readOnly = options?.split(",").includes("ro") ?? false;
    return [{ path: unescaped(path), root: unescaped(root), type, source: unescaped(source), readOnly }];
  });
}

/** The mount that is seen at this very path; undefined where nothing is mounted. */
export function mountAt(mounts: readonly Mount[], path: string): Mount | undefined {
  return mounts.findLast((mount) => mount.path === path);
}

export async function mountDevice(
  device: string,
  path: string,
  type: string,
  options: readonly string[] = [],
): Promise<void> {
  await runTool("mount", ["-t", type, ...optionArgs(options), device, path]);
}

/** Makes what is at one path be seen at another too. */
export async function bindMount(from: string, to: string, readOnly = false): Promise<void> {
  await runTool("mount", optionArgs(["bind", ...(readOnly ? ["ro"] : [])]).concat([from, to]));
}

/** umount's one exit code for whatever the kernel refused. */
const REFUSED = 32;

/**
 * Takes away the topmost mount at this path. `busy`: somebody has a file open there, or stands in a folder of it; nothing
 * has changed. Where nothing is mounted it is fine.
 */
export async function unmount(path: string): Promise<"unmounted" | "busy"> {
  const { exitCode, said } = await runTool("umount", [path], { accept: [0, REFUSED] });
  if (exitCode === 0 || /not mounted|no mount point/.test(said)) return "unmounted";
  if (said.includes("busy")) return "busy";
  throw toolFailed("umount", [path], said, `exit code ${exitCode}`);
}

/** Takes the topmost mount away from sight at once; the kernel lets go of it when its last user is gone. */
export async function unmountLazily(path: string): Promise<void> {
  await runTool("umount", ["--lazy", path]);
}

function optionArgs(options: readonly string[]): string[] {
  return options.length === 0 ? [] : ["-o", options.join(",")];
}

/** Blanks and the like are written as three octal digits there. */
function unescaped(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}
