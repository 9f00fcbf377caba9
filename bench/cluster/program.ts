/** `outgrow up` as it ships, watched from outside: how long it takes, what it costs, how it ends. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { createClient, createTransport, type KubeClient, loadConfig } from "../../src/kube/index.ts";

/** Of the system's clock that /proc counts in. */
const TICKS_PER_SECOND = 100;

export interface RunningCluster {
  readonly client: KubeClient;
  /** From nothing to an API that answers, with its controllers begun; in milliseconds. */
  readonly startMs: number;
  /** Megabytes that it has in memory now, and the most it ever had. */
  memory(): { readonly now: number; readonly peak: number };
  /** Seconds of processor time that it has used. */
  cpu(): number;
  /** Milliseconds from Ctrl-C to the end of the process. Its folder goes. */
  stop(): Promise<number>;
}

/** With a data folder of its own. Profiled into `OUTGROW_CPU_PROF` when that is set. */
export async function startProgram(folder: string, ...flags: readonly string[]): Promise<RunningCluster> {
  const data = mkdtempSync(join(folder, "data-"));
  const kubeconfig = join(data, "ready.kubeconfig");
  const log = join(data, "log");
  const profile = process.env["OUTGROW_CPU_PROF"];
  const start = performance.now();
  const child = spawn(
    process.execPath,
    [
      ...(profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profile}`]),
      join(folder, "bin/outgrow"),
      "up",
      "--data",
      join(data, "cluster"),
      "--kubeconfig",
      kubeconfig,
      ...flags,
    ],
    { stdio: ["ignore", openSync(log, "w"), openSync(log, "a")] },
  );
  const gone = once(child, "exit");
  while (!existsSync(kubeconfig)) {
    if (child.exitCode !== null)
      throw new Error(`outgrow up ended with ${child.exitCode}: ${readFileSync(log, "utf8")}`);
    await setTimeout(2);
  }
  const startMs = performance.now() - start;
  const client = createClient(createTransport(await loadConfig({ env: {}, kubeconfig })));
  const pid = child.pid ?? 0;
  const read = (field: string): number =>
    Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
  return {
    client,
    startMs,
    memory: () => ({ now: read("VmRSS"), peak: read("VmHWM") }),
    cpu() {
      const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
      return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
    },
    async stop() {
      await client.close();
      const signalled = performance.now();
      child.kill("SIGINT");
      await gone;
      const took = performance.now() - signalled;
      rmSync(data, { recursive: true, force: true });
      return took;
    },
  };
}
