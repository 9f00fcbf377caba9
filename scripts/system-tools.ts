/** Programs of the system that tests run, and that npm cannot bring. */
import { type SpawnSyncOptions, spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

export interface SystemTool {
  readonly tool: string;
  /** The Debian package that has it. */
  readonly package: string;
  /** What is skipped without it. */
  readonly neededBy: string;
}

/** Tests skip themselves, by name, when a tool is missing; this list only saves people from installing by hand. */
export const SYSTEM_TOOLS: readonly SystemTool[] = [
  { tool: "losetup", package: "mount", neededBy: "everything on real file systems" },
  { tool: "mkfs.ext4", package: "e2fsprogs", neededBy: "the tests on ext4" },
  { tool: "mkfs.xfs", package: "xfsprogs", neededBy: "the tests on xfs" },
  { tool: "mkfs.btrfs", package: "btrfs-progs", neededBy: "the tests on btrfs" },
];

/**
 * Makes sure that the tools are there, as far as it may: as root, where there is apt-get, it installs their packages. Gives
 * back those that are still missing.
 */
export function ensureSystemTools(tools: readonly SystemTool[], env: NodeJS.ProcessEnv): SystemTool[] {
  const missing = () => tools.filter(({ tool }) => !isThere(tool, env));
  const wanted = missing();
  if (wanted.length > 0 && process.getuid?.() === 0 && isThere("apt-get", env)) {
    const packages = [...new Set(wanted.map((tool) => tool.package))];
    const quietly: SpawnSyncOptions = {
      env: { ...env, DEBIAN_FRONTEND: "noninteractive" },
      stdio: ["ignore", "ignore", "inherit"],
    };
    spawnSync("apt-get", ["-qq", "update"], quietly);
    spawnSync("apt-get", ["-qq", "install", "--no-install-recommends", ...packages], quietly);
  }
  return missing();
}

function isThere(tool: string, env: NodeJS.ProcessEnv): boolean {
  return (env["PATH"] ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, tool), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
