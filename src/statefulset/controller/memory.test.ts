import { beforeEach, expect, test } from "vitest";
import { aSet } from "../decide/fixtures.ts";
import { DRY_RUN_HOLDS } from "../decide/holds.ts";
import { createMemory, type Memory } from "./memory.ts";

let now = 0;
let memory: Memory;
beforeEach(() => {
  now = 1_000;
  memory = createMemory(() => now);
});

test("the answers to dry runs are forgotten after five minutes", () => {
  memory.of("prod/db").dryRun = { object: aSet(), at: now, refusal: "no" };
  memory.of("prod/db").editRefusal = { message: "no", at: now };
  memory.noteEdits(false);
  now += DRY_RUN_HOLDS - 1;
  expect(memory.of("prod/db")).toMatchObject({ dryRun: { refusal: "no" }, editRefusal: { message: "no" } });
  expect(memory.takesEdits()).toBe(false);
  now += 1;
  expect(memory.of("prod/db")).toMatchObject({ dryRun: undefined, editRefusal: undefined });
  expect(memory.takesEdits()).toBeUndefined();
});

test("a claim that was refused is left alone for its time", () => {
  memory.of("prod/db").refused.set("data-db-0", { message: "exceeded quota", until: now + 10 });
  expect([...memory.refusedClaims("prod/db")]).toEqual([["data-db-0", "exceeded quota"]]);
  now += 10;
  expect([...memory.refusedClaims("prod/db")]).toEqual([]);
});

test("who was refused is found by the namespace whose limits have changed, or by all", () => {
  memory.of("prod/refused").isRefused = true;
  memory.of("prod/claim-refused").refused.set("data-db-0", { message: "no", until: now + 10 });
  memory.of("prod/fine");
  memory.of("dev/refused").isRefused = true;
  expect(memory.refusedKeys("prod")).toEqual(["prod/refused", "prod/claim-refused"]);
  expect(memory.refusedKeys(undefined)).toHaveLength(3);
  memory.forget("dev/refused");
  expect(memory.refusedKeys("dev")).toEqual([]);
});
