/** Runs before each file that shares its process with others: it fails when the file leaves the process other than it found it. */
import { afterAll, expect } from "vitest";
import { processState, tracesOf } from "./process-state.ts";

const before = processState();

// What is registered first is called last: after whatever the file itself puts back.
afterAll(() => {
  expect(tracesOf(before, processState())).toEqual([]);
});
