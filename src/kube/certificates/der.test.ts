import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bits, contentOf, element, elementsIn, integer, moment, oid, sequence, text } from "./der.ts";

const SEED = { seed: 20_260_101, numRuns: 300 };
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

describe("as X.690 and RFC 5280 have it", () => {
  test.each([
    ["nothing in it", sequence(), "3000"],
    ["a number", integer(Buffer.from([2])), "020102"],
    ["a number without its leading zeros", integer(Buffer.from([0, 0, 5])), "020105"],
    ["a number whose first bit is set is not negative", integer(Buffer.from([0x80])), "02020080"],
    ["nought", integer(Buffer.from([0, 0])), "020100"],
    ["an identifier", oid("2.5.29.17"), "0603551d11"],
    ["an identifier with large parts", oid("1.2.840.10045.4.3.2"), "06082a8648ce3d040302"],
    ["bits, not all of which count", bits(Buffer.from([0b1000_0000]), 7), "03020780"],
    ["plain text", text("outgrow"), "13076f757467726f77"],
    ["text beyond that", text("größe"), "0c076772c3b6c39f65"],
    ["a moment until 2049", moment(new Date("2049-12-31T23:59:59Z")), "170d3439313233313233353935395a"],
    ["a moment from 2050 on", moment(new Date("2050-01-01T00:00:00.999Z")), "180f32303530303130313030303030305a"],
  ])("%s", (_, actual, expected) => {
    expect(hex(actual)).toBe(expected);
  });
});

test("what was put together is taken apart again, however long it is", () => {
  const lengths = fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 65_000, max: 70_000 }));
  const content = fc.tuple(lengths, fc.nat(255)).map(([length, byte]) => Buffer.alloc(length, byte));
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: 1, max: 0xbe }), content), { maxLength: 4 }), (parts) => {
      const elements = parts.map(([tag, bytes]) => element(tag, bytes));
      const found = elementsIn(contentOf(sequence(...elements)));
      expect(found.map(hex)).toEqual(elements.map(hex));
      expect(found.map((each) => hex(contentOf(each)))).toEqual(parts.map(([, bytes]) => hex(bytes)));
    }),
    { ...SEED, numRuns: 60 },
  );
});

test("what is cut off is never read past its end", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 300 }), fc.nat(), (bytes, at) => {
      const whole = sequence(element(4, bytes));
      const cut = whole.subarray(0, 1 + (at % (whole.length - 1)));
      expect(() => elementsIn(cut)).toThrow(RangeError);
    }),
    SEED,
  );
});
