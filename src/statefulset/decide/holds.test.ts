import { describe, expect, it } from "vitest";
import { DEFAULT_GATES } from "../../core/gates.ts";
import { claimsOf } from "./claim-ownership.ts";
import { desiredSizes } from "./desired-sizes.ts";
import { aClaim, aSet, claimsFor, NOW, ownerReference, podsFor, type SetTraits, size } from "./fixtures.ts";
import { DRY_RUN_HOLDS, type HoldId, holdsOnPatch, holdsOnRecreation, MIN_AGE, type TemplateFacts } from "./holds.ts";
import { RESTART_FINALIZER } from "./restart-step.ts";
import { RECREATE_FINALIZER, setToCreate } from "./saved-set.ts";

const SIZES = new Map([["data", size("200Gi")]]);

/** A set at rest with a wish for more; `traits` and `facts` say what is in the way. */
function factsFor(traits: SetTraits = {}, facts: Partial<TemplateFacts> = {}): TemplateFacts {
  const set = aSet({ wish: "data=200Gi", ...traits });
  return {
    set,
    desired: desiredSizes(set),
    claims: claimsOf(set, claimsFor(set)).owned,
    pods: podsFor(set),
    takesEdits: false,
    dryRun: undefined,
    gates: DEFAULT_GATES,
    evenIfOwned: false,
    now: NOW,
    ...facts,
  };
}

function owned(...claims: Parameters<typeof aClaim>[]) {
  return claimsOf(
    aSet(),
    claims.map((claim) => aClaim(...claim)),
  ).owned;
}

const OWNER = ownerReference({ apiVersion: "example.com/v1", kind: "Cluster", metadata: { name: "main", uid: "c" } });
const GOING = "2026-03-01T12:00:00Z";

it("a set at rest may be re-created", () => {
  expect(holdsOnRecreation(factsFor(), SIZES)).toEqual([]);
});

describe("a set is not re-created", () => {
  it.each<[string, HoldId, TemplateFacts, RegExp, object]>([
    [
      "while the gate is off",
      "gate-off",
      factsFor({}, { gates: { ...DEFAULT_GATES, StatefulSetVolumeExpansion: false } }),
      /StatefulSetVolumeExpansion is off/,
      { on: "gates" },
    ],
    [
      "while it is being deleted",
      "set-deleting",
      factsFor({ metadata: { deletionTimestamp: GOING } }),
      /being deleted/,
      { on: "set" },
    ],
    [
      "when a controller owns it, which would take the change back",
      "owned",
      factsFor({ metadata: { ownerReferences: [OWNER] } }),
      /^Cluster main controls the set .* ExpansionSource/,
      { on: "set" },
    ],
    [
      "for templates that it does not have: only sizes are ever changed",
      "templates-differ",
      factsFor({}, { desired: desiredSizes(aSet({ templates: { data: "1Gi", log: "1Gi" } })) }),
      /data, wal, not data, log/,
      { on: "set" },
    ],
    [
      "before the controller has seen its latest change",
      "not-observed",
      factsFor({ status: { observedGeneration: 3 } }),
      /has not seen/,
      { on: "set" },
    ],
    [
      "while pods are being updated: status is reset on creation, and the rollout would be forgotten",
      "rollout",
      factsFor({ status: { currentRevision: "db-old" } }),
      /pods are being updated/,
      { on: "set" },
    ],
    [
      "while an update is held at a partition: which pods stay old would be forgotten",
      "partition",
      factsFor({
        status: { currentRevision: "db-old" },
        spec: { updateStrategy: { rollingUpdate: { partition: 2 } } },
      }),
      /held at partition 2/,
      { on: "set" },
    ],
    [
      "with OnDelete and pods of an older revision",
      "old-pods",
      factsFor(
        { spec: { updateStrategy: { type: "OnDelete" } }, status: { currentRevision: "db-old" } },
        { pods: podsFor(aSet(), { labels: { app: "db", "controller-revision-hash": "db-old" } }) },
      ),
      /db-0, db-1, db-2 are still of an older revision; delete them/,
      { on: "pods" },
    ],
    [
      "while pods are missing",
      "scaling",
      factsFor({}, { pods: podsFor(aSet({ replicas: 2 })) }),
      /2 of 3 pods/,
      { on: "pods" },
    ],
    [
      "while it scales down: fewer replicas than pods would condemn them",
      "scaling",
      factsFor({ replicas: 2 }, { pods: podsFor(aSet({ replicas: 3 })) }),
      /3 of 2 pods/,
      { on: "pods" },
    ],
    [
      "while not all pods are of the newest revision by its status",
      "scaling",
      factsFor({ status: { updatedReplicas: 2 } }),
      /of 3 pods/,
      { on: "pods" },
    ],
    [
      "while a pod terminates: such a pod is not adopted",
      "pod-deleting",
      factsFor({}, { pods: podsFor(aSet(), { deletionTimestamp: GOING }) }),
      /does not adopt/,
      { on: "pods" },
    ],
    [
      "while a pod is held so that its volumes can grow",
      "restarting",
      factsFor({}, { pods: podsFor(aSet(), { finalizers: [RESTART_FINALIZER] }) }),
      /^pods are being restarted/,
      { on: "pods" },
    ],
    [
      "while pods are restarted, also between two of them: the next would be stopped in the middle",
      "restarting",
      factsFor({}, { restarting: true }),
      /^pods are being restarted/,
      { on: "pods" },
    ],
    [
      "before it has adopted its pods",
      "pod-not-adopted",
      factsFor({}, { pods: podsFor(aSet(), { ownerReferences: [] }) }),
      /pod db-0 has no owner yet/,
      { on: "pods" },
    ],
    [
      "while a pod belongs to a set that is gone",
      "pod-not-adopted",
      factsFor({}, { pods: podsFor(aSet({ uid: "old" })) }),
      /pod db-0 belongs to StatefulSet db \(old\)/,
      { on: "pods" },
    ],
    [
      "while a claim is being deleted",
      "claim-deleting",
      factsFor({}, { claims: owned(["data-db-0", { metadata: { deletionTimestamp: GOING } }]) }),
      /data-db-0 is being deleted/,
      { on: "claims" },
    ],
    [
      "while a claim is tied to a set that is gone: the collector may delete it at any moment",
      "claim-stray-owner",
      factsFor({}, { claims: owned(["data-db-0", { owners: [ownerReference(aSet(), "old")] }]) }),
      /data-db-0 is tied to StatefulSet db \(old\).*remove that owner reference/,
      { on: "claims" },
    ],
    [
      "with a finalizer of somebody who would take the deletion for real",
      "finalizer",
      factsFor({ metadata: { finalizers: ["example.com/cleanup"] } }),
      /example\.com\/cleanup/,
      { on: "set" },
    ],
    [
      "again within a minute: rapid repeats confuse the garbage collector",
      "too-young",
      factsFor({ metadata: { creationTimestamp: "2026-03-01T11:59:30Z" } }),
      /2026-03-01T12:00:30Z/,
      { at: NOW - 30_000 + MIN_AGE },
    ],
  ])("%s", (_, id, facts, reason, lookAgain) => {
    expect(holdsOnRecreation(facts, SIZES)).toContainEqual({ id, reason: expect.stringMatching(reason), lookAgain });
  });

  it("when the API server would not create it: an invalid template may live on, but cannot be created", () => {
    const facts = factsFor();
    const dryRun = { object: setToCreate(facts.set, SIZES), at: NOW - 1_000, refusal: "serviceName: Invalid value" };
    expect(holdsOnRecreation({ ...facts, dryRun }, SIZES)).toEqual([
      {
        id: "create-refused",
        reason: "the API server would refuse to create the set again: serviceName: Invalid value",
        lookAgain: { at: NOW - 1_000 + DRY_RUN_HOLDS },
      },
    ]);
  });

  it("for as many reasons as there are; all are told", () => {
    const facts = factsFor({ status: { currentRevision: "db-old" }, metadata: { ownerReferences: [OWNER] } });
    expect(holdsOnRecreation(facts, SIZES).map(({ id }) => id)).toEqual(["owned", "rollout"]);
  });
});

describe("a set may be re-created", () => {
  it.each<[string, TemplateFacts]>([
    [
      "with a partition, when no pod is of an older revision",
      factsFor({ spec: { updateStrategy: { rollingUpdate: { partition: 3 } } } }),
    ],
    [
      "with OnDelete, when all pods are of the newest revision: the status never says so",
      factsFor({ spec: { updateStrategy: { type: "OnDelete" } }, status: { currentRevision: "db-old" } }),
    ],
    [
      "although pods are not ready: a full disk is no reason",
      factsFor({ status: { readyReplicas: 0, availableReplicas: 0 } }),
    ],
    [
      "although a controller owns it, when told so",
      factsFor({ metadata: { ownerReferences: [OWNER] } }, { evenIfOwned: true }),
    ],
    [
      "with an owner that does not control it",
      factsFor({ metadata: { ownerReferences: [{ ...OWNER, controller: false }] } }),
    ],
    [
      "with claims that are tied to itself: those are untied first",
      factsFor({}, { claims: owned(["data-db-0", { owners: [ownerReference(aSet())] }]) }),
    ],
    [
      "with claims that belong to a custom resource",
      factsFor({}, { claims: owned(["data-db-0", { owners: [OWNER] }]) }),
    ],
    [
      "although a restart is due, when it was begun before: the restart waits",
      factsFor({ metadata: { finalizers: [RECREATE_FINALIZER] } }, { restarting: true }),
    ],
    ["without any replicas", factsFor({ replicas: 0 })],
    ["with its ordinals starting elsewhere", factsFor({ start: 7 })],
  ])("%s", (_, facts) => {
    expect(holdsOnRecreation(facts, SIZES)).toEqual([]);
  });

  it("when the dry run that was refused was of another object", () => {
    const facts = factsFor();
    const dryRun = { object: setToCreate(aSet({ replicas: 9 }), SIZES), at: NOW, refusal: "no" };
    expect(holdsOnRecreation({ ...facts, dryRun }, SIZES)).toEqual([]);
  });
});

describe("a template is patched", () => {
  it("in the middle of a rollout, with pods that are not adopted and claims that go: nothing is deleted", () => {
    const facts = factsFor(
      { status: { currentRevision: "db-old", observedGeneration: 0 } },
      { pods: [], takesEdits: true },
    );
    expect(holdsOnPatch(facts, SIZES)).toEqual([]);
  });

  it("not when a controller would take it back, and not while the gate is off", () => {
    const gates = { ...DEFAULT_GATES, StatefulSetVolumeExpansion: false };
    const facts = factsFor({ metadata: { ownerReferences: [OWNER] } }, { gates });
    expect(holdsOnPatch(facts, SIZES).map(({ id }) => id)).toEqual(["gate-off", "owned"]);
  });
});
