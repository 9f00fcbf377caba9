import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createManualTimers } from "../testing/manual-timers.ts";
import { recordMetrics } from "../testing/recorded-metrics.ts";
import { createFifo } from "./fifo.ts";
import { createWorkQueue } from "./work-queue.ts";

function setUp() {
  const timers = createManualTimers();
  const metrics = recordMetrics();
  const queue = createWorkQueue({ name: "claims", backoffBase: 1000, backoffMax: 300_000, timers, metrics });
  return { timers, queue, value: (name: string) => metrics.value(`workqueue_${name}`, { name: "claims" }) };
}

describe("a work queue", () => {
  it("hands keys out in the order of their adding, each once however often it was added", async () => {
    const { queue } = setUp();
    for (const key of ["b", "a", "b", "b"]) queue.add(key);
    expect(queue.length).toBe(2);
    expect([await queue.next(), await queue.next()]).toEqual(["b", "a"]);
  });

  it("hands a key to one who waits for it", async () => {
    const { queue } = setUp();
    const waiting = [queue.next(), queue.next()];
    queue.add("a");
    queue.add("b");
    expect(await Promise.all(waiting)).toEqual(["a", "b"]);
  });

  it("never gives a key to two workers, and loses no news that come in between", async () => {
    const { queue } = setUp();
    queue.add("a");
    expect(await queue.next()).toBe("a");
    queue.add("a");
    queue.add("a");
    expect(queue.length).toBe(0);
    const second = queue.next();
    queue.done("a");
    expect(await second).toBe("a");
    queue.done("a");
    expect(queue.length).toBe(0);
  });

  it("is done with a key only once", async () => {
    const { queue } = setUp();
    queue.add("a");
    await queue.next();
    queue.done("a");
    queue.done("a");
    queue.done("never taken");
    expect(queue.length).toBe(0);
  });

  it("waits as long as it was told to, and no longer than the shortest of it", async () => {
    const { queue, timers } = setUp();
    queue.addAfter("late", 5000);
    queue.addAfter("late", 9000);
    queue.addAfter("soon", 1000);
    queue.addAfter("now", 0);
    expect(queue.length).toBe(1);
    await timers.advance(999);
    expect(queue.length).toBe(1);
    await timers.advance(1);
    expect(queue.length).toBe(2);
    queue.addAfter("late", 100);
    await timers.advance(100);
    expect(queue.length).toBe(3);
    await timers.advance(60_000);
    expect(queue.length).toBe(3);
    expect(timers.pending).toBe(0);
  });

  it("doubles the wait of a key that fails, up to the limit, and starts over when it is forgotten", async () => {
    const { queue } = setUp();
    expect(Array.from({ length: 11 }, () => queue.addRateLimited("a"))).toEqual([
      1000, 2000, 4000, 8000, 16_000, 32_000, 64_000, 128_000, 256_000, 300_000, 300_000,
    ]);
    expect(queue.failures("a")).toBe(11);
    expect(queue.addRateLimited("b")).toBe(1000);
    queue.forget("a");
    expect(queue.failures("a")).toBe(0);
    expect(queue.addRateLimited("a")).toBe(1000);
  });

  it("ends the waiting of one whose signal is aborted, without losing a key", async () => {
    const { queue } = setUp();
    const controller = new AbortController();
    const impatient = queue.next(controller.signal);
    const patient = queue.next();
    controller.abort();
    queue.add("a");
    expect(await impatient).toBeUndefined();
    expect(await patient).toBe("a");
    expect(await queue.next(controller.signal)).toBeUndefined();
  });

  it("that is shut down hands out what waits, drops what is delayed, and takes nothing more", async () => {
    const { queue, timers } = setUp();
    queue.add("a");
    queue.addAfter("later", 1000);
    const waiting = [queue.next(), queue.next()];
    queue.add("b");
    queue.add("c");
    queue.shutDown();
    queue.shutDown();
    queue.add("d");
    queue.addAfter("d", 1);
    expect(timers.pending).toBe(0);
    expect(await Promise.all(waiting)).toEqual(["a", "b"]);
    expect([await queue.next(), await queue.next()]).toEqual(["c", undefined]);
  });

  it("that is shut down still hands out what came in while it was worked on", async () => {
    const { queue } = setUp();
    queue.add("a");
    await queue.next();
    queue.add("a");
    queue.shutDown();
    queue.done("a");
    expect(await queue.next()).toBe("a");
  });

  it("counts what Kubernetes' queues count", async () => {
    const { queue, timers, value } = setUp();
    queue.add("a");
    queue.add("b");
    expect(value("depth")).toBe(2);
    await timers.advance(2000);
    await queue.next();
    expect([value("depth"), value("adds_total"), value("queue_duration_seconds")]).toEqual([1, 2, 2]);
    await timers.advance(1000);
    await queue.next();
    await timers.advance(3000);
    expect([value("unfinished_work_seconds"), value("longest_running_processor_seconds")]).toEqual([7, 4]);
    queue.done("a");
    expect(value("work_duration_seconds")).toBe(4);
    queue.addRateLimited("a");
    expect(value("retries_total")).toBe(1);
    queue.shutDown();
    expect(value("depth")).toBeUndefined();
  });

  it("keeps its promises whatever is done to it", async () => {
    const key = fc.constantFrom("a", "b", "c", "d");
    const step = fc.oneof(
      fc.record({ do: fc.constant("add" as const), key }),
      fc.record({ do: fc.constant("after" as const), key, wait: fc.nat(50) }),
      fc.record({ do: fc.constant("fail" as const), key }),
      fc.record({ do: fc.constant("take" as const) }),
      fc.record({ do: fc.constant("done" as const), key }),
      fc.record({ do: fc.constant("pass" as const), wait: fc.nat(100) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 80 }), async (steps) => {
        const timers = createManualTimers();
        const queue = createWorkQueue({ name: "q", backoffBase: 10, backoffMax: 50, timers });
        const taken = new Set<string>();
        /** Keys with news that nobody has looked at since. */
        const news = new Set<string>();
        const never = AbortSignal.abort();
        const take = async (): Promise<void> => {
          const got = queue.length > 0 ? await queue.next() : await queue.next(never);
          if (got === undefined) return;
          expect(taken.has(got)).toBe(false);
          taken.add(got);
          news.delete(got);
        };
        for (const step of steps) {
          if (step.do === "add") queue.add(step.key);
          if (step.do === "after") queue.addAfter(step.key, step.wait);
          if (step.do === "fail") queue.addRateLimited(step.key);
          if (step.do === "add" || step.do === "after" || step.do === "fail") news.add(step.key);
          if (step.do === "take") await take();
          if (step.do === "done" && taken.delete(step.key)) queue.done(step.key);
          if (step.do === "pass") await timers.advance(step.wait);
        }
        await timers.advance(1000);
        for (const key of taken) queue.done(key);
        taken.clear();
        while (queue.length > 0) await take();
        expect([...news]).toEqual([]);
        expect(timers.pending).toBe(0);
      }),
      { seed: 4, numRuns: 300 },
    );
  });
});

describe("first in, first out", () => {
  it("holds for a hundred thousand keys that come and go", () => {
    const fifo = createFifo();
    const keys = Array.from({ length: 100_000 }, (_, i) => `k${i}`);
    const shift = (count: number): (string | undefined)[] => Array.from({ length: count }, () => fifo.shift());
    for (const key of keys) fifo.push(key);
    expect(shift(50_000)).toEqual(keys.slice(0, 50_000));
    for (const key of keys) fifo.push(key);
    expect(fifo.size).toBe(100_000);
    expect(shift(50_000)).toEqual(keys.slice(50_000));
    expect([fifo.has("k0"), fifo.has("k99999")]).toEqual([true, false]);
    expect(shift(50_001)).toEqual([...keys.slice(0, 50_000), undefined]);
    expect(fifo.size).toBe(0);
  });
});
