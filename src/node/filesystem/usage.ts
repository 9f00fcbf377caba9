/** How full a file system is. */
import { statfs } from "node:fs/promises";

export interface Amount {
  readonly total: bigint;
  readonly used: bigint;
  /** What an ordinary user can still have: less than total minus used where some is kept for root. */
  readonly available: bigint;
}

export interface FileSystemUsage {
  readonly bytes: Amount;
  /** Undefined where the file system does not count them (btrfs). */
  readonly inodes: Amount | undefined;
}

/** Of the file system that this path is on, as `df` would say. */
export async function measureUsage(path: string): Promise<FileSystemUsage> {
  const { bsize, blocks, bfree, bavail, files, ffree } = await statfs(path, { bigint: true });
  return {
    bytes: { total: blocks * bsize, used: (blocks - bfree) * bsize, available: bavail * bsize },
    inodes: files === 0n ? undefined : { total: files, used: files - ffree, available: ffree },
  };
}
