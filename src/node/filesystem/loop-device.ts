/** Files as block devices. */
import { runTool, toolFailed } from "./command.ts";

export interface LoopDevice {
  readonly device: string;
  /** The file behind it, also when that is deleted meanwhile. */
  readonly file: string;
}

/** Makes the file a block device. A file that is one already gives the same device again. */
export async function attachLoop(file: string): Promise<string> {
  const { stdout } = await runTool("losetup", ["--find", "--show", "--nooverlap", file]);
  return stdout.trim();
}

/** Every loop device of this machine that has a file behind it. */
export async function listLoops(): Promise<readonly LoopDevice[]> {
  const { stdout } = await runTool("losetup", ["--list", "--json", "--output", "NAME,BACK-FILE"]);
  return parseLoops(stdout);
}

/** Reads what losetup lists; it says nothing at all where there is none. */
export function parseLoops(json: string): readonly LoopDevice[] {
  if (json.trim() === "") return [];
  const { loopdevices } = JSON.parse(json) as { loopdevices: { name: string; "back-file": string | null }[] };
  return loopdevices.flatMap(({ name, "back-file": file }) =>
    file === null ? [] : [{ device: name, file: file.replace(/ \(deleted\)$/, "") }],
  );
}

/** The device of this file, if it is one. */
export async function loopOf(file: string): Promise<string | undefined> {
  return (await listLoops()).find((loop) => loop.file === file)?.device;
}

/** Lets the kernel see that the file behind the device has become larger. */
export async function rescanLoop(device: string): Promise<void> {
  await runTool("losetup", ["--set-capacity", device]);
}

/** Gives the device back; while somebody still has it open, the kernel does so at the last close. Gone already is fine. */
export async function detachLoop(device: string): Promise<void> {
  const { exitCode, said } = await runTool("losetup", ["--detach", device], { accept: [0, 1] });
  if (exitCode !== 0 && !said.includes("No such device")) {
    throw toolFailed("losetup", ["--detach", device], said, `exit code ${exitCode}`);
  }
}
