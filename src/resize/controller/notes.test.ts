import { beforeEach, expect, test } from "vitest";
import { createNotes, type Notes } from "./notes.ts";

let notes: Notes;
let now: number;
beforeEach(() => {
  now = 1000;
  notes = createNotes(() => now);
});

test("of a claim that nothing is known of there is a new note, from now on", () => {
  expect(notes.of("prod/data", "uid-1")).toEqual({ uid: "uid-1", memory: {}, recovering: false, since: 1000 });
  now = 2000;
  expect(notes.of("prod/data", "uid-1").since).toBe(1000);
});

test("what is put is remembered, by claim", () => {
  notes.put("prod/data", { ...notes.of("prod/data", "uid-1"), memory: { inUse: true } });
  expect(notes.of("prod/data", "uid-1").memory).toEqual({ inUse: true });
  expect(notes.isInUse("prod/data")).toBe(true);
  expect(notes.isInUse("prod/other")).toBe(false);
});

test("a claim that was made anew under the same name is another one", () => {
  notes.put("prod/data", { ...notes.of("prod/data", "uid-1"), memory: { inUse: true }, recovering: true });
  now = 5000;
  expect(notes.of("prod/data", "uid-2")).toEqual({ uid: "uid-2", memory: {}, recovering: false, since: 5000 });
});

test("what was forgotten stays forgotten, whatever a step still has to say about it", () => {
  const note = notes.of("prod/data", "uid-1");
  notes.forget("prod/data");
  notes.put("prod/data", { ...note, memory: { inUse: true } });
  expect(notes.isInUse("prod/data")).toBe(false);
  expect(notes.of("prod/data", "uid-1").memory).toEqual({});
});

test("a late word about a former claim does not stick to the one that has its name now", () => {
  const former = notes.of("prod/data", "uid-1");
  notes.of("prod/data", "uid-2");
  notes.put("prod/data", { ...former, memory: { inUse: true } });
  expect(notes.of("prod/data", "uid-2").memory).toEqual({});
});
