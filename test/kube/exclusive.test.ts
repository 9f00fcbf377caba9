import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, expect, it } from "vitest";
import { exclusively } from "./exclusive.ts";

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "outgrow-lock-"));
  file = join(folder, "lock");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A process that holds the lock until it is killed; resolves when it has it. */
async function holder() {
  const module = new URL("./exclusive.ts", import.meta.url).href;
  const script = `
    const { exclusively } = await import(${JSON.stringify(module)});
    await exclusively(${JSON.stringify(file)}, () => {
      console.log("held");
      return new Promise(() => setInterval(() => {}, 1000));
    }, () => {});
  `;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(createInterface({ input: child.stdout }), "line");
  return child;
}

it("gives back what the work gives back", async () => {
  expect(await exclusively(file, async () => 42, expect.unreachable)).toBe(42);
});

it("runs one at a time, and tells who has to wait", async () => {
  const story: string[] = [];
  const release = Promise.withResolvers<void>();
  const first = exclusively(
    file,
    async () => {
      story.push("first begins");
      await release.promise;
      story.push("first ends");
    },
    expect.unreachable,
  );
  const second = exclusively(
    file,
    async () => void story.push("second begins"),
    () => {
      story.push("second waits");
      release.resolve();
    },
  );
  await Promise.all([first, second]);
  expect(story).toEqual(["first begins", "second waits", "first ends", "second begins"]);
});

it("is free again when the work throws", async () => {
  const failed = exclusively(file, () => Promise.reject(new Error("no")), expect.unreachable);
  await expect(failed).rejects.toThrow("no");
  expect(await exclusively(file, async () => "free", expect.unreachable)).toBe("free");
});

it("is free again when its holder is killed", async () => {
  const child = await holder();
  const result = await exclusively(
    file,
    async () => "mine",
    () => child.kill("SIGKILL"),
  );
  expect(result).toBe("mine");
});

it("stops waiting when it is told to", async () => {
  const child = await holder();
  const controller = new AbortController();
  const waiting = exclusively(
    file,
    async () => "mine",
    () => controller.abort(),
    controller.signal,
  );
  await expect(waiting).rejects.toThrow("aborted");
  child.kill("SIGKILL");
});
