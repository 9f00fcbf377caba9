import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Keeper, startKeeper } from "./keeper.ts";

let folder: string;
let keeper: Keeper;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "outgrow-keeper-"));
  keeper = startKeeper(folder);
});
afterEach(async () => {
  await keeper.stop();
  await rm(folder, { recursive: true, force: true });
});

const shell = (script: string) => ({ command: "sh", args: ["-c", script], log: join(folder, "log") });

it("tells how a program ended, and keeps what it printed", async () => {
  const kept = await keeper.start(shell("echo out; echo err >&2; exit 3"));
  expect(await kept.ended).toBe("exit code 3");
  expect(readFileSync(join(folder, "log"), "utf8")).toBe("out\nerr\n");
});

it("gives programs nothing of the environment", async () => {
  const kept = await keeper.start(shell("env"));
  await kept.ended;
  const names = readFileSync(join(folder, "log"), "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split("=")[0]);
  expect(new Set([...names, "PWD", "_", "SHLVL", "OLDPWD"])).toEqual(
    new Set(["PATH", "HOME", "PWD", "_", "SHLVL", "OLDPWD"]),
  );
});

it("kills a program when asked", async () => {
  const kept = await keeper.start(shell("exec sleep 1000"));
  await kept.kill();
  expect(await kept.ended).toBe("signal SIGKILL");
});

it("says so when a program cannot be started", async () => {
  const absent = { command: join(folder, "absent"), args: [], log: join(folder, "log") };
  await expect(keeper.start(absent)).rejects.toThrow(/absent cannot be started: spawn .* ENOENT/);
});

it("ends everything when it stops, and starts nothing afterwards", async () => {
  const kept = await keeper.start(shell("exec sleep 1000"));
  await keeper.stop();
  expect(await kept.ended).toMatch(/signal SIGKILL|killed by its keeper/);
  expect(() => process.kill(kept.pid, 0)).toThrow("ESRCH");
  expect(existsSync(folder)).toBe(false);
  await expect(keeper.start(shell("true"))).rejects.toThrow("its keeper is gone");
});
