import { describe, expect, it } from "vitest";
import { createManualTimers } from "../testing/manual-timers.ts";
import { createRateLimit } from "./rate-limit.ts";

describe("a rate limit", () => {
  it("lets a burst through at once, and the rest at its rate, in order", async () => {
    const timers = createManualTimers();
    const limit = createRateLimit(5, 10, timers);
    const passed: number[] = [];
    for (let i = 0; i < 15; i++) void limit.take().then(() => passed.push(i));
    await timers.advance(0);
    expect(passed).toHaveLength(10);
    await timers.advance(199);
    expect(passed).toHaveLength(10);
    await timers.advance(1);
    expect(passed).toHaveLength(11);
    await timers.advance(800);
    expect(passed).toEqual(Array.from({ length: 15 }, (_, i) => i));
  });

  it("fills up again, but not beyond the burst", async () => {
    const timers = createManualTimers();
    const limit = createRateLimit(1, 2, timers);
    await limit.take();
    await limit.take();
    await timers.advance(3_600_000);
    const passed: number[] = [];
    for (let i = 0; i < 4; i++) void limit.take().then(() => passed.push(i));
    await timers.advance(0);
    expect(passed).toHaveLength(2);
    await timers.advance(2000);
    expect(passed).toHaveLength(4);
  });

  it("gives the place back when somebody waits no longer", async () => {
    const timers = createManualTimers();
    const limit = createRateLimit(1, 1, timers);
    await limit.take();
    const controller = new AbortController();
    const impatient = limit.take(controller.signal);
    controller.abort(new Error("enough"));
    await expect(impatient).rejects.toThrow("enough");
    expect(timers.pending).toBe(0);
    const next = limit.take();
    await timers.advance(1000);
    await next;
  });
});
