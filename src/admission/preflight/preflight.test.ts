import { expect, test } from "vitest";
import { someFacts } from "./fixtures.ts";
import { PREFLIGHT, preflight } from "./preflight.ts";

test("the list has every check once, and each asks a question", () => {
  expect(new Set(PREFLIGHT.map(({ id }) => id)).size).toBe(PREFLIGHT.length);
  expect(PREFLIGHT.filter(({ question }) => !question.endsWith("?"))).toEqual([]);
});

test("a growth that everybody is content with", () => {
  const findings = preflight(someFacts());
  expect(findings.length).toBeGreaterThan(5);
  expect(findings.filter(({ outcome }) => outcome !== "pass")).toEqual([]);
});

test("findings come in the order of the list", () => {
  const order = PREFLIGHT.map(({ id }) => id);
  const found = preflight(someFacts({ drivers: new Set(), classes: undefined })).map(({ id }) => order.indexOf(id));
  expect(found).toEqual(found.toSorted((a, b) => a - b));
});
