/**
 * Ours against Kubernetes' own parser, over the texts and answers in testdata/quantities.json (its README says how they
 * were made). Each way to differ has a name here and a reason in quantity.ts; whatever differs otherwise fails.
 */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type Notation, Quantity } from "./quantity.ts";

interface Answers {
  accepted: [text: string, canonical: string, value: string, notation: Notation][];
  refused: string[];
  pairs: [a: string, b: string, order: number, sum: string, difference: string, whole: string][];
}

const kubernetes: Answers = JSON.parse(
  readFileSync(new URL("./testdata/quantities.json", import.meta.url), "utf8"),
) as Answers;

const THOUSAND_EXA = 10n ** 21n;
const MAX_INT64 = (1n << 63n) - 1n;

const size = (bytes: bigint) => (bytes < 0n ? -bytes : bytes);
const hasNoDigit = (text: string) => !/^[+-]?\.?\d/.test(text);
const hasHugeExponent = (text: string) => Math.abs(Number(/[eE]([+-]?\d+)$/.exec(text)?.[1] ?? 0)) > 1_000;

/** Kubernetes looks for a suffix for 10^21 and more, finds none, and prints the number without. */
const losesItsSuffix = (q: Quantity) =>
  q.notation !== "exponent" && size(q.toBytes()) >= THOUSAND_EXA && q.toString().endsWith("000E");

/** Kubernetes prints a binary form that would be capped when it is read again. */
const isPastTheCap = (q: Quantity) => q.notation === "binary" && size(q.toBytes()) > MAX_INT64;

describe("what Kubernetes accepts", () => {
  const ours = kubernetes.accepted
    .filter(([text]) => !hasNoDigit(text) && !hasHugeExponent(text))
    .map(([text, canonical, value, notation]) => ({ q: Quantity.tryParse(text), text, canonical, value, notation }));

  test("is accepted, and kept in the same notation", () => {
    expect(ours.map(({ text, q }) => [text, q?.notation])).toEqual(ours.map(({ text, notation }) => [text, notation]));
    expect(ours.length).toBeGreaterThan(2_300);
  });

  test("prints in the same canonical form, decimal thousands of exa apart", () => {
    const differing = ours.filter(({ q, canonical }) => q?.toString() !== canonical);
    expect(differing.filter(({ q }) => q === undefined || !losesItsSuffix(q))).toEqual([]);
    expect(differing.map(({ text }) => text)).toContain("1000E");
  });

  test("is the same number of bytes, where Kubernetes can tell: its Value() is an int64, and wraps below zero", () => {
    const tellable = ours.filter(({ q }) => q !== undefined && q.nanos >= 0n && q.toBytes() <= MAX_INT64);
    expect(tellable.map(({ text, q }) => [text, String(q?.toBytes())])).toEqual(
      tellable.map(({ text, value }) => [text, value]),
    );
    expect(tellable.length).toBeGreaterThan(1_500);
  });

  test("is refused on purpose when it has no digit or an exponent past a thousand", () => {
    const strict = kubernetes.accepted
      .map(([text]) => text)
      .filter((text) => hasNoDigit(text) || hasHugeExponent(text));
    expect(strict.filter((text) => Quantity.tryParse(text) !== undefined)).toEqual([]);
    expect(strict).toEqual(expect.arrayContaining(["Gi", "-", ".", "1e1001"]));
  });
});

test("what Kubernetes refuses is refused", () => {
  expect(kubernetes.refused.filter((text) => Quantity.tryParse(text) !== undefined)).toEqual([]);
  expect(kubernetes.refused.length).toBeGreaterThan(400);
});

test("order, sum, difference and rounding up are those of Kubernetes", () => {
  const differing: unknown[] = [];
  for (const [textA, textB, order, sum, difference, whole] of kubernetes.pairs) {
    const [a, b] = [Quantity.parse(textA), Quantity.parse(textB)];
    expect([textA, textB, a.compare(b)]).toEqual([textA, textB, order]);
    const results: [Quantity, string][] = [
      [a.plus(b), sum],
      [a.minus(b), difference],
      [a.roundUp(), whole],
    ];
    for (const [ours, theirs] of results) {
      if (losesItsSuffix(ours) || isPastTheCap(ours)) continue;
      if (ours.toString() !== theirs) differing.push([textA, textB, ours.toString(), theirs]);
    }
  }
  expect(differing).toEqual([]);
  expect(kubernetes.pairs.length).toBe(300);
});
