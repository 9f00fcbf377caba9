import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createHpackDecoder, encodeFields, type Field, HpackError } from "./index.ts";

const SEED = { seed: 7541, numRuns: 2_000 };
const MAX_LIST_BYTES = 2_000;
const decoder = () => createHpackDecoder({ tableBytes: 4096, maxListBytes: MAX_LIST_BYTES });

const text = fc.string({
  unit: fc.integer({ min: 0, max: 255 }).map((octet) => String.fromCharCode(octet)),
  maxLength: 300,
});
const name = fc.oneof(fc.constantFrom(":status", ":path", "accept", "authorization", "content-length", "vary"), text);
const value = fc.oneof(fc.constantFrom("200", "404", "/", ""), text);
const field: fc.Arbitrary<Field> = fc.tuple(name, value);

/** Octets that look like fields more often than any octets do: indices of both tables, literals, sizes, Huffman's code. */
const likely = fc.oneof(
  fc.uint8Array({ maxLength: 8 }),
  fc.integer({ min: 0x80, max: 0xff }).map((octet) => Uint8Array.of(octet)),
  fc.integer({ min: 0x20, max: 0x3f }).map((octet) => Uint8Array.of(octet)),
  fc.tuple(fc.constantFrom(0x00, 0x10, 0x40, 0x41, 0x7e), fc.uint8Array({ maxLength: 40 })).map(([kind, octets]) =>
    // A name or none, and the same octets as a value, now plain and now as a code.
    Uint8Array.of(
      kind,
      ...((kind & 0x0f) === 0 ? [1, 0x61] : []),
      octets.length | (octets.length & 1 ? 0x80 : 0),
      ...octets,
    ),
  ),
);

test("fields come back as they were", () => {
  fc.assert(
    fc.property(fc.array(fc.array(field, { maxLength: 20 }), { maxLength: 5 }), (lists) => {
      const { decode } = createHpackDecoder({ tableBytes: 4096, maxListBytes: 2 ** 20 });
      for (const list of lists) expect(decode(encodeFields(list))).toEqual({ fields: list, tooLarge: false });
    }),
    { ...SEED, numRuns: 300 },
  );
});

test("a block is the same whenever it is made, and is read whatever came before", () => {
  fc.assert(
    fc.property(fc.array(field, { maxLength: 10 }), fc.array(field, { maxLength: 10 }), (before, list) => {
      const { decode } = createHpackDecoder({ tableBytes: 0, maxListBytes: 2 ** 20 });
      const block = Buffer.from(encodeFields(list));
      decode(encodeFields(before));
      expect(decode(block).fields).toEqual(list);
      expect(encodeFields(list)).toEqual(block);
    }),
    { ...SEED, numRuns: 300 },
  );
});

test("whatever the octets, there are fields or an HpackError, and no more than may be kept", () => {
  let decoded = 0;
  let refused = 0;
  const blocks = fc.array(
    fc.array(likely, { maxLength: 20 }).map((parts) => Buffer.concat(parts)),
    { maxLength: 8 },
  );
  fc.assert(
    fc.property(blocks, (blocks) => {
      const { decode } = decoder();
      try {
        for (const block of blocks) {
          const { fields } = decode(block);
          const bytes = fields.reduce((sum, [name, value]) => sum + name.length + value.length + 32, 0);
          expect(bytes).toBeLessThanOrEqual(MAX_LIST_BYTES);
          decoded++;
        }
      } catch (error) {
        if (!(error instanceof HpackError)) throw error;
        refused++;
      }
    }),
    SEED,
  );
  // Both were tried, and often.
  expect(decoded).toBeGreaterThan(100);
  expect(refused).toBeGreaterThan(100);
});

test("a block that is cut anywhere is an error or fewer fields", () => {
  fc.assert(
    fc.property(fc.array(field, { minLength: 1, maxLength: 6 }), fc.nat(), (list, at) => {
      const block = encodeFields(list);
      const cut = block.subarray(0, at % block.length);
      const { decode } = createHpackDecoder({ tableBytes: 4096, maxListBytes: 2 ** 20 });
      try {
        const { fields } = decode(cut);
        expect(fields.length).toBeLessThan(list.length);
        expect(fields).toEqual(list.slice(0, fields.length));
      } catch (error) {
        if (!(error instanceof HpackError)) throw error;
      }
    }),
    SEED,
  );
});

test("what has gone from the table is not kept", () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const { decode } = createHpackDecoder({ tableBytes: 2 ** 20, maxListBytes: 0 });
  // A table of a megabyte.
  decode(Buffer.from([0x3f, 0xe1, 0xff, 0x3f]));
  const field = Buffer.concat([Buffer.from([0x40, 0x01, 0x61, 0x7f, 0x81, 0xbf, 0x31]), Buffer.alloc(811_008, "x")]);
  decode(field);
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let count = 0; count < 50; count++) decode(field);
  collect();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(3 * 811_008);
});
