/** Runs a Node program and tells what it took. */
import { spawn } from "node:child_process";
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";

export interface Measurement {
  readonly milliseconds: number;
  readonly cpuMilliseconds: number;
  readonly peakMegabytes: number;
}

const REPORT_USAGE = join(import.meta.dirname, "report-usage.ts");

/** Runs `node WORDS...`, its output thrown away, its input from a file if one is given; throws when it fails. */
export async function measure(words: readonly string[], input?: string): Promise<Measurement> {
  await using file = input === undefined ? undefined : await open(input);
  const start = performance.now();
  const child = spawn(process.execPath, ["--import", REPORT_USAGE, ...words], {
    stdio: [file?.fd ?? "ignore", "ignore", "inherit", "pipe"],
  });
  const exit = new Promise<number | null>((resolve) => child.on("close", resolve));
  const usage = text(child.stdio[3] as Readable);
  const code = await exit;
  const milliseconds = performance.now() - start;
  if (code !== 0) throw new Error(`node ${words.join(" ")} ended with ${code}`);
  return { milliseconds, ...(JSON.parse(await usage) as Omit<Measurement, "milliseconds">) };
}

/** How long `node WORDS...` takes, with nothing loaded beside it. */
export async function time(words: readonly string[]): Promise<number> {
  const start = performance.now();
  const child = spawn(process.execPath, words, { stdio: "ignore" });
  await new Promise((resolve) => child.on("close", resolve));
  return performance.now() - start;
}

/** The best of several runs: what is beside the point (other programs, cold caches) only ever makes it slower. */
export async function best<T>(runs: number, run: () => Promise<T>, by: (result: T) => number): Promise<T> {
  let found = await run();
  for (let n = 1; n < runs; n++) {
    const next = await run();
    if (by(next) < by(found)) found = next;
  }
  return found;
}
