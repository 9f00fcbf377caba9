import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createManualTimers } from "../testing/manual-timers.ts";
import { type Reconcile, runWorkers } from "./run-workers.ts";
import { createWorkQueue } from "./work-queue.ts";

function setUp(reconcile: Reconcile, workers = 2) {
  const timers = createManualTimers();
  const queue = createWorkQueue({ name: "q", backoffBase: 1000, backoffMax: 300_000, timers });
  const controller = new AbortController();
  const running = runWorkers({ queue, workers, reconcile, timers, drain: 5000 }, controller.signal);
  return { timers, queue, running, stop: () => controller.abort(new Error("stop")) };
}

describe("workers", () => {
  it("work on as many keys at once as there are workers, and on no key twice", async () => {
    const under = new Set<string>();
    let most = 0;
    const seen: string[] = [];
    const { queue, running, stop } = setUp(async (key) => {
      expect(under.has(key)).toBe(false);
      under.add(key);
      most = Math.max(most, under.size);
      seen.push(key);
      await setImmediate();
      under.delete(key);
    }, 3);
    for (let i = 0; i < 30; i++) queue.add(`k${i % 10}`);
    while (seen.length < 10) await setImmediate();
    expect(most).toBe(3);
    expect(new Set(seen).size).toBe(10);
    stop();
    expect(await running).toBe(true);
  });

  it("come back to a key that failed after its backoff, and start over when it went well", async () => {
    const moments: number[] = [];
    const { timers, queue, running, stop } = setUp(async () => {
      moments.push(timers.elapsed());
      if (moments.length < 4) throw new Error("no");
    });
    queue.add("a");
    await timers.advance(60_000);
    expect(moments).toEqual([0, 1000, 3000, 7000]);
    expect(queue.failures("a")).toBe(0);
    stop();
    await running;
  });

  it("come back to a key when it asks for it", async () => {
    const moments: number[] = [];
    const { timers, queue, running, stop } = setUp(async () => {
      moments.push(timers.elapsed());
      return { after: 30_000 };
    });
    queue.add("a");
    await timers.advance(60_000);
    expect(moments).toEqual([0, 30_000, 60_000]);
    stop();
    await running;
    expect(timers.pending).toBe(0);
  });

  it("that are stopped finish what is under way and begin nothing new", async () => {
    const finish = Promise.withResolvers<void>();
    const begun: string[] = [];
    const { timers, queue, running, stop } = setUp(async (key) => {
      begun.push(key);
      await finish.promise;
    }, 1);
    queue.add("a");
    queue.add("b");
    await timers.advance(0);
    stop();
    finish.resolve();
    expect(await running).toBe(true);
    expect(begun).toEqual(["a"]);
    expect(timers.pending).toBe(0);
  });

  it("that are stopped hear of it through their signal, and may give up", async () => {
    const { queue, running, stop, timers } = setUp(
      (_, signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    );
    queue.add("a");
    await timers.advance(0);
    stop();
    expect(await running).toBe(true);
    expect(queue.failures("a")).toBe(0);
  });

  it("that do not come to an end are left behind when the time for draining is over", async () => {
    const { timers, queue, running, stop } = setUp(() => new Promise(() => {}));
    queue.add("a");
    await timers.advance(0);
    stop();
    await timers.advance(5000);
    expect(await running).toBe(false);
  });

  it("end when their queue is shut down, after what waits in it", async () => {
    const seen: string[] = [];
    const { queue, running } = setUp(async (key) => void seen.push(key), 1);
    queue.add("a");
    queue.add("b");
    queue.shutDown();
    expect(await running).toBe(true);
    expect(seen).toEqual(["a", "b"]);
  });
});
