/** The examples of RFC 7541, appendix C. */
import { describe, expect, test } from "vitest";
import { BlockReader } from "./block-reader.ts";
import { createHpackDecoder, type Field } from "./index.ts";

const octets = (hex: string): Buffer => Buffer.from(hex.replaceAll(/\s/g, ""), "hex");

/** What one decoder makes of blocks that follow one another. */
function decodeAll(blocks: readonly string[]): (readonly Field[])[] {
  const decoder = createHpackDecoder({ tableBytes: 4096, maxListBytes: 4096 });
  return blocks.map((block) => {
    const { fields, tooLarge } = decoder.decode(octets(block));
    expect(tooLarge).toBe(false);
    return fields;
  });
}

test.each([
  ["C.1.1", "0a", 0x1f, 10],
  ["C.1.2", "1f9a0a", 0x1f, 1337],
  ["C.1.3", "2a", 0xff, 42],
])("%s: an integer", (_, hex, mask, value) => {
  const reader = new BlockReader(octets(hex));
  expect(reader.integer(mask)).toBe(value);
  expect(reader.atEnd).toBe(true);
});

test.each<[string, string, Field]>([
  ["C.2.1", "400a 6375 7374 6f6d 2d6b 6579 0d63 7573 746f 6d2d 6865 6164 6572", ["custom-key", "custom-header"]],
  ["C.2.2", "040c 2f73 616d 706c 652f 7061 7468", [":path", "/sample/path"]],
  ["C.2.3", "1008 7061 7373 776f 7264 0673 6563 7265 74", ["password", "secret"]],
  ["C.2.4", "82", [":method", "GET"]],
])("%s: a field", (_, hex, field) => {
  expect(decodeAll([hex])).toEqual([[field]]);
});

describe("requests on one connection", () => {
  const authority: Field = [":authority", "www.example.com"];
  const get: readonly Field[] = [
    [":method", "GET"],
    [":scheme", "http"],
    [":path", "/"],
  ];
  const lists: readonly (readonly Field[])[] = [
    [...get, authority],
    [...get, authority, ["cache-control", "no-cache"]],
    [[":method", "GET"], [":scheme", "https"], [":path", "/index.html"], authority, ["custom-key", "custom-value"]],
  ];

  test("C.3: plain", () => {
    const blocks = [
      "8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d",
      "8286 84be 5808 6e6f 2d63 6163 6865",
      "8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65",
    ];
    expect(decodeAll(blocks)).toEqual(lists);
  });

  test("C.4: in Huffman's code", () => {
    const blocks = [
      "8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff",
      "8286 84be 5886 a8eb 1064 9cbf",
      "8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf",
    ];
    expect(decodeAll(blocks)).toEqual(lists);
  });
});

describe("responses on one connection, whose table of 256 octets drops the oldest", () => {
  /** What the examples have agreed on before; here the first block says so. */
  const TABLE_OF_256 = "3fe101";
  const rest: readonly Field[] = [
    ["cache-control", "private"],
    ["date", "Mon, 21 Oct 2013 20:13:21 GMT"],
    ["location", "https://www.example.com"],
  ];
  const lists: readonly (readonly Field[])[] = [
    [[":status", "302"], ...rest],
    [[":status", "307"], ...rest],
    [
      [":status", "200"],
      ["cache-control", "private"],
      ["date", "Mon, 21 Oct 2013 20:13:22 GMT"],
      ["location", "https://www.example.com"],
      ["content-encoding", "gzip"],
      ["set-cookie", "foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1"],
    ],
  ];
  /** The table after the last of them has three fields, the newest first. */
  const TABLE = "bebfc0";
  const table = [lists[2]?.[5], lists[2]?.[4], lists[2]?.[2]];

  test("C.5: plain", () => {
    const blocks = [
      `${TABLE_OF_256} 4803 3330 3258 0770 7269 7661 7465 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133
        2032 303a 3133 3a32 3120 474d 546e 1768 7474 7073 3a2f 2f77 7777 2e65 7861 6d70 6c65 2e63 6f6d`,
      "4803 3330 37c1 c0bf",
      `88c1 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3220 474d
        54c0 5a04 677a 6970 7738 666f 6f3d 4153 444a 4b48 514b 425a 584f 5157 454f 5049
        5541 5851 5745 4f49 553b 206d 6178 2d61 6765 3d33 3630 303b 2076 6572 7369 6f6e 3d31`,
      TABLE,
    ];
    expect(decodeAll(blocks)).toEqual([...lists, table]);
    expect(() => decodeAll([...blocks, "c1"])).toThrow("there is no field 65 in the tables");
  });

  test("C.6: in Huffman's code", () => {
    const blocks = [
      `${TABLE_OF_256} 4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6
        2d1b ff6e 919d 29ad 1718 63c7 8f0b 97c8 e9ae 82ae 43d3`,
      "4883 640e ffc1 c0bf",
      `88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166 e084 a62d 1bff c05a 839b d9ab
        77ad 94e7 821d d7f2 e6c7 b335 dfdf cd5b 3960 d5af 2708 7f36 72c1 ab27 0fb5 291f
        9587 3160 65c0 03ed 4ee5 b106 3d50 07`,
      TABLE,
    ];
    expect(decodeAll(blocks)).toEqual([...lists, table]);
    expect(() => decodeAll([...blocks, "c1"])).toThrow("there is no field 65 in the tables");
  });
});
