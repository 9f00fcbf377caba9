import { expect, onTestFinished, test, vi } from "vitest";
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

test("many who ask share one turn, and each has its few in it", async () => {
  const asked = vi.spyOn(globalThis, "setImmediate");
  onTestFinished(() => asked.mockRestore());
  const all = Array.from({ length: 5 }, () => ({ begin: createFewPerTurn(), begun: 0 }));
  for (const each of all) for (let number = 0; number < 20; number++) each.begin(() => each.begun++);
  expect(asked).toHaveBeenCalledTimes(1);
  expect(all.map(({ begun }) => begun)).toEqual(all.map(() => 16));
  await turn();
  expect(all.map(({ begun }) => begun)).toEqual(all.map(() => 20));
});
