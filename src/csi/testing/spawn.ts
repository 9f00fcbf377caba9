/** Starts a scripted driver in a process of its own, so that it can be killed like a real one. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { socketPath } from "../address.ts";
import { connectControl, type DriverControl } from "./control.ts";
import { toJson } from "./json.ts";
import type { Script } from "./script.ts";

export interface SpawnedDriver extends DriverControl {
  readonly pid: number;
  /** Ends the process and waits until it is gone. SIGKILL leaves its socket behind, as a crash does. May be called twice. */
  kill(signal?: "SIGTERM" | "SIGKILL"): Promise<void>;
}

/** The driver serves when this returns; its control socket lies beside the other. The caller kills it. */
export async function spawnScriptedDriver(address: string, script: Script = {}): Promise<SpawnedDriver> {
  const controlPath = `${socketPath(address)}.control`;
  await rm(controlPath, { force: true });
  const main = join(import.meta.dirname, "scripted-driver-main.ts");
  const child = spawn(
    process.execPath,
    [main, "--socket", address, "--control", controlPath, "--script", toJson(script)],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  await ready(child);
  const control = await connectControl(controlPath);
  return {
    ...control,
    pid: child.pid ?? 0,
    async kill(signal = "SIGKILL") {
      control.close();
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "exit");
      child.kill(signal);
      await gone;
    },
  };
}

/** Waits for the line that says so. What the process complains about until then is in the error. */
async function ready(child: ChildProcessByStdio<null, Readable, Readable>): Promise<void> {
  const complaints: string[] = [];
  const stderr = createInterface({ input: child.stderr }).on("line", (line) => complaints.push(line));
  await new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", () => reject(new Error(`the scripted driver did not start: ${complaints.join("\n")}`)));
    createInterface({ input: child.stdout }).once("line", () => resolve());
  });
  stderr.removeAllListeners("line").on("line", (line) => process.stderr.write(`scripted driver: ${line}\n`));
}
