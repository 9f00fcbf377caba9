import { expect, test } from "vitest";
import { HpackError } from "./hpack-error.ts";
import { decodeHuffman } from "./huffman.ts";
import { END_OF_STRING, huffmanCodes } from "./huffman-code.ts";

function decode(hex: string): string {
  const octets = Buffer.from(hex, "hex");
  return decodeHuffman(octets, 0, octets.length);
}

/** As Go's golang.org/x/net/http2/hpack writes them, which Kubernetes' clients use. */
const ALL_OCTETS =
  "ffc7fffd8fffffe2fffffe3fffffe4fffffe5fffffe6fffffe7fffffe8ffffeafffffff3fffffa7fffffabffffffdfffffebfffffecfffffedfffffeefffffef" +
  "ffffff0ffffff1ffffff2fffffffbfffffcffffffd3fffffd7fffffdbfffffdffffffe3fffffe7fffffebfffffed4fe3f9ffaffcabf1febfafefe7fdfd2cbb00" +
  "089969b71d79fb9f7fff20ffbff3ff50ddbd7f061c58f265cd9f469d5af66dddbf871e5f9cff7ff7fffc3ff9ffe45fff4719242cb34e6e9d68a6a3d7dac426de" +
  "fe3cfaf7fffbfe7ffbffdffffffcfffe6ffff4bfff9ffffa3fffd3ffff53fffd5ffffb3fffeb7fffdaffffb7ffff73fffeeffffdeffffebffffbfffffd9ffffd" +
  "bfffebffffe0ffffeeffffc3ffff8bffff1ffffe4fffee7fffb1ffff97fffd9ffffcdffff9fffffbffffdafffeeffff4ffffb7fffee7fffe8ffffd3fffdeffff" +
  "d5fffeeffffbdffffe1fffdfffff7fffff5ffffecffff07fff87fffe0ffff17fffedffff87ffff77fffeffffeaffff8bfffe3ffff93ffff87fffcbffff37ffff" +
  "1fffff83ffffe1fffebfffe3ffff3fffff2ffffa3ffffd9fffff17ffffc7fffff27ffffdefffffbffffff2fffff8fffffb7fff97fff8fffffe6fffffc1fffff8" +
  "7ffffe7fffffc5ffffe5fffe4ffff2fffffd1fffff4ffffffefffffe3fffffc9fffff97fffb3ffffcffffb7fffcdffff4ffff9ffffd1ffffcffffeaffffaffff" +
  "fddffffeffffff4fffff5fffffabffffa7ffffd7fffff9bffffecfffffb7fffff3fffffe8fffffd3fffffabfffff5fffffff7ffffecfffffdbfffffbbfffff7f" +
  "fffff0fffffbbf";

test("every octet", () => {
  expect(decode(ALL_OCTETS)).toBe(Buffer.from(Array.from({ length: 256 }, (_, octet) => octet)).toString("latin1"));
});

test("codes are those of the appendix, wherever in an octet they begin", () => {
  const codes = new Map(huffmanCodes().map(({ symbol, code, length }) => [symbol, { code, length }]));
  expect(codes.get(0)).toEqual({ code: 0x1ff8, length: 13 });
  expect(codes.get(0x0a)).toEqual({ code: 0x3ffffffc, length: 30 });
  expect(codes.get(0x61)).toEqual({ code: 0x3, length: 5 });
  expect(codes.get(0xff)).toEqual({ code: 0x3ffffee, length: 26 });
  expect(codes.get(END_OF_STRING)).toEqual({ code: 0x3fffffff, length: 30 });
  const bitsOf = (symbol: number): string => {
    const { code, length } = codes.get(symbol)!;
    return code.toString(2).padStart(length, "0");
  };
  for (let symbol = 0; symbol < 256; symbol++) {
    for (let before = 0; before < 8; before++) {
      // A "0" has five bits, so that eight of them begin at every place.
      const bits = "00000".repeat(before) + bitsOf(symbol);
      const padded = bits.padEnd(Math.ceil(bits.length / 8) * 8, "1");
      const octets = Buffer.from((padded.match(/.{8}/g) ?? []).map((octet) => Number.parseInt(octet, 2)));
      expect(decodeHuffman(octets, 0, octets.length)).toBe("0".repeat(before) + String.fromCharCode(symbol));
    }
  }
});

test("nothing is an empty text", () => {
  expect(decode("")).toBe("");
});

test.each([
  ["eight ones after nothing", "ff"],
  ["eight ones after an a", "1fff"],
  ["more than twenty ones after an a", "1fffffff"],
  ["an a and zeros", "18"],
  ["the beginning of another code", "1ffe"],
])("padding that is none is an error: %s", (_, hex) => {
  expect(() => decode(hex)).toThrow(HpackError);
  expect(() => decode(hex)).toThrow("padded");
});

test.each([
  ["first", "fffffffc"],
  ["after an a", "1fffffffff"],
  ["after an a, with more to come", "1fffffffffffffff"],
])("the end of the string is none of its characters: %s", (_, hex) => {
  expect(() => decode(hex)).toThrow("has the end of a string in it");
});
