/**
 * Kills a loop driver at the Nth program that it runs: before that program has begun, while it is at work (and goes on without
 * the driver), or when it is done. Then starts it anew and looks for what is left.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { CsiError } from "../../../csi/index.ts";
import { held } from "./looking.ts";
import { MI, openScene, type Scene } from "./scene.ts";

export const MOMENTS = ["before", "during", "after"] as const;
export type Moment = (typeof MOMENTS)[number];

const TOOLS = ["mount", "umount", "losetup", "blkid", "mkfs.ext4", "resize2fs", "e2fsck"];

export interface Outcome {
  /** Whether it lived long enough to be killed. */
  readonly killed: boolean;
  /** Devices, mounts and published places that the next start had not given back. */
  readonly leftAfterStart: readonly string[];
  /** The same when that one was stopped. */
  readonly leftAfterStop: readonly string[];
  /** Whether `BYTES` had been written to a file of the volume by then. */
  readonly written: boolean;
  /** What was in that file, read through the next driver. */
  readonly bytesAfter: string | undefined;
}

export const BYTES = "written before the driver was killed";

/** One life of a volume (made, used, written, grown, unused, used again, removed) with the kill in it, and what came after. */
export async function killAt(program: number, moment: Moment): Promise<Outcome> {
  const scene = await openScene("devices");
  await scene.stop();
  try {
    const child = await startDoomed(scene, program, moment);
    const life = await liveUntilKilled(scene, child);
    if (life === "completed") child.kill("SIGKILL");
    await child.gone;

    await scene.start();
    const leftAfterStart = await leftovers(scene);
    let bytesAfter: string | undefined;
    if ((await scene.client.listVolumes()).length > 0) {
      await persistently(() => scene.use("v"));
      if (life === "written") bytesAfter = readFileSync(join(scene.target("v"), "file"), "utf8");
      await persistently(() => scene.controllerExpand("v", 48n * MI));
      await persistently(() => scene.nodeExpand("v", 48n * MI));
    }
    await scene.stop();
    return {
      killed: life !== "completed",
      written: life === "written",
      leftAfterStart,
      leftAfterStop: await leftovers(scene),
      bytesAfter,
    };
  } finally {
    await scene.end();
  }
}

interface Doomed {
  alive(): boolean;
  kill(signal: "SIGKILL"): void;
  /** Settles when the process has ended. */
  readonly gone: Promise<unknown>;
}

async function startDoomed(scene: Scene, program: number, moment: Moment): Promise<Doomed> {
  const tools = join(scene.folder, "tools");
  rmSync(tools, { recursive: true, force: true });
  mkdirSync(tools);
  for (const tool of TOOLS) {
    const real =
      ["/usr/sbin", "/usr/bin", "/sbin", "/bin"].map((folder) => join(folder, tool)).find(existsSync) ?? tool;
    const run = { before: "exit 1", during: `'${real}' "$@" & kill -9 $PPID; wait; exit 1`, after: `'${real}' "$@"` };
    writeFileSync(
      join(tools, tool),
      `#!/bin/sh
n=$(($(cat '${tools}/count' 2>/dev/null || echo 0) + 1)); echo $n > '${tools}/count'
[ $n -eq ${program} ] || exec '${real}' "$@"
${moment === "before" ? "kill -9 $PPID" : ""}
${run[moment]}
${moment === "after" ? "kill -9 $PPID" : ""}
`,
    );
    chmodSync(join(tools, tool), 0o755);
  }
  const main = join(import.meta.dirname, "driver-main.ts");
  const child = spawn(process.execPath, [main, "loop", join(scene.folder, "csi.sock"), join(scene.folder, "data")], {
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...process.env, PATH: `${tools}${delimiter}${process.env["PATH"] ?? ""}` },
  });
  // The start runs programs too, and may be where it ends.
  const gone = once(child, "exit");
  await Promise.race([once(createInterface({ input: child.stdout }), "line"), gone]);
  return {
    alive: () => child.exitCode === null && child.signalCode === null,
    kill: (signal) => void child.kill(signal),
    gone,
  };
}

/** How far a life came: `written`, the file is there from then on; `completed`, the volume was removed and nobody killed. */
async function liveUntilKilled(scene: Scene, child: Doomed): Promise<"killed" | "written" | "completed"> {
  let stage: "killed" | "written" = "killed";
  try {
    await scene.client.waitUntilReady(() => {
      if (!child.alive()) throw new CsiError("Unavailable", "it was killed at its start");
    });
    await scene.create("v", { parameters: { fsType: "ext4" } });
    await scene.use("v");
    writeFileSync(join(scene.target("v"), "file"), BYTES, { flush: true });
    stage = "written";
    await scene.controllerExpand("v", 32n * MI);
    await scene.nodeExpand("v", 32n * MI);
    await scene.unuse("v");
    await scene.use("v");
    await scene.unuse("v");
    await scene.client.deleteVolume({ volumeId: "v" });
    return "completed";
  } catch (error) {
    if (error instanceof CsiError && error.code === "Unavailable") return stage;
    throw error;
  }
}

/** A program that outlived the driver may be in the way for a while; that is said, and nothing is done meanwhile. */
async function persistently(work: () => Promise<unknown>): Promise<void> {
  const deadline = Date.now() + 10_000;
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}

async function leftovers(scene: Scene): Promise<readonly string[]> {
  const deadline = Date.now() + 10_000;
  for (;;) {
    const targets = existsSync(scene.target("v")) ? [scene.target("v")] : [];
    const left = [...(await held(scene)), ...targets];
    if (left.length === 0 || Date.now() > deadline) return left;
  }
}
