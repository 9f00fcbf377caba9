import { describe, expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { runOutgrow } from "./fake-terminal.ts";

test("--version prints the version of the package", async () => {
  expect(await runOutgrow(["--version"])).toEqual({ code: 0, out: `${packageJson.version}\n`, err: "" });
});

test.each([[["--help"]], [[]], [["help"]]])("%j lists the verbs", async (words) => {
  const { code, out, err } = await runOutgrow(words);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toMatch(/^Usage: outgrow /);
  expect(out).toMatch(/^ {2}plan {2,}/m);
});

test.each([[["plan", "--help"]], [["help", "plan"]]])("%j explains the verb", async (words) => {
  const { code, out } = await runOutgrow(words);
  expect(code).toBe(0);
  expect(out).toMatch(/^Usage: outgrow plan .*<target> \[sizes...\]/);
  expect(out).toContain("-f - sts/db data=200Gi");
});

test("as a plugin of kubectl, help can be typed as it stands", async () => {
  const { out } = await runOutgrow(["plan", "--help"], "", { program: "kubectl outgrow" });
  expect(out).toMatch(/^Usage: kubectl outgrow plan /);
  expect(out).toContain("\n  kubectl outgrow plan sts/db data=200Gi");
  expect(out).toContain("| kubectl outgrow plan -f - sts/db");
  expect(await runOutgrow(["pln"], "", { program: "kubectl outgrow" })).toMatchObject({
    err: "outgrow: unknown command 'pln' (Did you mean plan?); see kubectl outgrow --help\n",
  });
});

describe("what is not understood is one line on standard error, and exit code 2", () => {
  const cases: [words: string[], message: string][] = [
    [["grow"], "outgrow: unknown command 'grow'; see outgrow --help"],
    [["pln"], "outgrow: unknown command 'pln' (Did you mean plan?); see outgrow --help"],
    [["--verbose"], "outgrow: unknown option '--verbose'; see outgrow --help"],
    [["plan"], "outgrow: missing required argument 'target'; see outgrow plan --help"],
    [["plan", "--fast", "sts/db"], "outgrow: unknown option '--fast'; see outgrow plan --help"],
    [["plan", "db"], 'outgrow: "db" is nothing that grows; write sts/NAME or pvc/NAME'],
    [["plan", "deploy/db"], 'outgrow: "deploy/db" is nothing that grows; write sts/NAME or pvc/NAME'],
    [["plan", "sts/"], 'outgrow: "sts/" is nothing that grows; write sts/NAME or pvc/NAME'],
    [["plan", "sts/a/b"], 'outgrow: "sts/a/b" is nothing that grows; write sts/NAME or pvc/NAME'],
    [
      ["plan", "sts/db", "data=200Gi", "--one-by-one", "--max-concurrent", "3"],
      "outgrow: --one-by-one and --max-concurrent contradict each other; leave one out",
    ],
    [
      ["plan", "sts/db", "data=200Gi", "--canary", "few"],
      "outgrow: option '--canary <number>' argument 'few' is invalid. write a whole number from 0 on.; see outgrow plan --help",
    ],
    [
      ["plan", "-f", "-", "sts/db", "200Gi"],
      'outgrow: "200Gi" is not a template and its size; write TEMPLATE=SIZE, several separated by commas, for example data=200Gi,wal=20Gi',
    ],
    [
      ["plan", "-f", "-", "sts/db", "data=much"],
      'outgrow: "data=much": "much" is not a size; write TEMPLATE=SIZE, several separated by commas, for example data=200Gi,wal=20Gi',
    ],
    [
      ["plan", "-f", "-", "pvc/x", "data=20Gi"],
      'outgrow: "data=20Gi" is not a size for a claim; write one, for example 20Gi',
    ],
    [
      ["plan", "-f", "-", "pvc/x", "20Gi", "30Gi"],
      'outgrow: "20Gi 30Gi" is not a size for a claim; write one, for example 20Gi',
    ],
    [["plan", "-f", "-", "pvc/x", "0"], 'outgrow: "0" is not a size for a claim; write one, for example 20Gi'],
    [["plan", "-f", "-", "-o", "xml", "sts/db"], 'outgrow: "xml" is not an output format; choose json or yaml'],
    [
      ["plan", "-f", "-", "--feature-gates", "X=true", "sts/db"],
      'outgrow: feature gate "X" is not known; known gates: StatefulSetVolumeExpansion, RecoverExpansionFailure, RecoverVolumeExpansionFailure',
    ],
  ];
  test.each(cases)("%j", async (words, message) => {
    expect(await runOutgrow(words)).toEqual({ code: 2, out: "", err: `${message}\n` });
  });
});
