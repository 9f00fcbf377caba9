import { expect, test } from "vitest";
import { runOutgrow } from "../fake-terminal.ts";

test.each<[words: string[], message: string]>([
  [
    ["--webhook-port", "https"],
    "option '--webhook-port <number>' argument 'https' is invalid. write a port, a number up to 65535.",
  ],
  [
    ["--webhook-port", "65536"],
    "option '--webhook-port <number>' argument '65536' is invalid. write a port, a number up to 65535.",
  ],
  [["--workers", "0"], "option '--workers <number>' argument '0' is invalid. write a whole number of at least 1."],
  [
    ["-n", "Prod"],
    "option '-n, --namespace <name>' argument 'Prod' is invalid. a namespace is written in small letters, digits and dashes.",
  ],
  [["--nope"], "unknown option '--nope'"],
])("%j is not understood: one line, and exit code 2", async (words, message) => {
  expect(await runOutgrow(["controller", ...words])).toEqual({
    code: 2,
    out: "",
    err: `outgrow: ${message}; see outgrow controller --help\n`,
  });
});
