/** `outgrow up` as people start it: a process of its own, which can be stopped and killed. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createClient, createTransport, type KubeClient, loadConfig } from "../../../src/kube/index.ts";
import { listLoops, readMounts } from "../../../src/node/filesystem/index.ts";

const ROOT = join(import.meta.dirname, "../../..");
const BINARY = join(ROOT, "bin/outgrow");

export interface Place extends Disposable {
  /** The data folder. */
  readonly data: string;
  /** Where the program puts what it needs for a moment. */
  readonly temporary: string;
  /** Devices, mounts, and files for a moment, that are there of this place. */
  left(): Promise<readonly string[]>;
}

export function aPlace(): Place {
  const folder = mkdtempSync(join(tmpdir(), "outgrow-up-"));
  const temporary = mkdtempSync(join(folder, "tmp-"));
  return {
    data: join(folder, "data"),
    temporary,
    async left() {
      const loops = (await listLoops()).filter(({ file }) => file.startsWith(folder)).map(({ device }) => device);
      const mounts = (await readMounts()).filter(({ path }) => path.startsWith(folder)).map(({ path }) => path);
      // Node keeps what it has compiled there, for the next process.
      const files = readdirSync(temporary).filter((name) => name !== "node-compile-cache");
      return [...loops, ...mounts, ...files];
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export interface Program extends AsyncDisposable {
  /** What it says when it is ready. */
  readonly banner: string;
  readonly client: KubeClient;
  /** Resolves with the exit code, or the signal's name, when it has ended. */
  end(signal: "SIGINT" | "SIGTERM" | "SIGKILL"): Promise<number | string>;
}

/** Resolves when the cluster is ready; rejects with what it says where it does not become so. */
export async function startUp({ data, temporary }: Place, ...flags: readonly string[]): Promise<Program> {
  const child = spawn(process.execPath, [BINARY, "up", "--data", data, ...flags], {
    cwd: ROOT,
    env: { ...process.env, TMPDIR: temporary },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const errors = text(child.stderr);
  const gone = once(child, "close");
  const banner = await Promise.race([readBanner(child), gone.then(() => undefined)]);
  if (banner === undefined) throw new Error(`it ended: ${await errors}`);
  const config = await loadConfig({ env: {}, kubeconfig: join(data, "outgrow.kubeconfig") });
  const client = createClient(createTransport(config));
  const end: Program["end"] = async (signal) => {
    await client.close();
    child.kill(signal);
    await gone;
    return child.exitCode ?? child.signalCode ?? "";
  };
  return {
    banner,
    client,
    end,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) await end("SIGTERM");
    },
  };
}

async function readBanner({ stdout }: ChildProcess): Promise<string | undefined> {
  let said = "";
  for await (const chunk of stdout ?? []) {
    said += String(chunk);
    if (said.includes("Ctrl-C stops it")) return said;
  }
  return undefined;
}

export interface Answer {
  readonly out: string;
  readonly err: string;
  readonly code: number | null;
}

/** A line for a shell, in the checkout. */
export async function runLine(line: string): Promise<Answer> {
  const child = spawn("sh", ["-c", line], { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { out, err, code: child.exitCode };
}

/** The program with these words, to its end. */
export async function runProgram(...words: readonly string[]): Promise<Answer> {
  const child = spawn(process.execPath, [BINARY, ...words], { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { out, err, code: child.exitCode };
}
