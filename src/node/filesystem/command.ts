/** Programs of the system, run without a shell: what they say is kept for the error message. */
import { type ExecFileException, execFile } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { OutgrowError } from "../../core/errors.ts";
import { ownMark, STARTED_BY } from "./orphans.ts";

/** The programs that are run here, with the package that has each on Debian and its kin. */
const PACKAGES = {
  mount: "mount",
  umount: "mount",
  losetup: "mount",
  blkid: "util-linux",
  blockdev: "util-linux",
  "mkfs.ext4": "e2fsprogs",
  resize2fs: "e2fsprogs",
  e2fsck: "e2fsprogs",
  "mkfs.xfs": "xfsprogs",
  xfs_growfs: "xfsprogs",
  "mkfs.btrfs": "btrfs-progs",
  btrfs: "btrfs-progs",
} as const;

export type SystemTool = keyof typeof PACKAGES;

export interface ToolOutput {
  readonly exitCode: number;
  readonly stdout: string;
  /** Both streams, trimmed: what a person would have read. */
  readonly said: string;
}

export interface ToolOptions {
  /**
   * Exit codes that are an answer, not a failure.
   * @default only 0
   */
  readonly accept?: readonly number[];
  /**
   * @default 30 seconds. Tools that change a file system get longer: see `WHILE_IT_CHANGES_A_FILE_SYSTEM`.
   */
  readonly timeoutMs?: number;
}

/** Ending such a tool half way can cost the file system, so the limit is there for one that hangs, not for one that is slow. */
export const WHILE_IT_CHANGES_A_FILE_SYSTEM: ToolOptions = { timeoutMs: 30 * 60_000 };

/** Runs a tool of the system. Throws `TOOL_MISSING`, naming its package, or `TOOL_FAILED` with what it said. */
export function runTool(tool: SystemTool, args: readonly string[], options: ToolOptions = {}): Promise<ToolOutput> {
  return runProgram(tool, args, options);
}

/** Runs any program: a name to be looked up, or a path. */
export function runProgram(
  program: string,
  args: readonly string[],
  { accept = [0], timeoutMs = 30_000 }: ToolOptions = {},
): Promise<ToolOutput> {
  // What tools say is looked at, and goes into messages: it must not depend on who started this.
  const env = { ...process.env, PATH: searchPath().join(delimiter), LC_ALL: "C", [STARTED_BY]: ownMark() };
  return new Promise((resolve, reject) => {
    execFile(program, args, { env, timeout: timeoutMs, maxBuffer: 2 ** 24 }, (error, stdout, stderr) => {
      const said = `${stdout}${stderr}`.trim();
      const exitCode = error === null ? 0 : error.code;
      if (typeof exitCode === "number" && accept.includes(exitCode)) resolve({ exitCode, stdout, said });
      else if (exitCode === "ENOENT") reject(missing(program, error));
      else reject(toolFailed(program, args, said, endOf(error, timeoutMs), error));
    });
  });
}

/** Whether the tool is there to be run. */
export function hasTool(tool: SystemTool): boolean {
  return searchPath().some((folder) => {
    try {
      accessSync(join(folder, tool), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** The package that has the tool. */
export function packageOf(tool: SystemTool): string {
  return PACKAGES[tool];
}

/** With the folders of system tools, which an ordinary user's path often lacks. */
function searchPath(): string[] {
  const own = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return [...new Set([...own, "/usr/sbin", "/usr/bin", "/sbin", "/bin"])];
}

function endOf(error: ExecFileException | null, timeoutMs: number): string {
  if (error?.killed === true) return `did not end within ${timeoutMs / 1000} s`;
  if (typeof error?.code === "number") return `exit code ${error.code}`;
  return typeof error?.signal === "string" ? `ended by ${error.signal}` : (error?.message ?? "");
}

function missing(program: string, cause: unknown): OutgrowError {
  const known = (PACKAGES as Readonly<Record<string, string | undefined>>)[program];
  const wayOut = known === undefined ? "check its path" : `install the package ${known}`;
  return new OutgrowError("TOOL_MISSING", `${program} is not there; ${wayOut}`, { cause });
}

/** The failure of a tool that answered, for those who had accepted its exit code and then found no sense in it. */
export function toolFailed(
  program: string,
  args: readonly string[],
  said: string,
  end: string,
  cause?: unknown,
): OutgrowError {
  const words = said === "" ? "" : `: ${said.replaceAll(/\s*\n\s*/g, "; ")}`;
  return new OutgrowError("TOOL_FAILED", `${[program, ...args].join(" ")} failed (${end})${words}`, { cause });
}
