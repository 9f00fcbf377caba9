import { expect, test } from "vitest";
import packageJson from "../../../package.json" with { type: "json" };
import { runOutgrow } from "../fake-terminal.ts";

test.each(["--version", "-version", "--version=true"])("%s prints the resizer's version", async (flag) => {
  const out = `outgrow resizer ${packageJson.version}\n`;
  expect(await runOutgrow(["resizer", flag, "--v=5"])).toEqual({ code: 0, out, err: "" });
});

test.each(["--help", "-help", "-h"])("%s prints every flag, as Go does", async (flag) => {
  const { code, out, err } = await runOutgrow(["resizer", flag]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toMatch(/^Usage of outgrow resizer:\n {2}-automaxprocs\n/);
  expect(out).toContain("  -csi-address string\n    \tAddress of the CSI driver socket. (default /run/csi/socket)\n");
});

test.each<[words: string[], message: string]>([
  [["--nope"], "flag provided but not defined: -nope"],
  [["--workers=0"], "--workers must be at least 1"],
  [["--leader-election", "true"], '"true" is not a flag; flags begin with - or --'],
  [
    ["--feature-gates=AnnotateFsResize=maybe"],
    '"AnnotateFsResize=maybe" is not a feature gate; write NAME=true or NAME=false',
  ],
  [["--leader-election-namespace", "plan", "--nope"], "flag provided but not defined: -nope"],
])("%j is not understood: one line, and exit code 2", async (words, message) => {
  expect(await runOutgrow(["resizer", ...words])).toEqual({ code: 2, out: "", err: `outgrow: ${message}\n` });
});
