import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const STEPS = ["ci", "test", "run check", "run test:kube"];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "outgrow-ci-"));
  mkdirSync(join(folder, ".ci"));
  cpSync(join(ROOT, ".ci", "run"), join(folder, ".ci", "run"));
  // Stands in for npm: says what it was asked, and fails where the test wants it to.
  writeFileSync(join(folder, "npm"), '#!/bin/sh\necho "$*"\n[ "$*" != "$FAILING" ]\n');
  chmodSync(join(folder, "npm"), 0o755);
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function ci(failing: string) {
  const env = { PATH: `${folder}:/usr/bin:/bin`, FAILING: failing };
  const { status, stdout } = spawnSync(join(folder, ".ci", "run"), { env, encoding: "utf8" });
  return { passed: status === 0, steps: stdout.trim().split("\n") };
}

describe(".ci/run", () => {
  test("runs the README's test command, then the checks, then the suites for Kubernetes", () => {
    expect(ci("nothing")).toEqual({ passed: true, steps: STEPS });
    expect(readFileSync(join(ROOT, "README.md"), "utf8")).toMatch(/^npm ci && npm test\b/m);
  });

  test.each(STEPS)("stops and fails when npm %s fails", (step) => {
    expect(ci(step)).toEqual({ passed: false, steps: STEPS.slice(0, STEPS.indexOf(step) + 1) });
  });
});
