import { describe, expect, test } from "vitest";
import { createHpackDecoder, type Field, HpackError } from "./index.ts";

const decoder = (tableBytes = 4096, maxListBytes = 65_536) => createHpackDecoder({ tableBytes, maxListBytes });
const octets = (...parts: (string | Buffer | number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part))));

/** A literal to be remembered, with a name of its own; both shorter than 127 octets. */
const remembered = (name: string, value: string): Buffer => octets([0x40, name.length], name, [value.length], value);
const indexed = (index: number): Buffer => octets([0x80 | index]);
const resized = (bytes: number): Buffer =>
  bytes < 31 ? octets([0x20 | bytes]) : octets([0x3f, ((bytes - 31) & 0x7f) | 0x80, (bytes - 31) >> 7]);

describe("the table", () => {
  test("gives the same field each time, of either table", () => {
    const { decode } = decoder();
    const [first] = decode(remembered("user-agent", "kubectl")).fields;
    const [again, get] = decode(octets([0xbe, 0x82])).fields;
    expect(again).toBe(first);
    expect(decode(indexed(2)).fields[0]).toBe(get);
  });

  test("goes round for as long as one likes, the newest first", () => {
    const { decode } = decoder();
    // Of 37 octets each: 110 of them have room.
    for (let count = 0; count < 1000; count++) {
      const name = `n${String(count).padStart(3, "0")}`;
      decode(remembered(name, "v"));
      if (count < 110) continue;
      expect(decode(indexed(62)).fields).toEqual([[name, "v"]]);
      // 62 + 109 = 171, the oldest.
      expect(decode(octets([0xff, 171 - 127])).fields).toEqual([[`n${String(count - 109).padStart(3, "0")}`, "v"]]);
    }
    expect(() => decode(octets([0xff, 172 - 127]))).toThrow("there is no field 172 in the tables");
  });

  test("is emptied by a field that is larger than itself, which is still there to read", () => {
    const { decode } = decoder();
    decode(octets(resized(64), remembered("a", "1")));
    const large = remembered("b", "x".repeat(40));
    expect(decode(large).fields).toEqual([["b", "x".repeat(40)]]);
    expect(() => decode(indexed(62))).toThrow("there is no field 62");
  });

  test("takes a name from the field that goes to make room", () => {
    const { decode } = decoder();
    decode(octets(resized(40), remembered("name", "old")));
    expect(decode(octets([0x7e, 3], "new")).fields).toEqual([["name", "new"]]);
    expect(decode(indexed(62)).fields).toEqual([["name", "new"]]);
    expect(() => decode(indexed(63))).toThrow("there is no field 63");
  });

  test("shrinks and grows as the peer says, to nothing and back", () => {
    const { decode } = decoder();
    decode(octets(remembered("a", "1"), remembered("b", "2")));
    expect(decode(octets(resized(40), indexed(62))).fields).toEqual([["b", "2"]]);
    expect(() => decode(indexed(63))).toThrow(HpackError);
    const { decode: another } = decoder();
    another(remembered("a", "1"));
    another(octets(resized(0), resized(4096), remembered("b", "2")));
    expect(another(indexed(62)).fields).toEqual([["b", "2"]]);
    expect(() => another(indexed(63))).toThrow(HpackError);
  });

  test("has 4096 octets until the peer says otherwise, whatever was announced", () => {
    const { decode } = decoder(65_536);
    for (let count = 0; count < 200; count++) decode(remembered("name", "v"));
    // 4096 / 37
    expect(decode(octets([0xff, 61 + 110 - 127])).fields).toEqual([["name", "v"]]);
    expect(() => decode(octets([0xff, 61 + 111 - 127]))).toThrow(HpackError);
    const { decode: larger } = decoder(65_536);
    larger(resized(8192));
    for (let count = 0; count < 300; count++) larger(remembered("name", "v"));
    // 8192 / 37 = 221: 62 + 220 = 282 = 127 + 155
    expect(larger(octets([0xff, 0x80 | (155 & 0x7f), 155 >> 7])).fields).toEqual([["name", "v"]]);
    expect(() => larger(octets([0xff, 0x80 | (156 & 0x7f), 156 >> 7]))).toThrow(HpackError);
  });
});

describe("a list that is too large", () => {
  test("is kept up to what may be kept, and the table stays in step", () => {
    const { decode } = decoder(4096, 70);
    const block = octets(remembered("a", "1"), remembered("b", "2"), remembered("c", "3"), indexed(64));
    expect(decode(block)).toEqual({
      fields: [
        ["a", "1"],
        ["b", "2"],
      ],
      tooLarge: true,
    });
    expect(decode(indexed(62))).toEqual({ fields: [["c", "3"]], tooLarge: false });
  });

  test("may be exactly as large as it may be", () => {
    expect(decoder(4096, 34).decode(remembered("a", "1"))).toEqual({ fields: [["a", "1"]], tooLarge: false });
    expect(decoder(4096, 33).decode(remembered("a", "1"))).toEqual({ fields: [], tooLarge: true });
  });

  test("takes no memory by telling the same field many times", () => {
    const { decode } = decoder(4096, 16_384);
    const field: Field = ["x", "y".repeat(120)];
    decode(remembered(...field));
    const { fields, tooLarge } = decode(Buffer.alloc(1_000_000, 0xbe));
    expect(tooLarge).toBe(true);
    expect(fields).toHaveLength(Math.floor(16_384 / 153));
  });
});

describe("what cannot be decoded", () => {
  test.each<[string, Buffer, string]>([
    ["an index of nothing", octets([0x80]), "there is no field 0"],
    ["an index behind both tables", indexed(62), "there is no field 62"],
    ["a name behind both tables", octets([0x7e, 0]), "there is no field 62"],
    ["a name without its value", octets([0x40, 1], "a"), "ends in the middle of a field"],
    ["a text that is cut short", octets([0x40, 2], "a"), "ends in the middle of a text"],
    ["a text of four gigabytes", octets([0x00, 0x7f, 0x80, 0xff, 0xff, 0xff, 0x0f]), "ends in the middle of a text"],
    ["a literal alone", octets([0x40]), "ends in the middle of a field"],
    ["an integer that is cut short", octets([0xff, 0x80]), "ends in the middle of a field"],
    ["an integer of 33 bits", octets([0xff, 0x81, 0xff, 0xff, 0xff, 0x0f]), "more than 32 bits"],
    ["an integer that never ends", octets([0xff], Array(100).fill(0x80)), "more than 32 bits"],
    ["zeros that never end", octets([0xff], Array(5).fill(0x80), [0]), "more than 32 bits"],
    ["a table that is larger than announced", octets([0x3f, 0xe2, 0x1f]), "4097 octets is asked for, and 4096"],
    ["a size after a field", octets([0x82, 0x20]), "in the middle of a header block"],
  ])("%s", (_, block, message) => {
    expect(() => decoder().decode(block)).toThrow(HpackError);
    expect(() => decoder().decode(block)).toThrow(message);
  });

  test("the largest integer is none that is too large", () => {
    expect(() => decoder().decode(octets([0xff, 0x80, 0xff, 0xff, 0xff, 0x0f]))).toThrow(
      "there is no field 4294967295",
    );
  });

  test("an empty block has no fields", () => {
    expect(decoder().decode(Buffer.alloc(0))).toEqual({ fields: [], tooLarge: false });
  });
});
