import { describe, expect, test } from "vitest";
import { DEFAULT_GATES } from "../../core/gates.ts";
import { WISH_ANNOTATION } from "../../core/names.ts";
import type { StatefulSet } from "../../core/types.ts";
import { aSet, claimsFor, NOW, podsFor, type SetTraits } from "./fixtures.ts";
import { type FollowFacts, type Following, followTemplate } from "./follow-template.ts";
import { JOURNAL_FINALIZER } from "./recreate-step.ts";

const WISH: SetTraits = { templates: { data: "100Gi" }, wish: "data=200Gi" };

function follow(set: StatefulSet | undefined, more: Partial<FollowFacts> = {}): Following {
  const subject = set ?? more.record?.status?.savedStatefulSet;
  return followTemplate({
    set,
    record: undefined,
    claims: subject === undefined ? [] : claimsFor(subject),
    others: [],
    pods: subject === undefined ? [] : podsFor(subject),
    revisions: [],
    takesEdits: false,
    editRefusal: undefined,
    dryRun: undefined,
    gates: DEFAULT_GATES,
    claimsHeld: false,
    unproven: false,
    claimsOpen: false,
    tries: {},
    restarting: false,
    growthRefused: false,
    namespaceDeleting: false,
    now: NOW,
    ...more,
  });
}

const heldBy = ({ way }: Following): string[] => (way?.kind === "wait" ? way.holds.map(({ id }) => id) : []);

describe("where the API server takes the edit", () => {
  test("one patch brings the size and takes the wish off", () => {
    const { step } = follow(aSet(WISH), { takesEdits: true });
    expect(step).toMatchObject({ kind: "patch-template" });
    if (step.kind !== "patch-template") return;
    expect(step.after.spec.volumeClaimTemplates?.[0]?.spec.resources?.requests).toEqual({ storage: "200Gi" });
    expect(step.after.metadata.annotations).not.toHaveProperty([WISH_ANNOTATION]);
  });

  test("it waits while claims are held back: the server's own controller would start them all", () => {
    const held = follow(aSet(WISH), { takesEdits: true, claimsHeld: true });
    expect(heldBy(held)).toEqual(["claims-held"]);
    expect(held.step).toEqual({ kind: "nothing" });
  });
});

describe("where it does not", () => {
  test("the set is re-created, also while claims wait for room", () => {
    expect(follow(aSet(WISH), { claimsHeld: true }).step.kind).toBe("prepare");
  });

  test.each([true, false])(
    "nobody changes it before claims that go in order have shown that it works",
    (takesEdits) => {
      const held = follow(aSet(WISH), { takesEdits, claimsHeld: true, unproven: true });
      expect(heldBy(held)).toEqual(["claims-held"]);
      expect(held.step).toEqual({ kind: "nothing" });
    },
  );

  test("but not against what an admission check says about the edit", () => {
    const held = follow(aSet(WISH), { editRefusal: { message: "too large for this team", at: NOW } });
    expect(heldBy(held)).toEqual(["edit-refused"]);
    expect(held.way).toMatchObject({
      holds: [{ reason: "the API server refuses the new size: too large for this team" }],
    });
  });
});

test("a growth that is refused as a whole does not change the template either", () => {
  for (const takesEdits of [true, false]) {
    expect(heldBy(follow(aSet(WISH), { takesEdits, growthRefused: true }))).toEqual(["growth-refused"]);
  }
});

test("a wish that has come true is taken off, unless nothing may be started or the set is going", () => {
  const spent = { templates: { data: "200Gi" }, wish: "data=200Gi" };
  expect(follow(aSet(spent)).step).toMatchObject({ kind: "forget-wish" });
  const off = { ...DEFAULT_GATES, StatefulSetVolumeExpansion: false };
  expect(follow(aSet(spent), { gates: off }).step).toEqual({ kind: "nothing" });
  const going = aSet({ ...spent, metadata: { deletionTimestamp: "2026-03-01T12:00:00Z" } });
  expect(follow(going).step).toEqual({ kind: "nothing" });
});

test("a wish that cannot be read changes nothing, and does not keep a saved set from coming back", () => {
  const set = aSet({ wish: "data=lots" });
  expect(follow(set)).toEqual({ way: { kind: "up-to-date" }, step: { kind: "nothing" } });
  const record = {
    metadata: { name: "db", finalizers: [JOURNAL_FINALIZER] },
    spec: { statefulSetName: "db" },
    status: { savedStatefulSet: set },
  };
  expect(follow(undefined, { record }).step.kind).toBe("create");
});

test("neither a set nor a record: nothing", () => {
  expect(follow(undefined)).toEqual({ way: undefined, step: { kind: "nothing" } });
});
