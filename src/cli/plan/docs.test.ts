/** The pages that show plans show what the program prints. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PREFLIGHT } from "../../admission/preflight/preflight.ts";
import { runOutgrow } from "../fake-terminal.ts";

const ROOT = join(import.meta.dirname, "../../..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

/** The sessions of a page that plan with a file of this repository: the words, and what follows them. */
function sessions(page: string): [words: string, output: string][] {
  const blocks = read(page).matchAll(/^\$ (?:node bin\/)?outgrow (plan -f docs\/.*)\n((?:(?!\$ |```).*\n)*)/gm);
  return [...blocks].map(([, words = "", output = ""]) => [words, output]);
}

test.each(["docs/plan.md", "README.md"])("%s", async (page) => {
  const shown = sessions(page);
  expect(shown.length).toBeGreaterThan(0);
  for (const [words, output] of shown) {
    const { out, err } = await runOutgrow(words.replace("docs/", `${ROOT}/docs/`).split(" "));
    expect(err).toBe("");
    expect(output.trimEnd()).toBe(out.trimEnd());
  }
});

test("docs/plan.md lists every check with its question, in order", () => {
  const rows = [...read("docs/plan.md").matchAll(/^\| `([a-z-]+)` +\| ([A-Z].*\?) +\|$/gm)];
  expect(rows.map(([, id, question]) => [id, question])).toEqual(PREFLIGHT.map(({ id, question }) => [id, question]));
});
