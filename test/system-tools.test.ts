import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ensureSystemTools, type SystemTool } from "../scripts/system-tools.ts";

const GROWER: SystemTool = { tool: "grow-fs", package: "growers", neededBy: "the file system suites" };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "outgrow-tools-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function program(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
  chmodSync(join(folder, name), 0o755);
}

test("a tool that is there needs nothing", () => {
  program("grow-fs", "");
  expect(ensureSystemTools([GROWER], { PATH: folder })).toEqual([]);
});

test("a file that cannot be run is no tool; where nothing can be installed, what is missing is given back", () => {
  writeFileSync(join(folder, "grow-fs"), "", { mode: 0o644 });
  expect(ensureSystemTools([GROWER], { PATH: folder })).toEqual([GROWER]);
});

test("root installs what is missing where there is apt-get", (context) => {
  context.skip(process.getuid?.() !== 0, "only root may install");
  program("apt-get", `#!/bin/sh\necho "$@" >> ${folder}/asked\n[ "$2" = install ] && cp "$0" "${folder}/grow-fs"\n`);
  const path = `${folder}:${process.env["PATH"] ?? ""}`;
  expect(ensureSystemTools([GROWER], { PATH: path })).toEqual([]);
});
