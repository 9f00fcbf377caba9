/** What patterns match is held against a real server in test/kube/crd/patterns.test.ts; here is what they cost nothing to show. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { goPattern } from "./go-pattern.ts";

test.each([
  ["\\Aa\\z", "a", "a\n"],
  ["^.$", "\r", "\n"],
  ["^[[:^digit:]]$", "a", "1"],
  ["^[\\S]$", "\u00a0", " "],
  ["^\\p{Greek}$", "α", "a"],
  ["^\\Q.\\E$", ".", "a"],
  ["(?P<x>a)b", "ab", "b"],
  ["^{$", "{", "a"],
  ["^a(?i)b$", "aB", "Ab"],
  ["^(?:(?i)a)b$", "Ab", "aB"],
  ["^(?s:.)$", "\n", ""],
  ["^(?i)[^\\P{Lu}]$", "a", "1"],
  ["^[\\w-.]+$", "a-b.c", "a b"],
  ["^\\_\\ \\101$", "_ A", "_A"],
  ["^\\p{lowercase letter}$", "a", "A"],
])("%s matches %j and not %j", (pattern, fits, other) => {
  expect(goPattern(pattern).test(fits)).toBe(true);
  expect(goPattern(pattern).test(other)).toBe(false);
});

test.each([
  "(?=a)",
  "(?!a)",
  "(?<=a)b",
  "(a)\\1",
  "a{1001}",
  "(",
  "a)",
  "[a",
  "*a",
  "a\\",
  "\\y",
  "[[:nothing:]]",
  "a**",
  "\\p{Latn}",
])("%s is no pattern", (pattern) => {
  expect(() => goPattern(pattern)).toThrow(SyntaxError);
});

test("a text that is quoted matches itself", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      fc.pre(!text.includes("\\E"));
      expect(goPattern(`(?s)^\\Q${text}\\E$`).test(text)).toBe(true);
    }),
    { seed: 20_260_101 },
  );
});
