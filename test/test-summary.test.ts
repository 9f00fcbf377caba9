/** `npm test` on small suites of its own: its last line is what people and machines go by. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

const SCRIPT = join(import.meta.dirname, "../scripts/test.ts");

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "outgrow-summary-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function run(suites: Readonly<Record<string, string>>) {
  for (const [name, text] of Object.entries(suites)) writeFileSync(join(folder, name), text);
  const { VITEST: _, NODE_OPTIONS: __, ...env } = process.env;
  const { status, stdout } = spawnSync(process.execPath, [SCRIPT, "--root", folder, "--globals"], {
    encoding: "utf8",
    env: { ...env, NO_COLOR: "1" },
  });
  return { status, lines: stdout.trimEnd().split("\n") };
}

test("all passed: two counts and exit 0", () => {
  const { status, lines } = run({ "a.test.js": "test('x', () => expect(1).toBe(1)); test('y', () => {});" });
  expect(lines.at(-1)).toBe("2 passed, 0 failed");
  expect(status).toBe(0);
});

test("one failed: it is counted, and the exit code says so", () => {
  const { status, lines } = run({ "a.test.js": "test('x', () => expect(1).toBe(2)); test('y', () => {});" });
  expect(lines.at(-1)).toBe("1 passed, 1 failed");
  expect(status).toBe(1);
});

test("what is skipped is listed by name with its reason, above the last line", () => {
  const { status, lines } = run({
    "a.test.js": "describe('files', () => { test('grow', (t) => t.skip('there is no mkfs.xfs')); });",
    "b.test.js": "test('seen', () => {}); test.skip('unsaid', () => {});",
  });
  expect(lines.slice(-3)).toEqual([
    "skipped: a.test.js: files > grow: there is no mkfs.xfs",
    "skipped: b.test.js: unsaid: no reason given",
    "1 passed, 0 failed, 2 skipped",
  ]);
  expect(status).toBe(0);
});

test("a file that cannot be loaded is a failure", () => {
  const { status, lines } = run({ "a.test.js": "import './nowhere.js';", "b.test.js": "test('x', () => {});" });
  expect(lines.at(-1)).toBe("1 passed, 1 failed");
  expect(status).toBe(1);
});

test("a test left on .only is a failure: it would hide the others", () => {
  const { status, lines } = run({ "a.test.js": "test.only('x', () => {}); test('y', () => {});" });
  expect(lines.at(-1)).toMatch(/^\d+ passed, [1-9]\d* failed/);
  expect(status).toBe(1);
});
