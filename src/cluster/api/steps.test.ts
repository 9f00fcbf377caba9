import { expect, test } from "vitest";
import { atOnce, inTurns, type Steps } from "./steps.ts";

function* counted(said: string[], upTo: number): Steps<number> {
  for (let step = 1; step < upTo; step++) {
    said.push(`step ${step}`);
    yield;
  }
  said.push(`step ${upTo}`);
  return upTo;
}

test("steps that are done at once give what they lead to", () => {
  const said: string[] = [];
  expect(atOnce(counted(said, 3))).toBe(3);
  expect(inTurns(counted(said, 1), undefined)).toBe(1);
  expect(said).toEqual(["step 1", "step 2", "step 3", "step 1"]);
});

test("others have a turn between two steps, and none behind the last", async () => {
  const said: string[] = [];
  const turn = async (): Promise<void> => void said.push("turn");
  expect(await inTurns(counted(said, 3), turn)).toBe(3);
  expect(said).toEqual(["step 1", "turn", "step 2", "turn", "step 3"]);
});

test("small steps are taken together until they are worth a turn", async () => {
  function* small(): Steps<string> {
    for (let step = 0; step < 100; step++) yield 2 ** 13;
    return "done";
  }
  let turns = 0;
  expect(await inTurns(small(), async () => void turns++)).toBe("done");
  expect(turns).toBe(25);
});

test("what a step throws is thrown, at once or later", async () => {
  function* refused(): Steps<never> {
    yield;
    throw new Error("refused");
  }
  expect(() => atOnce(refused())).toThrow("refused");
  await expect(inTurns(refused(), async () => {})).rejects.toThrow("refused");
});
