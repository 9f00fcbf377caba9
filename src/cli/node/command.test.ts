import { expect, test } from "vitest";
import { runOutgrow } from "../fake-terminal.ts";

const NEEDED = ["--csi-address", "/run/csi/socket", "--node-name", "one"];

test.each<[words: string[], message: string]>([
  [[], "required option '--csi-address <path>' not specified"],
  [NEEDED.slice(0, 2), "required option '--node-name <name>' not specified"],
  [
    [...NEEDED, "--workers", "0"],
    "option '--workers <number>' argument '0' is invalid. write a whole number of at least 1.",
  ],
  [
    [...NEEDED, "--http-endpoint", "8080"],
    "option '--http-endpoint <address>' argument '8080' is invalid. write an address like :8080 or 127.0.0.1:8080.",
  ],
  [[...NEEDED, "--nope"], "unknown option '--nope'"],
])("%j is not understood: one line, and exit code 2", async (words, message) => {
  expect(await runOutgrow(["node", ...words])).toEqual({
    code: 2,
    out: "",
    err: `outgrow: ${message}; see outgrow node --help\n`,
  });
});

test("--help names every flag", async () => {
  const { code, out } = await runOutgrow(["node", "--help"]);
  expect(code).toBe(0);
  for (const flag of ["--csi-address", "--node-name", "--kubelet-dir", "--resize-tool", "--http-endpoint"]) {
    expect(out).toContain(flag);
  }
});
