/**
 * What this machine lets us do with each file system: are its tools here, does the kernel know it, and may we grow one
 * while it is mounted. Asked once at the start, so that people hear of it before they wait for it.
 */
import { existsSync, readFileSync } from "node:fs";
import { release } from "node:os";
import { hasTool, packageOf } from "./command.ts";
import { FILE_SYSTEM_TYPES, FILE_SYSTEMS, type FileSystemType } from "./kinds.ts";

export interface FileSystemAbility {
  /** It can be made and mounted here. */
  readonly usable: boolean;
  /** It can be grown while it is mounted. */
  readonly online: boolean;
  /** Why one of the two is false, and the way out. */
  readonly why?: string;
}

export type FileSystemAbilities = Readonly<Record<FileSystemType, FileSystemAbility>>;

/** What the answer depends on. */
export interface MachineFacts {
  /** The effective capabilities of this process, as bits. */
  readonly capabilities: bigint;
  /** Whether the kernel has the file system, or a module for it. */
  readonly kernelHas: (type: FileSystemType) => boolean;
  readonly hasTool: typeof hasTool;
}

/** Numbers from the kernel's `linux/capability.h`. */
const CAP_SYS_ADMIN = 21n;
const CAP_SYS_RESOURCE = 24n;

export function decideAbilities(facts: MachineFacts): FileSystemAbilities {
  const has = (capability: bigint): boolean => ((facts.capabilities >> capability) & 1n) === 1n;
  const decide = (type: FileSystemType): FileSystemAbility => {
    const missing = FILE_SYSTEMS[type].tools.find((tool) => !facts.hasTool(tool));
    if (missing !== undefined) {
      return unusable(`${missing} is not there; install the package ${packageOf(missing)}`);
    }
    if (!facts.kernelHas(type)) return unusable(`the kernel of this machine has no ${type}`);
    if (!has(CAP_SYS_ADMIN)) return unusable("only root may mount file systems (CAP_SYS_ADMIN)");
    // fs/ext4/resize.c asks for it before anything else; xfs and btrfs are content with CAP_SYS_ADMIN.
    if (type === "ext4" && !has(CAP_SYS_RESOURCE)) {
      const why =
        "this process lacks CAP_SYS_RESOURCE, so ext4 grows only while it is unmounted for a moment; " +
        "start it with that capability, or use xfs or btrfs";
      return { usable: true, online: false, why };
    }
    return { usable: true, online: true };
  };
  return { ext4: decide("ext4"), xfs: decide("xfs"), btrfs: decide("btrfs") };
}

/** Asks this machine. */
export function probeAbilities(): FileSystemAbilities {
  const known = new Set(readFileSync("/proc/filesystems", "utf8").split(/\s+/));
  const modules = `/lib/modules/${release()}/kernel/fs`;
  return decideAbilities({
    capabilities: readCapabilities(readFileSync("/proc/self/status", "utf8")),
    kernelHas: (type) => known.has(type) || existsSync(`${modules}/${type}`),
    hasTool,
  });
}

/** The effective set in `/proc/self/status`. */
export function readCapabilities(status: string): bigint {
  const hex = /^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1];
  return hex === undefined ? 0n : BigInt(`0x${hex}`);
}

/** What is worth saying at the start: one line for each file system that cannot do all. */
export function limitsOf(abilities: FileSystemAbilities): readonly string[] {
  return FILE_SYSTEM_TYPES.flatMap((type) => {
    const { why } = abilities[type];
    return why === undefined ? [] : [`${type}: ${why}`];
  });
}

function unusable(why: string): FileSystemAbility {
  return { usable: false, online: false, why };
}
