import { expect, test } from "vitest";
import { runChaos } from "./chaos.ts";

test("whatever people do and whoever is restarted, everything settles and quota is exact in the end", async () => {
  const said: string[] = [];
  await runChaos({ seed: 1790, steps: 40, claims: 10, sets: 2, tell: (line) => said.push(line) });
  // Refusals are part of it, but a run in which nothing happens would show nothing.
  expect(said.filter((line) => line.endsWith(": done")).length).toBeGreaterThan(20);
});
