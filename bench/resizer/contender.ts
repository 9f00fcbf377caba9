/** The resizers that are measured: ours as it ships, and the incumbent when there is one to compare with. */
import { existsSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import type { Keeper } from "../../test/kube/keeper.ts";
import { layOutIn } from "../lay-out.ts";

/** Of the system's clock that /proc counts in. */
const TICKS_PER_SECOND = 100;

export interface Contender {
  readonly name: string;
  readonly command: string;
  /** What comes before its flags. */
  readonly words: readonly string[];
  /** The flags that take every limit off its requests to the API server. */
  readonly unlimited: readonly string[];
}

/** A resizer at work. */
export interface Running {
  /** Megabytes that it has in memory now, and the most it ever had. */
  memory(): { readonly now: number; readonly peak: number };
  /** Seconds of processor time that it has used. */
  cpu(): number;
  stop(): Promise<void>;
}

/** Ours, built and laid out under `folder` as the package is; profiled into `OUTGROW_CPU_PROF` when that is set. */
export function ours(folder: string): Contender {
  const program = layOutIn(folder);
  const profile = process.env["OUTGROW_CPU_PROF"];
  return {
    name: "outgrow resizer",
    command: process.execPath,
    words: [...(profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profile}`]), program, "resizer"],
    unlimited: [],
  };
}

/** The incumbent, when `CSI_RESIZER` names its binary. */
export function incumbent(): Contender | undefined {
  const command = process.env["CSI_RESIZER"] ?? "";
  if (command === "") return undefined;
  if (!existsSync(command)) throw new Error(`CSI_RESIZER: there is no ${command}`);
  return { name: "csi-resizer", command, words: [], unlimited: ["--kube-api-qps=100000", "--kube-api-burst=100000"] };
}

export async function start(
  { name, command, words }: Contender,
  flags: readonly string[],
  keeper: Keeper,
  log: string,
): Promise<Running> {
  const process_ = await keeper.start({ command, args: [...words, ...flags], log });
  let stopping = false;
  void process_.ended.then((how) => {
    if (!stopping) console.error(`${name} ended by itself (${how}):\n${readFileSync(log, "utf8").slice(-4000)}`);
  });
  const proc = (file: string): string => readFileSync(`/proc/${process_.pid}/${file}`, "utf8");
  return {
    memory() {
      const kilobytes = (field: string): number =>
        Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(proc("status"))?.[1]);
      return { now: kilobytes("VmRSS") / 1024, peak: kilobytes("VmHWM") / 1024 };
    },
    cpu() {
      // The fields after the program's name, which may hold anything: utime and stime are the 14th and 15th of all.
      const [utime = 0, stime = 0] = proc("stat")
        .replace(/^.*\) /s, "")
        .split(" ")
        .slice(11, 13)
        .map(Number);
      return (utime + stime) / TICKS_PER_SECOND;
    },
    async stop() {
      if (stopping) return;
      stopping = true;
      process.kill(process_.pid, "SIGTERM");
      await Promise.race([process_.ended, setTimeout(10_000, undefined, { ref: false })]);
      await process_.kill();
    },
  };
}
