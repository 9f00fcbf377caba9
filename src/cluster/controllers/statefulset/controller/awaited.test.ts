import { expect, test } from "vitest";
import { createManualTimers } from "../../../../kube/testing/manual-timers.ts";
import { createAwaited } from "./awaited.ts";

const object = (uid: string, deletionTimestamp?: string) => ({
  metadata: { name: "x", uid, ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }) },
});

test("a set waits until every object that it wrote has been seen", () => {
  const awaited = createAwaited(createManualTimers());
  awaited.expect("prod/db", "a", "any-news");
  awaited.expect("prod/db", "b", "any-news");
  awaited.saw(object("a"));
  expect(awaited.waitFor("prod/db")).toBeGreaterThan(0);
  expect(awaited.waitFor("prod/other")).toBe(0);
  awaited.saw(object("b"));
  expect(awaited.waitFor("prod/db")).toBe(0);
});

test("a deletion has been seen when the object is marked as going, or gone", () => {
  for (const [seen, gone] of [
    [object("a", "2026-01-01T00:00:00Z"), false],
    [object("a"), true],
  ] as const) {
    const awaited = createAwaited(createManualTimers());
    awaited.expect("prod/db", "a", "its-going");
    awaited.saw(object("a"));
    expect(awaited.waitFor("prod/db")).toBeGreaterThan(0);
    awaited.saw(seen, gone);
    expect(awaited.waitFor("prod/db")).toBe(0);
  }
});

test("news that never come are not waited for without end", async () => {
  const timers = createManualTimers();
  const awaited = createAwaited(timers);
  awaited.expect("prod/db", "a", "any-news");
  await timers.advance(awaited.waitFor("prod/db"));
  expect(awaited.waitFor("prod/db")).toBe(0);
});

test("a set that is gone waits for nothing", () => {
  const awaited = createAwaited(createManualTimers());
  awaited.expect("prod/db", "a", "any-news");
  awaited.forget("prod/db");
  expect(awaited.waitFor("prod/db")).toBe(0);
});
