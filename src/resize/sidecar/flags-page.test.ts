/** docs/resizer.md has every flag and gate of the program with its default, and no other. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { RESIZER_FLAGS, type ResizerFlag, WITHOUT_EFFECT } from "./flags.ts";
import { parseSidecarGates } from "./gates.ts";

const PAGE = readFileSync(join(import.meta.dirname, "../../../docs/resizer.md"), "utf8");
const rows = [...PAGE.matchAll(/^\| `([\w-]+)` +\| +(.*?) *\| (.*?) *\|$/gm)].map(
  ([, name = "", value = "", text = ""]) => ({
    name,
    value,
    text,
  }),
);
const flags = rows.filter(({ name }) => name.startsWith("--"));
const gates = rows.filter(({ name }) => !name.startsWith("--"));

test("every flag is on the page with its default, and the page has no other", () => {
  const listed = Object.fromEntries(flags.map(({ name, value }) => [name.slice(2), value.replaceAll("`", "")]));
  expect(listed).toEqual(Object.fromEntries(Object.entries(RESIZER_FLAGS).map(([name, flag]) => [name, flag.default])));
  expect(flags).toHaveLength(Object.keys(RESIZER_FLAGS).length);
});

test("flags without effect are called that, and no others", () => {
  const called = flags.filter(({ text }) => text.startsWith("no effect")).map(({ name }) => name.slice(2));
  expect(called as ResizerFlag[]).toEqual(WITHOUT_EFFECT);
});

test("every gate of the page is known, and the help lists the same ones", () => {
  const names = gates.map(({ name }) => name);
  for (const name of names) expect(() => parseSidecarGates(`${name}=true`)).not.toThrow();
  const [, listed = ""] = /: (.*)\.$/.exec(RESIZER_FLAGS["feature-gates"].help) ?? [];
  expect(listed.split(", ").sort()).toEqual(names.sort());
});
