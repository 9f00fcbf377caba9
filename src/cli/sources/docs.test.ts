/** docs/sources.md says what is so. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { MOCO } from "../../source/presets/moco.ts";
import { PRESETS, sourceOf } from "../../source/presets/presets.ts";

const page = readFileSync(join(import.meta.dirname, "../../../docs/sources.md"), "utf8");

test.each(PRESETS)("$name is in the table, with all that is known about it", (preset) => {
  const { name, operator, version, itself, ours, pausing, limits, spec } = preset;
  const row = page.split("\n").find((line) => line.startsWith(`| \`${name}\` `));
  expect(row).toContain(`${operator} ${version}`);
  expect(row).toContain(` ${spec.resource.kind} `);
  expect(row).toContain(spec.grownBy === "Operator" ? "the operator" : "Outgrow");
  const places = [spec.claimTemplatesPath, ...(spec.claims ?? []).map(({ path }) => path)];
  for (const place of places) if (place !== undefined) expect(row).toContain(`\`${place}\``);
  for (const note of [itself, ours, pausing, ...limits]) expect(page).toContain(note);
});

test("the example is the source for MOCO", () => {
  const example = /```yaml\n([\s\S]*?)```/.exec(page)?.[1] ?? "";
  expect(parse(example)).toEqual(sourceOf(MOCO));
});

test("every reason that a source can give is explained", () => {
  const rules = readFileSync(join(import.meta.dirname, "../../source/decide/source-ready.ts"), "utf8");
  const reasons = [...rules.matchAll(/ \* \| .* \| (?:True|False|Unknown) +\| (\w+) +\|/g)].map(
    ([, reason = ""]) => reason,
  );
  expect(reasons.length).toBeGreaterThan(5);
  const explained = [...page.matchAll(/^\| (?:True|False|Unknown) +\| (\w+) +\|/gm)].map(([, reason = ""]) => reason);
  expect(explained.toSorted()).toEqual(reasons.toSorted());
});
