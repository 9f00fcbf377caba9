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
  expect(memory.forgetRefusals("prod")).toEqual(["prod/refused", "prod/claim-refused"]);
  expect(memory.forgetRefusals("dev")).toEqual(["dev/refused"]);
  memory.forget("dev/refused");
  expect(memory.forgetRefusals(undefined)).toEqual(["prod/refused"]);
});

test("when limits change, what was refused may be tried again at once, and what was agreed to still holds", () => {
  const agreed = { object: aSet(), at: now, refusal: undefined };
  memory.of("prod/agreed").dryRun = agreed;
  memory.of("prod/create-refused").dryRun = { object: aSet(), at: now, refusal: "exceeded quota" };
  memory.of("prod/edit-refused").editRefusal = { message: "too large", at: now };
  memory.of("prod/claim-refused").refused.set("data-db-0", { message: "exceeded quota", until: now + 10 });
  expect(memory.forgetRefusals("prod")).toEqual(["prod/create-refused", "prod/edit-refused", "prod/claim-refused"]);
  expect(memory.of("prod/agreed").dryRun).toBe(agreed);
  expect(memory.of("prod/create-refused").dryRun).toBeUndefined();
  expect(memory.of("prod/edit-refused").editRefusal).toBeUndefined();
  expect(memory.refusedClaims("prod/claim-refused").size).toBe(0);
  expect(memory.forgetRefusals("prod")).toEqual([]);
});
