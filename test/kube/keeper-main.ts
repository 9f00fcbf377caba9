/**
 * The keeper: runs programs for another process and outlives it just long enough to clean up. When the channel to that
 * process closes, because it asked for that or because it is dead, every program is killed and the folder is removed.
 * There is one way to end, so the way that only a crash would take is the way that every test takes.
 *
 * Started by keeper.ts as `node keeper-main.ts FOLDER keep|remove`.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { rm } from "node:fs/promises";
import type { KeeperReport, KeeperRequest, Program } from "./keeper-protocol.ts";

const [folder = "", fate = "remove"] = process.argv.slice(2);
const running = new Map<number, ChildProcess>();
let ending = false;

function report(message: KeeperReport): void {
  if (process.connected) process.send?.(message);
}

function start(id: number, program: Program): void {
  const log = openSync(program.log, "w");
  const child = spawn(program.command, program.args, {
    cwd: folder,
    // Nothing of the user's environment: no proxy, no kubeconfig and no credentials reach these programs.
    env: { PATH: process.env["PATH"], HOME: folder },
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  running.set(id, child);
  const ended = (how: string) => {
    running.delete(id);
    report({ kind: "ended", id, how });
    if (ending) void finish();
  };
  child.once("spawn", () => report({ kind: "started", id, pid: child.pid ?? 0 }));
  child.once("error", (error) => ended(error.message));
  child.once("exit", (code, signal) => ended(signal === null ? `exit code ${code}` : `signal ${signal}`));
}

async function finish(): Promise<void> {
  if (running.size > 0) return;
  if (fate === "remove") await rm(folder, { recursive: true, force: true });
  process.exit(0);
}

function end(): void {
  if (ending) return;
  ending = true;
  for (const child of running.values()) child.kill("SIGKILL");
  void finish();
}

process.on("message", (request: KeeperRequest) => {
  if (ending) return;
  if (request.kind === "start") start(request.id, request.program);
  else running.get(request.id)?.kill("SIGKILL");
});
process.on("disconnect", end);
process.on("SIGTERM", end);
process.on("uncaughtException", (error) => {
  console.error(error);
  end();
});
