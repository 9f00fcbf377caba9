import { expect, test } from "vitest";
import { createFewPerTurn } from "./few-per-turn.ts";

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("a few are begun at once, the rest in order, a few in each turn", async () => {
  const begin = createFewPerTurn();
  const begun: number[] = [];
  for (let number = 0; number < 40; number++) begin(() => begun.push(number));
  const counts = [begun.length];
  for (let time = 0; time < 3; time++) {
    await turn();
    counts.push(begun.length);
  }
  expect(counts).toEqual([16, 32, 40, 40]);
  expect(begun).toEqual(begun.toSorted((a, b) => a - b));
});

test("who asks for one now and then never waits", async () => {
  const begin = createFewPerTurn();
  let begun = 0;
  for (let number = 1; number <= 50; number++) {
    begin(() => begun++);
    expect(begun).toBe(number);
    await turn();
  }
});
