import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openSocketFolder } from "./socket-folder.ts";
import { temporaryFolder } from "./store/testing/temporary-folder.ts";

test("it is there until it is removed, and may be removed twice", async () => {
  using folder = temporaryFolder();
  const sockets = await openSocketFolder(folder.join("volumes"));
  writeFileSync(join(sockets.path, "x.sock"), "");
  await sockets.remove();
  expect(existsSync(sockets.path)).toBe(false);
  await expect(sockets.remove()).resolves.toBeUndefined();
});

test("what a killed process has left is removed by the next one", async () => {
  using folder = temporaryFolder();
  const killed = await openSocketFolder(folder.path);
  const next = await openSocketFolder(folder.path);
  expect([existsSync(killed.path), existsSync(next.path)]).toEqual([false, true]);
  await next.remove();
});

test("a link that is not ours costs nobody anything but the link", async () => {
  using folder = temporaryFolder();
  const others = folder.join("precious");
  mkdirSync(others);
  symlinkSync(others, folder.join("sockets"));
  await (await openSocketFolder(folder.path)).remove();
  expect(existsSync(others)).toBe(true);
});
