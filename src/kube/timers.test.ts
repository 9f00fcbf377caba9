import { describe, expect, it } from "vitest";
import { createBackoff, exponential } from "./backoff.ts";
import { createManualTimers } from "./testing/manual-timers.ts";
import { deadlineSignal, settledOrAborted, settlesWithin, sleep, systemTimers } from "./timers.ts";

describe("sleeping", () => {
  it("takes its time, or ends with the signal, and leaves nothing behind", async () => {
    const timers = createManualTimers();
    let woke = false;
    const asleep = sleep(timers, 1000).then(() => (woke = true));
    await timers.advance(999);
    expect(woke).toBe(false);
    await timers.advance(1);
    await asleep;

    const controller = new AbortController();
    const interrupted = sleep(timers, 1000, controller.signal);
    controller.abort(new Error("enough"));
    await expect(interrupted).rejects.toThrow("enough");
    await expect(sleep(timers, 1000, controller.signal)).rejects.toThrow("enough");
    expect(timers.pending).toBe(0);
  });

  it("for longer than Node can does not end at once", () => {
    const cancel = systemTimers.after(Number.MAX_SAFE_INTEGER, () => {
      throw new Error("too early");
    });
    cancel();
    cancel();
    expect(systemTimers.elapsed()).toBeLessThanOrEqual(systemTimers.elapsed());
  });
});

describe("a deadline", () => {
  it("aborts when the time is over, or with its parent, and can be let go", async () => {
    const timers = createManualTimers();
    const over = deadlineSignal(timers, 1000, "too slow");
    await timers.advance(1000);
    expect(over.signal.reason).toMatchObject({ name: "TimeoutError", message: "too slow" });

    const parent = new AbortController();
    const child = deadlineSignal(timers, 1000, "too slow", parent.signal);
    const other = deadlineSignal(timers, 1000, "too slow", parent.signal);
    other[Symbol.dispose]();
    parent.abort(new Error("enough"));
    expect([child.signal.reason, other.signal.aborted]).toEqual([new Error("enough"), false]);
    child[Symbol.dispose]();
    expect(deadlineSignal(timers, 1000, "", parent.signal).signal.aborted).toBe(true);
  });
});

describe("waiting for what may never come", () => {
  it("ends with it, however it ends, or with the time, or with the signal", async () => {
    const timers = createManualTimers();
    const never = new Promise(() => {});
    expect(await settlesWithin(timers, 1000, Promise.resolve())).toBe(true);
    expect(await settlesWithin(timers, 1000, Promise.reject(new Error("no")))).toBe(true);
    expect(await timers.run(settlesWithin(timers, 1000, never))).toBe(false);
    expect(timers.pending).toBe(0);

    const controller = new AbortController();
    await settledOrAborted(Promise.reject(new Error("no")), controller.signal);
    const waiting = settledOrAborted(never, controller.signal);
    controller.abort();
    await waiting;
    await settledOrAborted(never, controller.signal);
  });
});

describe("a backoff", () => {
  const options = { base: 800, max: 30_000, jitter: 1, resetAfter: 120_000 };

  it("doubles up to its limit, with jitter on top", () => {
    expect([0, 1, 2, 5, 6, 1000].map((failures) => exponential(800, 30_000, failures))).toEqual([
      800, 1600, 3200, 25_600, 30_000, 30_000,
    ]);
    const backoff = createBackoff(options, () => 0.25);
    expect([backoff.next(0), backoff.next(0), backoff.next(0)]).toEqual([1000, 2000, 4000]);
  });

  it("starts over after two good minutes, and not before", () => {
    const backoff = createBackoff(options, () => 0);
    let now = 0;
    now += backoff.next(now);
    now += backoff.next(now);
    expect(backoff.next(now + 120_000)).toBe(3200);
    now += 120_000 + 3200;
    expect(backoff.next(now + 120_001)).toBe(800);
  });
});
