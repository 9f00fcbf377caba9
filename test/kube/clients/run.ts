/** A program of others as a process of its own: what it says as it says it, and how it ended. It never outlives the test. */
import { type ChildProcess, spawn } from "node:child_process";
import { waitFor } from "../wait.ts";

export interface RunOptions {
  readonly cwd: string;
  /** Beyond PATH and HOME, which is `cwd`: nothing of the developer's environment reaches the program. */
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  /** What it has said so far. */
  readonly stdout: string;
  readonly stderr: string;
  readonly ended: Promise<Ended>;
  /** Waits until this holds of what it said; fails at once when it ends before, with all that it said. */
  says(what: string, is: (said: { stdout: string; stderr: string }) => boolean, timeoutMs?: number): Promise<void>;
  /** Sends the signal and waits for the end. Harmless after it. */
  kill(signal?: NodeJS.Signals): Promise<Ended>;
}

const alive = new Set<ChildProcess>();
process.once("exit", () => alive.forEach((child) => child.kill("SIGKILL")));

export function start(program: string, args: readonly string[], { cwd, env = {}, input }: RunOptions): Running {
  const child = spawn(program, args, { cwd, env: { PATH: process.env["PATH"], HOME: cwd, ...env } });
  alive.add(child);
  const said = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (said.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said.stderr += text));
  // It may end without having read its input; that is told by its exit code, not by a broken pipe.
  child.stdin.on("error", () => {}).end(input ?? "");
  let over = false;
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject).once("close", (code) => {
      over = true;
      alive.delete(child);
      resolve({ code, ...said });
    });
  });
  const command = `${program.split("/").at(-1)} ${args.join(" ")}`;
  return {
    get stdout() {
      return said.stdout;
    },
    get stderr() {
      return said.stderr;
    },
    ended,
    async says(what, is, timeoutMs = 60_000) {
      const probe = (): boolean => {
        if (is(said)) return true;
        if (over) throw new Error(`${command} ended before ${what}:\n${said.stdout}${said.stderr}`);
        return false;
      };
      await waitFor(`${command} to say ${what}`, probe, { timeoutMs }).catch((error: unknown) => {
        throw new Error(`${String(error)}\n${said.stdout.slice(-2_000)}\n${said.stderr.slice(-4_000)}`, {
          cause: error,
        });
      });
    },
    async kill(signal = "SIGKILL") {
      if (!over) child.kill(signal);
      return ended;
    },
  };
}

/** Runs to the end, whatever the end is; one that takes longer than `timeoutMs` is killed, and says so. */
export async function run(
  program: string,
  args: readonly string[],
  { timeoutMs = 120_000, ...options }: RunOptions & { readonly timeoutMs?: number },
): Promise<Ended> {
  const running = start(program, args, options);
  const timer = setTimeout(() => void running.kill(), timeoutMs);
  const { code, stdout, stderr } = await running.ended;
  clearTimeout(timer);
  return code === null
    ? { code, stdout, stderr: `${stderr}\nkilled after ${timeoutMs / 1000} s` }
    : { code, stdout, stderr };
}
