import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createDelayHeap } from "./delay-heap.ts";

describe("delayed keys", () => {
  it("come out when they are due, the earliest first, equals in the order of their adding", () => {
    const heap = createDelayHeap();
    for (const [key, due] of [
      ["c", 30],
      ["a", 10],
      ["b", 20],
      ["a2", 10],
    ] as const)
      heap.add(key, due);
    expect(heap.earliest).toBe(10);
    expect(heap.takeDue(9)).toBeUndefined();
    expect([heap.takeDue(20), heap.takeDue(20), heap.takeDue(20), heap.takeDue(20)]).toEqual([
      "a",
      "a2",
      "b",
      undefined,
    ]);
    heap.clear();
    expect([heap.size, heap.earliest, heap.takeDue(99)]).toEqual([0, undefined, undefined]);
  });

  it("are there once, with the earliest moment that was given", () => {
    const heap = createDelayHeap();
    heap.add("a", 20);
    heap.add("a", 30);
    expect(heap.earliest).toBe(20);
    heap.add("a", 10);
    expect([heap.size, heap.earliest]).toEqual([1, 10]);
  });

  it("behave like a sorted list", () => {
    const step = fc.oneof(
      fc.record({ key: fc.constantFrom("a", "b", "c", "d", "e", "f", "g"), due: fc.nat(20) }),
      fc.record({ now: fc.nat(20) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const heap = createDelayHeap();
        let model: { key: string; due: number; order: number }[] = [];
        for (const [order, step] of steps.entries()) {
          if ("key" in step) {
            heap.add(step.key, step.due);
            const known = model.find(({ key }) => key === step.key);
            if (known === undefined || step.due < known.due) {
              model = [...model.filter(({ key }) => key !== step.key), { ...step, order }];
            }
          } else {
            const [first] = model.toSorted((a, b) => a.due - b.due || a.order - b.order);
            const expected = first !== undefined && first.due <= step.now ? first.key : undefined;
            expect(heap.takeDue(step.now)).toBe(expected);
            model = model.filter(({ key }) => key !== expected);
          }
          expect(heap.size).toBe(model.length);
        }
      }),
      { seed: 661, numRuns: 500 },
    );
  });
});
