import { describe, expect, test } from "vitest";
import { DEFAULT_GATES } from "../../core/gates.ts";
import type { PersistentVolumeClaim, Pod, StatefulSet } from "../../core/types.ts";
import { desiredSizes } from "../decide/desired-sizes.ts";
import { aClaim, aSet, CLASSES, claimsFor, NOW, podsFor, type SetTraits } from "../decide/fixtures.ts";
import { type FollowFacts, followTemplate } from "../decide/follow-template.ts";
import { RECREATE_MANAGER } from "../decide/managed-fields.ts";
import { planClaims } from "../decide/plan-claims.ts";
import { RECREATE_FINALIZER } from "../decide/saved-set.ts";
import { holdClaim, holdPod, holdSet, isNews } from "./held.ts";

const whole = <T>(object: T): T => object;
const trimmed = {
  set: (set: StatefulSet): StatefulSet => holdSet(set) as StatefulSet,
  claim: (claim: PersistentVolumeClaim): PersistentVolumeClaim => holdClaim(claim) as PersistentVolumeClaim,
  pod: (pod: Pod): Pod => holdPod(pod) as Pod,
};
const untouched: typeof trimmed = { set: whole, claim: whole, pod: whole };

function decide(traits: SetTraits, hold: typeof trimmed): object {
  const original = aSet(traits);
  const set = hold.set(original);
  const claims = claimsFor(original).map(hold.claim);
  const facts: FollowFacts = {
    set,
    record: undefined,
    claims,
    others: [],
    pods: podsFor(original).map(hold.pod),
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
  };
  const { way, step } = followTemplate(facts);
  const plans = planClaims({ ...facts, set, desired: desiredSizes(set), classes: CLASSES, beyondReplicas: false });
  return { way: way?.kind === "wait" ? way : way?.kind, step: step.kind, plans };
}

describe("what is held is enough: the rules say the same as about the whole objects", () => {
  test.each<[string, SetTraits]>([
    ["at rest", {}],
    ["with a wish", { wish: "data=200Gi" }],
    ["with a wish that has come true", { wish: "data=100Gi" }],
    ["during a rollout", { wish: "data=200Gi", status: { currentRevision: "db-old" } }],
    [
      "at a partition",
      {
        wish: "data=200Gi",
        status: { currentRevision: "old" },
        spec: { updateStrategy: { rollingUpdate: { partition: 1 } } },
      },
    ],
    ["not observed", { wish: "data=200Gi", status: { observedGeneration: 1 } }],
    ["just created", { wish: "data=200Gi", metadata: { creationTimestamp: "2026-03-01T11:59:30Z" } }],
    ["with a finalizer of somebody", { wish: "data=200Gi", metadata: { finalizers: ["example.com/x"] } }],
    ["with our marks", { metadata: { finalizers: [RECREATE_FINALIZER] } }],
    ["with a policy", { wish: "data=200Gi", policy: { whenDeleted: "Delete" } }],
    ["with fields of ours", { metadata: { managedFields: [{ manager: RECREATE_MANAGER }] } }],
    ["from ordinal 5 on", { wish: "data=200Gi", start: 5 }],
  ])("a set %s", (_, traits) => {
    expect(decide(traits, trimmed)).toEqual(decide(traits, untouched));
  });
});

describe("not held at all", () => {
  test("a set without claim templates, unless it has a wish", () => {
    expect(holdSet(aSet({ templates: {} }))).toBeUndefined();
    expect(holdSet(aSet({ templates: {}, wish: "data=1Gi" }))).toBeDefined();
  });

  test.each(["data", "data-db", "data-db-00", "data-db-x"])("a claim or pod called %s: no set makes such", (name) => {
    expect(holdClaim(aClaim(name))).toBeUndefined();
    expect(holdPod({ metadata: { name }, spec: {} })).toBeUndefined();
  });
});

test("of a pod template nothing is held", () => {
  expect(JSON.stringify(holdSet(aSet()))).not.toContain("db:1");
});

test("a new version that says nothing new is no news", () => {
  const pod = podsFor(aSet())[0] as Pod;
  const newer = { ...pod, metadata: { ...pod.metadata, resourceVersion: "9" } };
  expect(isNews(pod, newer)).toBe(false);
  const running: Pod = { ...newer, status: { phase: "Running" } };
  expect(isNews(pod, running)).toBe(true);
});
