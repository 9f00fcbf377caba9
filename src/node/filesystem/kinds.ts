/** The file systems that we make and grow: one entry each, with the tools that do it. */
import { runTool, type SystemTool, WHILE_IT_CHANGES_A_FILE_SYSTEM } from "./command.ts";

export const FILE_SYSTEM_TYPES = ["ext4", "xfs", "btrfs"] as const;
export type FileSystemType = (typeof FILE_SYSTEM_TYPES)[number];

export interface FileSystemKind {
  /** The smallest device that its tools make one on. */
  readonly minimumBytes: bigint;
  readonly tools: readonly SystemTool[];
  /** Makes one on a device that has nothing on it. The tool itself refuses where it finds something. */
  make(device: string): Promise<void>;
  /** Makes a mounted one as large as its device. */
  growMounted(device: string, mountPath: string): Promise<void>;
  /** The same for one that is mounted nowhere. Missing where the file system can only be grown while it is mounted. */
  growUnmounted?(device: string): Promise<void>;
}

const MI = 1024n * 1024n;

export const FILE_SYSTEMS: Readonly<Record<FileSystemType, FileSystemKind>> = {
  ext4: {
    minimumBytes: 2n * MI,
    tools: ["mkfs.ext4", "resize2fs", "e2fsck"],
    async make(device) {
      // No share for root: the volume is a user's. What can be written later is, so that a large one is there at once.
      const options = ["-q", "-m", "0", "-E", "lazy_itable_init=1,lazy_journal_init=1"];
      await runTool("mkfs.ext4", [...options, device], WHILE_IT_CHANGES_A_FILE_SYSTEM);
    },
    async growMounted(device) {
      await runTool("resize2fs", [device], WHILE_IT_CHANGES_A_FILE_SYSTEM);
    },
    async growUnmounted(device) {
      // resize2fs insists on a check after the last mount. 1: something was mended, all is well.
      await runTool("e2fsck", ["-f", "-p", device], { ...WHILE_IT_CHANGES_A_FILE_SYSTEM, accept: [0, 1] });
      await runTool("resize2fs", [device], WHILE_IT_CHANGES_A_FILE_SYSTEM);
    },
  },
  xfs: {
    minimumBytes: 300n * MI,
    tools: ["mkfs.xfs", "xfs_growfs"],
    async make(device) {
      await runTool("mkfs.xfs", ["-q", device], WHILE_IT_CHANGES_A_FILE_SYSTEM);
    },
    async growMounted(_, mountPath) {
      await runTool("xfs_growfs", ["-d", mountPath], WHILE_IT_CHANGES_A_FILE_SYSTEM);
    },
  },
  btrfs: {
    minimumBytes: 109n * MI,
    tools: ["mkfs.btrfs", "btrfs"],
    async make(device) {
      await runTool("mkfs.btrfs", ["-q", device], WHILE_IT_CHANGES_A_FILE_SYSTEM);
    },
    async growMounted(_, mountPath) {
      await runTool("btrfs", ["filesystem", "resize", "max", mountPath], WHILE_IT_CHANGES_A_FILE_SYSTEM);
    },
  },
};

export function isFileSystemType(type: string): type is FileSystemType {
  return (FILE_SYSTEM_TYPES as readonly string[]).includes(type);
}
