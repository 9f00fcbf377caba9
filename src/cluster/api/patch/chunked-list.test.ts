import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ChunkedList } from "./chunked-list.ts";

test("is what an array would be after the same operations (seed 41)", () => {
  const operation = fc.record({ what: fc.constantFrom("insert", "remove", "set"), at: fc.nat(), times: fc.nat(1500) });
  const property = fc.property(fc.nat(3000), fc.array(operation, { maxLength: 12 }), (length, operations) => {
    const expected = Array.from({ length }, (_, index) => index);
    const list = new ChunkedList<number>(expected);
    for (const { what, at, times } of operations) {
      for (let time = 0; time < times; time++) {
        const index = at % (expected.length + (what === "insert" ? 1 : 0) || 1);
        if (what === "insert") {
          list.insert(index, -time);
          expected.splice(index, 0, -time);
        } else if (expected.length > 0 && what === "remove") {
          list.remove(index);
          expected.splice(index, 1);
        } else if (expected.length > 0) {
          list.set(index, time);
          expected[index] = time;
        }
      }
      expect(list.length).toBe(expected.length);
      if (expected.length > 0) expect(list.at(at % expected.length)).toBe(expected[at % expected.length]);
    }
    expect(list.items()).toEqual(expected);
  });
  fc.assert(property, { seed: 41, numRuns: 60 });
});
