import { describe, expect, it } from "vitest";
import { createCorrelator, type Happening } from "./correlate.ts";
import { createLru } from "./lru.ts";

const CLAIM = { apiVersion: "v1", kind: "PersistentVolumeClaim", namespace: "prod", name: "data", uid: "u" };
const happening = (message: string, more: Partial<Happening> = {}): Happening => ({
  object: CLAIM,
  type: "Warning",
  reason: "VolumeResizeFailed",
  message,
  ...more,
});

describe("happenings", () => {
  it("that are the same are one event that counts up", () => {
    const correlator = createCorrelator();
    const first = correlator.correlate(happening("no"), 1000).event;
    const second = correlator.correlate(happening("no"), 9000).event;
    expect(second).toBe(first);
    expect(second).toMatchObject({ count: 2, first: 1000, last: 9000, message: "no" });
  });

  it.each([
    ["in their message", { message: "yes" }],
    ["in their reason", { reason: "Resizing" }],
    ["in their type", { type: "Normal" as const }],
    ["in what they are about", { object: { ...CLAIM, uid: "v" } }],
  ])("that differ %s are different events", (_, more) => {
    const correlator = createCorrelator();
    const first = correlator.correlate(happening("no"), 0).event;
    const other = correlator.correlate(happening("no", more), 0).event;
    expect(other).not.toBe(first);
    expect(other.count).toBe(1);
  });

  it("that are similar are combined from the tenth message on", () => {
    const correlator = createCorrelator();
    const events = Array.from({ length: 14 }, (_, i) => correlator.correlate(happening(`try ${i}`), i * 1000).event);
    expect(new Set(events.slice(0, 9)).size).toBe(9);
    const combined = events[9];
    expect(new Set(events.slice(9))).toEqual(new Set([combined]));
    expect(combined).toMatchObject({ message: "(combined from similar events): try 13", count: 5 });
  });

  it("that are similar, but more than ten minutes apart, are not combined", () => {
    const correlator = createCorrelator();
    const events = Array.from({ length: 14 }, (_, i) => correlator.correlate(happening(`try ${i}`), i * 600_001).event);
    expect(new Set(events).size).toBe(14);
  });

  it("are too many after 25 about one object, then one every five minutes, and all are counted", () => {
    const correlator = createCorrelator();
    const tell = (now: number) => correlator.correlate(happening("no"), now);
    const spam = Array.from({ length: 30 }, () => tell(0).spam);
    expect(spam.indexOf(true)).toBe(25);
    expect(tell(299_999).spam).toBe(true);
    expect(tell(300_000)).toMatchObject({ spam: false, event: { count: 32 } });
    expect(tell(300_000).spam).toBe(true);
    expect(correlator.correlate(happening("no", { object: { ...CLAIM, name: "other" } }), 300_000).spam).toBe(false);
  });
});

describe("what is remembered", () => {
  it("is limited: what was not asked for the longest goes first", () => {
    const lru = createLru<{ key: string }>(2);
    const get = (key: string) => lru.getOrCreate(key, () => ({ key }));
    const a = get("a");
    get("b");
    expect(get("a")).toBe(a);
    get("c");
    expect(lru.size).toBe(2);
    expect(get("a")).toBe(a);
    const b = get("b");
    expect(get("b")).toBe(b);
    expect(get("a")).toBe(a);
  });
});
