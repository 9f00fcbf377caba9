import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openDesk } from "./number-desk.ts";
import { createNumberPool } from "./number-pool.ts";

const SEED = 20_260_301;
const RANGE = { first: 10, last: 29, chosenBelow: 15 };
const WORDS = { outside: "outside", taken: "taken" };

describe("numbers", () => {
  test("are given to one at a time, whatever is taken and freed in between", () => {
    const action = fc.record({
      act: fc.constantFrom("any", "take", "free"),
      number: fc.integer({ min: RANGE.first, max: RANGE.last }),
      chance: fc.nat(),
    });
    fc.assert(
      fc.property(fc.array(action, { maxLength: 100 }), (actions) => {
        let chance = 0;
        const pool = createNumberPool(RANGE, (limit) => chance % limit);
        const held = new Set<number>();
        for (const { act, number, chance: drawn } of actions) {
          chance = drawn;
          if (act === "free") {
            pool.free(number);
            held.delete(number);
          } else if (act === "take") {
            expect(pool.take(number)).toBe(!held.has(number));
            held.add(number);
          } else {
            const any = pool.takeAny();
            expect(any === undefined).toBe(held.size === RANGE.last - RANGE.first + 1);
            if (any === undefined) continue;
            expect(held.has(any)).toBe(false);
            expect(pool.contains(any)).toBe(true);
            held.add(any);
          }
        }
      }),
      { seed: SEED },
    );
  });

  test("that people choose from are given out by chance only when no others are left", () => {
    const pool = createNumberPool(RANGE, () => 0);
    const given = Array.from({ length: 20 }, () => pool.takeAny() ?? 0);
    expect(given.slice(0, 15).every((number) => number >= RANGE.chosenBelow)).toBe(true);
    expect(new Set(given).size).toBe(20);
    expect(pool.takeAny()).toBeUndefined();
  });

  test("go back to the pool when what they were for did not come about, and no others", () => {
    const pool = createNumberPool(RANGE, () => 0);
    pool.take(11);
    const desk = openDesk(pool, [11], WORDS);
    expect([desk.obstacle(11), desk.obstacle(12), desk.obstacle(99)]).toEqual([undefined, undefined, "outside"]);
    const other = openDesk(pool, [], WORDS);
    expect([other.obstacle(11), other.obstacle(12)]).toEqual(["taken", "taken"]);
    desk.revert();
    expect([other.obstacle(11), other.obstacle(12)]).toEqual(["taken", undefined]);
  });
});
