import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { goPattern } from "./go-pattern.ts";

test("says what JavaScript says, of random patterns and texts (seed 21)", () => {
  const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
    pattern: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.constantFrom("a", "b", "\\d", "[a-c]", "[^a]", "\\w", "\\.", "^", "$", "\\b", "\\B", "", "\\u{1f600}", "."),
      fc.array(tie("pattern"), { maxLength: 4 }).map((parts) => parts.join("")),
      fc.array(tie("pattern"), { minLength: 1, maxLength: 3 }).map((options) => `(?:${options.join("|")})`),
      fc
        .tuple(tie("pattern"), fc.constantFrom("*", "+", "?", "*?", "{2}", "{1,3}", "{2,}"))
        .map(([part, times]) => `(${part})${times}`),
      tie("pattern").map((part) => `(?i:${part})`),
    ),
  }));
  const text = fc.string({ unit: fc.constantFrom("a", "b", "c", "A", "1", ".", " ", "\n", "😀"), maxLength: 8 });
  fc.assert(
    fc.property(pattern, fc.constantFrom("", "i", "s", "is"), text, (source, flags, candidate) => {
      const theirs = new RegExp(source, `u${flags}`).test(candidate);
      const written = `(?${flags})${source.replaceAll("\\u", "\\x")}`;
      expect(goPattern(written).test(candidate)).toBe(theirs);
    }),
    { seed: 21, numRuns: 3000 },
  );
});

describe("a pattern that would take JavaScript for ever", () => {
  test.each([
    ["^(a+)+$", `${"a".repeat(100_000)}b`],
    ["^(a|aa)+$", `${"a".repeat(100_000)}b`],
    ["^(\\w*)*\\s$", "a".repeat(100_000)],
    ["(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)x", "y".repeat(100_000)],
    ["^(([a-z])+.)+[A-Z]([a-z])+$", "a".repeat(100_000)],
  ])("%s", (pattern, text) => {
    expect(goPattern(pattern).test(text)).toBe(false);
  });

  test("a text that fits is still found", () => {
    expect(goPattern("^(a+)+$").test("a".repeat(100_000))).toBe(true);
  });
});

test.each([
  ["repeats repetitions", "((a{100}){100}){100}", /invalid repeat count/],
  ["nests without end", `${"(".repeat(2000)}${")".repeat(2000)}`, /nests too deeply/],
  ["says very much", "a?".repeat(10_000), /expression too large/],
  ["opens brackets without end", "[".repeat(1_000_000), /missing closing \]/],
  ["opens brackets without end, and escapes it", `${"[".repeat(1_000_000)}\\`, /trailing backslash/],
  ["opens names without end", "[[:".repeat(1_000_000), /missing closing \]/],
])("a pattern that %s is none", (_, pattern, message) => {
  expect(() => goPattern(pattern)).toThrow(message);
});

test("more work than a text is worth: it does not match", () => {
  expect(goPattern(`^(?:${"a?".repeat(900)})*b$`).test("a".repeat(1_000_000))).toBe(false);
});
