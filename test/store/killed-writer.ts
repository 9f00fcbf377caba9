/** A process that writes to a store until it is killed. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import type { Line } from "./workload.ts";

const MAIN = join(import.meta.dirname, "writer-main.ts");

export interface Killing {
  readonly file: string;
  readonly seed: number;
  readonly writers: number;
  /** After so many acknowledgements; with 0, so many milliseconds after its start, which is often while it opens the file. */
  readonly acknowledgements: number;
  readonly milliseconds: number;
}

/** Starts it, kills it with SIGKILL, and gives back every line that it said. Throws when it ended by itself. */
export async function writeUntilKilled(killing: Killing): Promise<Line[]> {
  const { child, closed } = spawnWriter(killing);
  const kill = (): boolean => child.kill("SIGKILL");
  const timer = killing.acknowledgements === 0 ? setTimeout(kill, killing.milliseconds) : undefined;
  const lines: Line[] = [];
  let acknowledged = 0;
  for await (const text of createInterface(child.stdout)) {
    // The last line may be cut short; a write whose announcement is incomplete was not asked for yet.
    if (!text.endsWith("}")) continue;
    const line = JSON.parse(text) as Line;
    lines.push(line);
    if (line.say === "done" && ++acknowledged === killing.acknowledgements) kill();
  }
  await closed;
  clearTimeout(timer);
  if (child.signalCode !== "SIGKILL") throw new Error(`the writer ended by itself, with ${child.exitCode}`);
  return lines;
}

/** A process that has the store open until it is killed, with so many writers in it. Resolves when it has opened it. */
export async function holdStore(
  file: string,
  writers: number,
): Promise<{ readonly pid: number | undefined; kill(): Promise<void> }> {
  const { child, closed } = spawnWriter({ file, seed: 1, writers });
  const opened = new Promise<void>((resolve) => {
    createInterface(child.stdout).on("line", (text) => {
      if (text.includes('"open"')) resolve();
    });
  });
  await Promise.race([opened, closed.then(() => Promise.reject(new Error("the writer ended by itself")))]);
  return {
    pid: child.pid,
    async kill() {
      child.kill("SIGKILL");
      await closed;
    },
  };
}

function spawnWriter({ file, seed, writers }: Pick<Killing, "file" | "seed" | "writers">) {
  const child = spawn(process.execPath, [MAIN, file, String(seed), String(writers)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  return { child, closed: once(child, "close") };
}

/** Starts so many processes on one file at once; gives what became of each: it has the store, or why not. Then all are killed. */
export async function raceForStore(file: string, processes: number): Promise<string[]> {
  const racers = Array.from({ length: processes }, () =>
    spawn(process.execPath, [MAIN, file, "1", "0"], { stdio: ["ignore", "pipe", "pipe"] }),
  );
  const outcomes = racers.map(async (child) => {
    const complaint = text(child.stderr);
    const opened = once(child.stdout, "data").then(() => "opened");
    return await Promise.race([opened, once(child, "close").then(() => complaint)]);
  });
  const told = await Promise.all(outcomes);
  await Promise.all(
    racers.map(async (child) => {
      if (child.exitCode !== null) return;
      const closed = once(child, "close");
      child.kill("SIGKILL");
      await closed;
    }),
  );
  return told;
}
