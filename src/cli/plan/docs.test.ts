/** The page about plans shows what the program prints, and lists what there is. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PREFLIGHT } from "../../admission/preflight/preflight.ts";
import { runOutgrow } from "../fake-terminal.ts";

const ROOT = join(import.meta.dirname, "../../..");
const PAGE = readFileSync(join(ROOT, "docs/plan.md"), "utf8");

const sessions = [...PAGE.matchAll(/```console\n\$ outgrow (plan -f docs\/.*)\n([^]*?)```/g)].map(
  ([, words = "", output = ""]): [words: string, output: string] => [words, output],
);

test("it has sessions", () => {
  expect(sessions.length).toBeGreaterThan(1);
});

test.each(sessions)("outgrow %s prints what it shows", async (words, output) => {
  const { out, err } = await runOutgrow(words.replace("docs/", `${ROOT}/docs/`).split(" "));
  expect({ out, err }).toEqual({ out: output, err: "" });
});

test("it lists every check with its question, in order", () => {
  const rows = [...PAGE.matchAll(/^\| `([a-z-]+)` +\| ([A-Z].*\?) +\|$/gm)];
  expect(rows.map(([, id, question]) => [id, question])).toEqual(PREFLIGHT.map(({ id, question }) => [id, question]));
});
