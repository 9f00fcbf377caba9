import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { OutgrowError } from "./errors.ts";
import { type Notation, parseOptional, Quantity } from "./quantity.ts";

const SEED = { seed: 20_261_115, numRuns: 2_000 };
const canonical = (text: string) => Quantity.parse(text).toString();

describe("canonical form", () => {
  test.each([
    // binary: the largest suffix that leaves a whole number
    ["1024Mi", "1Gi"],
    ["1.5Gi", "1536Mi"],
    ["0.5Gi", "512Mi"],
    ["1000Gi", "1000Gi"],
    ["2048Ki", "2Mi"],
    ["1Ei", "1Ei"],
    [".5Gi", "512Mi"],
    ["5.Gi", "5Gi"],
    // below a kibibyte there is no binary form; a fraction of a byte has none either
    ["0.5Ki", "512"],
    ["1.1Gi", "1181116006400m"],
    ["0.0001Ki", "102400u"],
    // decimal: no fractions, at most three trailing zeros more than needed
    ["0.1", "100m"],
    ["1.5", "1500m"],
    ["1000", "1k"],
    ["1500", "1500"],
    ["0.5G", "500M"],
    ["1000P", "1E"],
    ["1000E", "1000E"],
    // exponents stay exponents, in steps of three
    ["1e3", "1e3"],
    ["1E3", "1e3"],
    ["1e+3", "1e3"],
    ["1e2", "100"],
    ["12e4", "120e3"],
    ["1e-3", "1e-3"],
    ["1e0", "1"],
    // a lone E is exa, not an exponent
    ["1E", "1E"],
    // signs and zeros
    ["-1.5Gi", "-1536Mi"],
    ["+1", "1"],
    ["007", "7"],
    ["-0", "0"],
    ["0Gi", "0"],
    ["0e9", "0"],
    // finer than a billionth is rounded away from zero: who wants some gets some
    ["0.0000000001", "1n"],
    ["-0.0000000001", "-1n"],
    ["1e-100", "1e-9"],
    // binary notation is capped at what an int64 holds, decimal is not
    ["8Ei", "9223372036854775807"],
    ["-9Ei", "-9223372036854775807"],
    ["9223372036854775808", "9223372036854775808"],
  ])("%s prints as %s", (text, printed) => {
    expect(canonical(text)).toBe(printed);
    expect(JSON.stringify({ size: Quantity.parse(text) })).toBe(JSON.stringify({ size: printed }));
  });
});

describe("what is not a quantity", () => {
  test.each([
    "",
    " ",
    "Gi",
    "-",
    ".",
    ".Gi",
    "1 Gi",
    " 1Gi",
    "1Gi ",
    "1e",
    "1E+",
    "1e3.5",
    "1Ki1",
    "1m3",
    "1K",
    "1gi",
    "1GB",
    "1GiB",
    "1Zi",
    "1.2.3",
    "--1",
    "+-1",
    "1_000",
    "1,5Gi",
    "0x10",
    "１",
    "NaN",
    "Infinity",
    "1e1001",
    "1e-1001",
    "9".repeat(1_001),
    `0.${"0".repeat(1_000)}`,
  ])("%j is refused, showing the text and a right example", (text) => {
    expect(Quantity.tryParse(text)).toBeUndefined();
    expect(() => Quantity.parse(text)).toThrow(
      expect.objectContaining({ code: "QUANTITY_INVALID", message: expect.stringContaining(JSON.stringify(text)) }),
    );
    expect(() => Quantity.parse(text)).toThrow(/for example 10Gi/);
  });

  test("an error that a person meets is an OutgrowError", () => {
    expect(() => Quantity.parse("lots")).toThrow(OutgrowError);
  });

  test("a long text is refused without trying every way to split it", () => {
    expect(Quantity.tryParse(`${"1".repeat(1_000_000)}x`)).toBeUndefined();
    expect(Quantity.tryParse(`1${"e".repeat(1_000_000)}x`)).toBeUndefined();
  });
});

describe("bytes", () => {
  test.each([
    ["1Gi", 1_073_741_824n],
    ["1001m", 2n],
    ["1n", 1n],
    ["-1500m", -2n],
    ["1.1Gi", 1_181_116_007n],
    ["9007199254740993", 9_007_199_254_740_993n],
  ])("%s is %s bytes, rounded away from zero", (text, bytes) => {
    expect(Quantity.parse(text).toBytes()).toBe(bytes);
    expect(Quantity.parse(text).roundUp().equals(Quantity.bytes(bytes))).toBe(true);
  });

  test("rounding up keeps the notation, and a whole quantity as it is", () => {
    expect(Quantity.parse("1.1Gi").roundUp().toString()).toBe("1181116007");
    expect(Quantity.parse("1500m").roundUp().toString()).toBe("2");
    const whole = Quantity.parse("10Gi");
    expect(whole.roundUp()).toBe(whole);
  });

  test("bytes print in binary notation", () => {
    expect(Quantity.bytes(10n * 1024n ** 3n).toString()).toBe("10Gi");
    expect(Quantity.bytes(1_000_000n).toString()).toBe("1000000");
  });
});

describe("sums", () => {
  test.each([
    ["1Gi", "1Gi", "2Gi", "0"],
    ["1Gi", "1G", "2073741824", "73741824"],
    ["500m", "500m", "1", "0"],
    ["0", "1Gi", "1Gi", "-1Gi"],
    ["1k", "1Ki", "2024", "-24"],
  ])("%s and %s: sum %s, difference %s", (a, b, sum, difference) => {
    expect(Quantity.parse(a).plus(Quantity.parse(b)).toString()).toBe(sum);
    expect(Quantity.parse(a).minus(Quantity.parse(b)).toString()).toBe(difference);
  });

  test("a binary sum past the cap can still be read again", () => {
    const sum = Quantity.bytes(1n << 63n).plus(Quantity.bytes(1n << 63n));
    expect(sum.toString()).toBe("18446744073709551616");
    expect(Quantity.parse(sum.toString()).equals(sum)).toBe(true);
  });
});

describe("comparing", () => {
  test("notation does not count", () => {
    expect(Quantity.parse("1Gi").equals(Quantity.parse("1024Mi"))).toBe(true);
    expect(Quantity.parse("1Gi").compare(Quantity.parse("1073741824"))).toBe(0);
    expect(Quantity.parse("1G").lessThan(Quantity.parse("1Gi"))).toBe(true);
  });

  test("max gives the larger, and the first of two equal ones", () => {
    const [gibi, mebi, more] = [Quantity.parse("1Gi"), Quantity.parse("1024Mi"), Quantity.parse("2Gi")];
    expect(Quantity.max(gibi, more)).toBe(more);
    expect(Quantity.max(more, gibi)).toBe(more);
    expect(Quantity.max(gibi, mebi)).toBe(gibi);
  });
});

test("a missing quantity is missing, an unreadable one is an error", () => {
  expect(parseOptional(undefined)).toBeUndefined();
  expect(parseOptional("1Gi")?.toString()).toBe("1Gi");
  expect(() => parseOptional("")).toThrow(/is not a quantity/);
});

describe("for all quantities", () => {
  const SUFFIXES: Readonly<Record<Notation, readonly string[]>> = {
    binary: ["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"],
    decimal: ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"],
    exponent: ["e-9", "e-3", "e0", "e1", "e6", "E+12", "e33"],
  };
  const text = fc
    .tuple(
      fc.constantFrom("", "-", "+"),
      fc.bigInt(0n, 10n ** 20n),
      fc.option(fc.stringMatching(/^\d{0,12}$/), { nil: undefined }),
      fc.constantFrom(...Object.values(SUFFIXES).flat()),
    )
    .map(
      ([sign, whole, fraction, suffix]) => `${sign}${whole}${fraction === undefined ? "" : `.${fraction}`}${suffix}`,
    );
  const quantity = text.map((text) => Quantity.parse(text));

  test("parse(format(x)) = x", () => {
    fc.assert(
      fc.property(quantity, (x) => {
        expect(Quantity.parse(x.toString()).nanos).toBe(x.nanos);
      }),
      SEED,
    );
  });

  test("the canonical form is a fixed point", () => {
    fc.assert(
      fc.property(quantity, (x) => {
        expect(canonical(x.toString())).toBe(x.toString());
      }),
      SEED,
    );
  });

  test("sums and differences can be read again, too", () => {
    fc.assert(
      fc.property(quantity, quantity, (a, b) => {
        for (const x of [a.plus(b), a.minus(b)]) expect(Quantity.parse(x.toString()).nanos).toBe(x.nanos);
      }),
      SEED,
    );
  });

  test("order is that of the numbers", () => {
    const whole = fc.bigInt(-(10n ** 24n), 10n ** 24n);
    const near = fc.tuple(whole, fc.bigInt(-2n, 2n)).map(([a, step]): [bigint, bigint] => [a, a + step]);
    fc.assert(
      fc.property(fc.oneof(fc.tuple(whole, whole), near), fc.constantFrom("n", "m", "", "e3"), ([a, b], suffix) => {
        const [x, y] = [Quantity.parse(`${a}${suffix}`), Quantity.parse(`${b}${suffix}`)];
        expect(Math.sign(x.compare(y))).toBe(a < b ? -1 : a > b ? 1 : 0);
        expect([x.lessThan(y), x.equals(y), x.moreThan(y), x.atLeast(y)]).toEqual([a < b, a === b, a > b, a >= b]);
        expect(Quantity.max(x, y).nanos).toBe(a >= b ? x.nanos : y.nanos);
      }),
      SEED,
    );
  });

  test("arithmetic is exact", () => {
    fc.assert(
      fc.property(quantity, quantity, (a, b) => {
        expect(a.plus(b).nanos).toBe(a.nanos + b.nanos);
        expect(a.plus(b).minus(b).equals(a)).toBe(true);
        expect(a.plus(b).equals(b.plus(a))).toBe(true);
      }),
      SEED,
    );
  });

  test("rounding up gives the next whole number away from zero", () => {
    fc.assert(
      fc.property(quantity, (x) => {
        const [up, down] = [x.toBytes() * 1_000_000_000n, x.nanos];
        expect(x.roundUp().nanos).toBe(up);
        const gap = down < 0n ? down - up : up - down;
        expect(gap >= 0n && gap < 1_000_000_000n).toBe(true);
      }),
      SEED,
    );
  });
});
