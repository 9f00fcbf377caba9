import { describe, expect, test } from "vitest";
import { DEFAULT_GATES } from "../../core/gates.ts";
import { Quantity } from "../../core/quantity.ts";
import { aSet, NOW, ownerReference } from "./fixtures.ts";
import { afterStep, type Tries, takenBack, triedInVain } from "./taken-back.ts";

const SIZES = new Map([["data", Quantity.parse("200Gi")]]);
const MINUTE = 60_000;

/** The tries after these steps, a second apart, of which the last was taken at `NOW`. */
function after(...kinds: string[]): Tries {
  return kinds.reduce<Tries>(
    (tries, kind, index) =>
      afterStep(tries, { kind, uid: "u", sizes: SIZES, now: NOW - (kinds.length - 1 - index) * 1000 }),
    {},
  );
}

describe("marks that somebody takes off", () => {
  test("are put on again twice, and then not for ten minutes", () => {
    expect(takenBack(after("prepare", "prepare"), SIZES, NOW)).toBeUndefined();
    const tries = after("prepare", "prepare", "prepare");
    expect(takenBack(tries, SIZES, NOW)).toEqual({ what: "marks", times: 3, until: NOW + 10 * MINUTE });
    expect(takenBack(tries, SIZES, NOW + 10 * MINUTE)).toBeUndefined();
  });

  test("marks that we took off ourselves, because of a hold, do not count", () => {
    expect(takenBack(after("prepare", "prepare", "restore", "prepare"), SIZES, NOW)).toBeUndefined();
  });

  test("taking them off because of this very hold does not start the count anew", () => {
    expect(takenBack(after("prepare", "prepare", "prepare", "restore"), SIZES, NOW)).toMatchObject({ what: "marks" });
  });

  test("nor do those of another set of the name, or of long ago", () => {
    const tries = after("prepare", "prepare");
    const another = afterStep(tries, { kind: "prepare", uid: "v", sizes: SIZES, now: NOW });
    expect(takenBack(another, SIZES, NOW)).toBeUndefined();
    const later = afterStep(tries, { kind: "prepare", uid: "u", sizes: SIZES, now: NOW + 11 * MINUTE });
    expect(takenBack(later, SIZES, NOW + 11 * MINUTE)).toBeUndefined();
  });
});

describe("a set that comes back too small", () => {
  test.each([
    [1, 0],
    [2, 2],
    [3, 4],
    [4, 8],
    [7, 60],
    [40, 60],
  ])("after %d re-creations for the same size the next is %d minutes away", (times, minutes) => {
    const tries = after(...Array<string>(times).fill("delete"));
    const found = takenBack(tries, SIZES, NOW);
    expect(found).toEqual(minutes === 0 ? undefined : { what: "size", times, until: NOW + minutes * MINUTE });
    expect(takenBack(tries, SIZES, NOW + minutes * MINUTE)).toBeUndefined();
  });

  test("another size is tried at once", () => {
    expect(takenBack(after("delete", "delete"), new Map([["data", Quantity.parse("300Gi")]]), NOW)).toBeUndefined();
  });
});

test("people are told who does it, and what to do", () => {
  const owner = ownerReference({ kind: "MySQLCluster", metadata: { name: "shop", uid: "m" } });
  const set = aSet({ metadata: { ownerReferences: [owner] } });
  const facts = { set, desired: [], claims: [], pods: [], takesEdits: false, dryRun: undefined, gates: DEFAULT_GATES };
  const hold = (...kinds: string[]) =>
    triedInVain({ ...facts, evenIfOwned: true, tries: after(...kinds), now: NOW }, SIZES)?.reason;
  expect(hold("prepare", "prepare", "prepare")).toBe(
    "the operator of MySQLCluster shop takes back what makes deleting the set safe (finalizer outgrow.dev/recreate, " +
      "retention policy Retain); have that stopped, or change the template there; tried again at 2026-03-01T12:10:00Z",
  );
  expect(hold("delete", "delete")).toBe(
    "the set was created again 2 times for this size, and the operator of MySQLCluster shop made it smaller each time; " +
      "have that stopped, or change the template there; tried again at 2026-03-01T12:02:00Z",
  );
});
