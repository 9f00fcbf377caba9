/** A verb of outgrow as a process of its own: started as a pod would start it, and killed as a pod would be. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { waitFor } from "./wait.ts";

export interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly [field: string]: unknown;
}

export interface OutgrowEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface OutgrowProcess {
  /** Where it serves metrics and health, once it does: `http://127.0.0.1:PORT`. */
  endpoint(): Promise<string>;
  /** Settles when it has ended. */
  readonly ended: Promise<OutgrowEnd>;
  readonly running: boolean;
  /** What it has said so far. */
  log(): readonly LogLine[];
  /** Waits until a line of its log says this. Fails at once when the process ends without having said it. */
  says(message: string, timeoutMs?: number): Promise<LogLine>;
  /** Sends the signal and waits until it is gone. Harmless after its end. */
  kill(signal?: NodeJS.Signals): Promise<OutgrowEnd>;
}

const PROGRAM = join(import.meta.dirname, "../../bin/outgrow");
const alive = new Set<{ kill(signal: NodeJS.Signals): unknown }>();
process.once("exit", () => alive.forEach((child) => child.kill("SIGKILL")));

export interface OutgrowOptions {
  /** Options for Node itself. */
  readonly node?: readonly string[];
}

/** Returns when the process runs, which is before it works; `says` tells how far it is. `words` begin with the verb. */
export function startOutgrow(words: readonly string[], { node = [] }: OutgrowOptions = {}): OutgrowProcess {
  const args = [...node, PROGRAM, ...words, "--http-endpoint=127.0.0.1:0"];
  // Nothing of this process's environment: a proxy or a kubeconfig of the developer must not leak in.
  const env = { PATH: process.env["PATH"] };
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"], env });
  alive.add(child);
  const lines: LogLine[] = [];
  let running = true;
  createInterface({ input: child.stdout }).on("line", (line) => lines.push(parseLine(line)));
  createInterface({ input: child.stderr }).on("line", (line) => lines.push({ level: 60, msg: line }));
  const ended = new Promise<OutgrowEnd>((resolve, reject) => {
    child.once("error", reject).once("close", (code, signal) => {
      running = false;
      alive.delete(child);
      resolve({ code, signal });
    });
  });

  const says: OutgrowProcess["says"] = (message, timeoutMs = 120_000) =>
    waitFor(
      `outgrow ${words[0]} to say "${message}"`,
      () => {
        const found = lines.find(({ msg }) => msg.includes(message));
        if (found === undefined && !running) throw new Error(`it ended without saying "${message}":\n${tail(lines)}`);
        return found;
      },
      { timeoutMs },
    );

  return {
    endpoint: async () => `http://127.0.0.1:${(await says("serving metrics"))["port"]}`,
    ended,
    get running() {
      return running;
    },
    log: () => lines,
    says,
    async kill(signal = "SIGKILL") {
      if (running) child.kill(signal);
      return ended;
    },
  };
}

/** The end of a log, for the message of a test that failed. */
export function tail(lines: readonly LogLine[]): string {
  return lines
    .slice(-25)
    .map((line) => JSON.stringify(line))
    .join("\n");
}

function parseLine(line: string): LogLine {
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return { level: 60, msg: line };
  }
}
