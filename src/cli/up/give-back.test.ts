import { expect, test } from "vitest";
import { createManualTimers } from "../../kube/testing/manual-timers.ts";
import { ownHousehold, startGivingBack } from "./give-back.ts";

const MIB = 2 ** 20;

/** A process with 20 MiB alive, which is what it is left with when it has looked for garbage. */
function open() {
  const timers = createManualTimers();
  const state = { alive: 20 * MIB, used: 20 * MIB, busy: 0, collected: 0 };
  const stop = startGivingBack({
    timers,
    used: () => state.used,
    busy: () => state.busy,
    collect() {
      state.collected++;
      state.used = state.alive;
    },
  });
  return { timers, state, stop };
}

test("what a storm has left goes back once it is over, and not before", async () => {
  const { timers, state } = open();
  state.used = 200 * MIB;
  state.busy = 0.5;
  await timers.advance(60_000);
  expect(state.collected).toBe(0);
  state.busy = 0.01;
  await timers.advance(10_000);
  expect(state).toMatchObject({ collected: 1, used: 20 * MIB });
});

test("a little is left where it is", async () => {
  const { timers, state } = open();
  state.used = 50 * MIB;
  await timers.advance(60_000);
  expect(state.collected).toBe(0);
});

test("what is alive is taken for garbage once", async () => {
  const { timers, state } = open();
  state.alive = state.used = 400 * MIB;
  await timers.advance(600_000);
  expect(state.collected).toBe(1);
  state.used = 500 * MIB;
  await timers.advance(600_000);
  expect(state.collected).toBe(1);
});

test("nobody looks once it has ended", async () => {
  const { timers, state, stop } = open();
  stop();
  stop();
  state.used = 500 * MIB;
  await timers.advance(60_000);
  expect(state.collected).toBe(0);
});

test("garbage of this process goes", () => {
  const household = ownHousehold(createManualTimers());
  let garbage: unknown = Array.from({ length: 500_000 }, (_, index) => ({ index }));
  const before = household.used();
  garbage = undefined;
  household.collect();
  expect(garbage).toBeUndefined();
  expect(household.used()).toBeLessThan(before - 8 * MIB);
  expect(household.busy()).toBeLessThanOrEqual(1);
});
