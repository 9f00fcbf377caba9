import { expect, test } from "vitest";
import { createEndedStreams } from "./ended-streams.ts";

function ended(): ReturnType<typeof createEndedStreams> & { readonly told: number[] } {
  const told: number[] = [];
  return { ...createEndedStreams({ reset: (stream) => void told.push(stream) }), told };
}

test("who goes on sending after the answer is told to stop, in a while", () => {
  const streams = ended();
  streams.answered(1, 0);
  streams.check(900);
  expect(streams.told).toEqual([]);
  streams.check(1100);
  streams.check(2200);
  expect(streams.told).toEqual([1]);
  expect(streams.has(1)).toBe(true);
});

test("who finishes is told nothing", () => {
  const streams = ended();
  streams.answered(1, 0);
  streams.heardAll(1);
  streams.check(1100);
  expect(streams.told).toEqual([]);
});

test("of a great many, the first are told at once and forgotten", () => {
  const streams = ended();
  for (let stream = 1; stream <= 1002; stream++) streams.answered(stream, 0);
  expect(streams.told).toEqual([1, 2]);
  expect([streams.has(2), streams.has(3)]).toEqual([false, true]);
});
