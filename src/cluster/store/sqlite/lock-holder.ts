/** Who has a file locked, as far as the system tells. */
import { readFileSync, statSync } from "node:fs";

/** The process that holds a lock on the file; undefined where the system keeps no list (only Linux does) or it is not in it. */
export function lockHolder(file: string): number | undefined {
  try {
    const { dev, ino } = statSync(file, { bigint: true });
    const found = locksIn(readFileSync("/proc/locks", "utf8")).find(
      (lock) => lock.inode === ino && lock.device === deviceName(dev),
    );
    return found?.pid;
  } catch {
    return undefined;
  }
}

/** A line is `1: POSIX  ADVISORY  WRITE 31026 fe:00:10005077 1073741824 1073742335`; those of waiters have an arrow. */
const LOCK = /^\d+: \w+\s+\w+\s+(?:READ|WRITE)\s+(\d+) ([\da-f]+:[\da-f]+):(\d+) /gm;

function locksIn(list: string): { pid: number; device: string; inode: bigint }[] {
  return [...list.matchAll(LOCK)].map(([, pid = "", device = "", inode = ""]) => ({
    pid: Number(pid),
    device,
    inode: BigInt(inode),
  }));
}

/** Major and minor as the list writes them, taken apart as glibc's `gnu_dev_major` and `gnu_dev_minor` do. */
function deviceName(device: bigint): string {
  const major = ((device >> 8n) & 0xfffn) | ((device >> 32n) & ~0xfffn);
  const minor = (device & 0xffn) | ((device >> 12n) & ~0xffn);
  const hex = (number: bigint): string => number.toString(16).padStart(2, "0");
  return `${hex(major)}:${hex(minor)}`;
}
