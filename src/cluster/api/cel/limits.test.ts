/** What is hostile costs no more than the rest: every expression ends, soon, and with an error that says why. */
import { describe, expect, test } from "vitest";
import { readSchema } from "../crd/schema/schema.ts";
import { createEnvironment, DYN, fromJson, isError, listOf, STRING, toJson, typedValue } from "./index.ts";

const environment = createEnvironment({ variables: { self: DYN } });

function outcome(expression: string, self = {}, limit?: number): string {
  const compiled = environment.compile(expression);
  if (compiled.program === undefined) return compiled.failure.text;
  const { value } = compiled.program.evaluate(() => fromJson(self), limit);
  return isError(value) ? value.message : "a value";
}

/** A list in a list in a list, two at each step. */
const DOUBLED = `[1]${".map(x, [x, x])".repeat(40)}`;
const STOPPED = "operation cancelled: actual cost limit exceeded";

describe("an expression is not compiled that", () => {
  test.each([
    ["is too long", `'${"a".repeat(100_001)}'`, "expression code point size exceeds limit: size: 100003, limit 100000"],
    ["nests too deeply", `${"(".repeat(300)}1${")".repeat(300)}`, "expression recursion limit exceeded: 250"],
    ["has too many operators in a row", `1${" + 1".repeat(300)}`, "max recursion depth exceeded"],
    ["has too long a path", `self${".a".repeat(300)}`, "max recursion depth exceeded"],
    ["doubles with each macro", `optional.of(1)${".optMap(x, x)".repeat(40)}`, "expression too large"],
    ["doubles its type with each macro", `[1]${".map(a, {a: a})".repeat(40)}`, "type too large"],
    ["has a pattern that writes itself out", "'a'.matches('((a{1,100}){1,100}){1,100}')", "invalid matches argument"],
  ])("%s", (_, expression, expected) => {
    expect(outcome(expression)).toContain(expected);
  });
});

describe("an evaluation ends that", () => {
  test.each([
    ["makes a list without end", "lists.range(1000000000000)", STOPPED],
    [
      "loops in loops",
      "lists.range(1000).all(a, lists.range(1000).all(b, lists.range(1000).all(c, a + b + c >= 0)))",
      STOPPED,
    ],
    ["sorts a lot", "lists.range(5000).sort().size() > 0", STOPPED],
    ["compares every item with every other", "sets.equivalent(lists.range(5000), lists.range(5000))", STOPPED],
    ["replaces a little by a lot", "self.long.replace('a', self.long)", "text too long: more than 33554432 characters"],
    ["joins with a lot", "self.long.split('').join(self.long)", "text too long: more than 33554432 characters"],
    [
      "doubles a list again and again",
      `5 in [[1, 1]]${".map(x, x + x)".repeat(40)}[0]`,
      "list too long: more than 4000000 items",
    ],
    ["writes lists in lists", `'%s'.format(${DOUBLED}) == ''`, STOPPED],
    ["compares lists in lists", [DOUBLED, DOUBLED].join(" == "), STOPPED],
    ["looks for an item again and again", "self.names.all(n, self.names.indexOf(n + 'x') < 0)", STOPPED],
    ["backtracks", "self.long.matches('^(a+)+$')", "a value"],
    ["repeats a lot", "self.names.all(n, self.long.matches('(a{0,1000})b'))", STOPPED],
    ["looks behind each match for a longer one", "self.long.findAll('a*b|a').size() > 0", STOPPED],
    ["trims what has white space in the middle", "self.spaces.trim()", "a value"],
    ["asks for a thousand digits", "'%.999999999f'.format([1.5])", "a value"],
  ])("%s", (_, expression, expected) => {
    const names = Array.from({ length: 20_000 }, (_, index) => `n${index}`);
    const spaces = `a${" ".repeat(1_000_000)}b`;
    expect(outcome(expression, { long: "a".repeat(50_000), names, spaces })).toBe(expected);
  });

  test("takes more steps than it was given, and says how many it took", () => {
    const compiled = environment.compile("self.list.all(x, x > 0)");
    const evaluated = compiled.program?.evaluate(() => fromJson({ list: [1, 2, 3] }), 5);
    expect(evaluated).toMatchObject({ isExhausted: true, cost: 6, value: { message: STOPPED } });
    expect(outcome("self.list.all(x, x > 0)", { list: [1, 2, 3] }, 100)).toBe("a value");
  });

  test("doubles a list that has a schema", () => {
    const schema = readSchema({ type: "array", items: { type: "string" } });
    const typed = createEnvironment({ variables: { self: listOf(STRING) } });
    const compiled = typed.compile(`[self]${".map(x, x + x)".repeat(40)}[0].size()`);
    const value = typedValue(["a", "b"], schema);
    const message = "list too long: more than 4000000 items";
    expect(compiled.program?.evaluate(() => value).value).toMatchObject({ message });
  });
});

test("a value that doubles with each step is not made into JSON", () => {
  const compiled = environment.compile(DOUBLED);
  const { value } = compiled.program?.evaluate(() => undefined) ?? {};
  expect(toJson(value ?? null)).toMatchObject({ message: "value too large: more than 1000000 parts" });
});
