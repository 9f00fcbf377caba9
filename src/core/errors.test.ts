import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ERROR_CODES, messageOf, OutgrowError } from "./errors.ts";

describe("docs/errors.md", () => {
  const page = readFileSync(new URL("../../docs/errors.md", import.meta.url), "utf8");
  const sections = page
    .split(/^## /m)
    .slice(1)
    .map((section) => ({ code: section.split("\n", 1)[0]?.trim(), section }));

  test("lists exactly the codes, in their order", () => {
    expect(sections.map(({ code }) => code)).toEqual(Object.keys(ERROR_CODES));
  });

  test.each(Object.entries(ERROR_CODES))("%s says what happened, why, and the way out", (code, summary) => {
    const section = sections.find((entry) => entry.code === code)?.section ?? "";
    const said = section.toLowerCase().replaceAll("`", "");
    expect(said).toContain(summary.toLowerCase());
    expect(section).toMatch(/^\*\*Cause\.\*\* \S/m);
    expect(section).toMatch(/^\*\*Way out\.\*\* \S/m);
  });
});

test("an error carries its code, its message and its cause", () => {
  const cause = new Error("below");
  const error = new OutgrowError("OBJECT_MISSING", "claim x is not there", { cause });
  expect(error).toMatchObject({
    name: "OutgrowError",
    code: "OBJECT_MISSING",
    message: "claim x is not there",
    cause,
  });
  expect(error).toBeInstanceOf(Error);
});

test.each([
  [new Error("said"), "said"],
  ["thrown text", "thrown text"],
  [undefined, "undefined"],
])("the message of %s is %j", (thrown, message) => {
  expect(messageOf(thrown)).toBe(message);
});
