/** A verb of outgrow as a process of its own: started as a pod would start it, and killed as a pod would be. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { freePort } from "./boot.ts";
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
  /** Where it serves metrics and health, if it does: `http://127.0.0.1:PORT`. */
  readonly endpoint: string;
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
  /** Whether it serves metrics and health. A port can be lost to others, so who does not ask does not get any. */
  readonly serves?: boolean;
}

/** Resolves when the process runs, which is before it works; `says` tells how far it is. `words` begin with the verb. */
export async function startOutgrow(
  words: readonly string[],
  { node = [], serves = true }: OutgrowOptions = {},
): Promise<OutgrowProcess> {
  const address = serves ? `127.0.0.1:${await freePort()}` : "";
  const args = [...node, PROGRAM, ...words, ...(serves ? [`--http-endpoint=${address}`] : [])];
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

  return {
    endpoint: `http://${address}`,
    ended,
    get running() {
      return running;
    },
    log: () => lines,
    says: (message, timeoutMs = 60_000) =>
      waitFor(
        `outgrow ${words[0]} to say "${message}"`,
        () => {
          const found = lines.find(({ msg }) => msg.includes(message));
          if (found === undefined && !running) throw new Error(`it ended without saying "${message}":\n${tail(lines)}`);
          return found;
        },
        { timeoutMs },
      ),
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
