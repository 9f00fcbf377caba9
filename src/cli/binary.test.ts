/** The program as people start it: bin/outgrow, a pipe, an exit code. */
import { spawn } from "node:child_process";
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";

const BINARY = join(import.meta.dirname, "../../bin/outgrow");
const CLUSTER = join(import.meta.dirname, "plan/testdata/cluster.yaml");

async function start(words: string[], { input, env }: { input?: string; env?: Record<string, string> } = {}) {
  const child = spawn(process.execPath, [BINARY, ...words], { env: { ...process.env, ...env } });
  if (input === undefined) child.stdin.end();
  else createReadStream(input).pipe(child.stdin);
  const exit = new Promise<number | null>((resolve) => child.on("close", resolve));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), exit]);
  return { out, err, code };
}

test("a plan through a pipe: 0, would be done", async () => {
  const { out, err, code } = await start(["plan", "-f", "-", "sts/db", "data=200Gi", "-n", "prod"], { input: CLUSTER });
  expect({ err, code }).toEqual({ err: "", code: 0 });
  expect(out).toMatch(/^StatefulSet prod\/db: data from 100Gi to 200Gi, wal stays at 10Gi\n/);
  expect(out).toContain("\nWould be done.\n");
});

test("a plan through a pipe: 1, would be refused", async () => {
  const { out, err, code } = await start(["plan", "-f", "-", "sts/db", "data=2Ti", "-n", "prod"], { input: CLUSTER });
  expect({ err, code }).toEqual({ err: "", code: 1 });
  expect(out).toContain("Would be refused: exceeded quota: storage");
});

test("a plan of nothing: 2, and one line that says what is missing", async () => {
  const { out, err, code } = await start(["plan", "-f", "-", "sts/db", "data=2Ti"]);
  expect({ out, code }).toEqual({ out: "", code: 2 });
  expect(err).toMatch(/^outgrow: there is no object in standard input; give what `kubectl get .*\n$/);
});

test("help and version need no input, and leave at once", async () => {
  expect(await start(["--help"])).toMatchObject({ err: "", code: 0 });
  expect((await start(["--version"])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test("a reader that goes away early is no error", async () => {
  const child = spawn(process.execPath, [BINARY, "plan", "-f", CLUSTER, "sts/db", "-n", "prod"]);
  child.stdout.destroy();
  const exit = new Promise<number | null>((resolve) => child.on("close", resolve));
  expect(await text(child.stderr)).toBe("");
  expect(await exit).toBe(0);
});
