/**
 * Programs that outlive the process that started them. A driver that is killed may leave an `umount` or a `losetup --detach`
 * behind that has yet to act; whoever goes on with the same mounts and devices must let it end first, or lose them to it.
 */
import { readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

/** In the environment of every program that is run here: whose it is. */
export const STARTED_BY = "OUTGROW_STARTED_BY";

/** This process, told from any later one with the same number by the moment of its start. */
export function ownMark(): string {
  return `${process.pid}.${startOf(readFileSync("/proc/self/stat", "utf8"))}`;
}

/** The programs of ours that still run though the process that started them is gone. */
export async function orphanedPrograms(): Promise<readonly number[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const orphans = await Promise.all(
    pids.map(async (pid) => {
      const mark = markIn(await readIfThere(`/proc/${pid}/environ`));
      return mark !== undefined && !(await isRunning(mark)) ? [Number(pid)] : [];
    }),
  );
  return orphans.flat();
}

/** Waits until there are none. Gives back those that are still there after so long. */
export async function waitForOrphans(timeoutMs: number): Promise<readonly number[]> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const orphans = await orphanedPrograms();
    if (orphans.length === 0 || performance.now() > deadline) return orphans;
    await sleep(20);
  }
}

function markIn(environment: string): string | undefined {
  const entry = environment.split("\0").find((line) => line.startsWith(`${STARTED_BY}=`));
  return entry?.slice(STARTED_BY.length + 1);
}

async function isRunning(mark: string): Promise<boolean> {
  const [pid = "", start] = mark.split(".");
  return startOf(await readIfThere(`/proc/${pid}/stat`)) === start;
}

/** Field 22 of proc(5)'s stat, counted behind the name, which may have blanks and brackets in it. */
function startOf(stat: string): string | undefined {
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
}

/** Processes come and go, and others' are not for us to read. */
async function readIfThere(file: string): Promise<string> {
  return readFile(file, "utf8").catch(() => "");
}
