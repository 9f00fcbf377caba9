import { describe, expect, it } from "vitest";
import { WISH_ANNOTATION } from "../../core/names.ts";
import type { KubeObject, StatefulSet } from "../../core/types.ts";
import { aClaim, aSet, claimsFor, NOW, ownerReference, podsFor, type SetTraits, size } from "./fixtures.ts";
import { RECREATE_MANAGER } from "./managed-fields.ts";
import { type RecreateFacts, type RecreateStep, recreateStep } from "./recreate-step.ts";
import { suspendPolicy } from "./retention-policy.ts";
import { RECREATE_FINALIZER, setToCreate, withFinalizer } from "./saved-set.ts";
import type { TemplateWay } from "./template-way.ts";

const SIZES = new Map([["data", size("200Gi")]]);
const RECREATE: TemplateWay = { kind: "re-create", sizes: SIZES };
const UP_TO_DATE: TemplateWay = { kind: "up-to-date" };
const DELETES = { whenDeleted: "Delete", whenScaled: "Retain" };
const GOING = "2026-03-01T12:00:00Z";

/** A set that wants to grow, as it stands when it has been prepared. */
const SET = aSet({ wish: "data=200Gi" });
const PREPARED = withFinalizer(SET, RECREATE_FINALIZER);
const ACCEPTED = { object: setToCreate(SET, SIZES), at: NOW, refusal: undefined };
const EMPTY = { saved: undefined, guarded: false, deleting: false };
const SAVED = { saved: SET, guarded: true, deleting: false };

function step(facts: Partial<RecreateFacts>): RecreateStep {
  return recreateStep({
    set: undefined,
    record: EMPTY,
    claims: claimsFor(SET),
    pods: podsFor(SET),
    revisions: [],
    way: undefined,
    dryRun: undefined,
    wish: undefined,
    recreatedBy: "Outgrow",
    markedAt: undefined,
    now: NOW,
    namespaceDeleting: false,
    ...facts,
  });
}

function wait(id: "not-observed" | "rollout"): TemplateWay {
  return { kind: "wait", sizes: SIZES, holds: [{ id, reason: "", lookAgain: { on: "set" } }] };
}

function going(set: StatefulSet, ...finalizers: string[]): StatefulSet {
  return { ...set, metadata: { ...set.metadata, deletionTimestamp: GOING, resourceVersion: "101", finalizers } };
}

function renewed(traits: SetTraits = {}): StatefulSet {
  return aSet({ uid: "new", templates: { data: "200Gi", wal: "10Gi" }, ...traits });
}

describe("before the deletion", () => {
  it("the set is prepared: its policy suspended, our finalizer on it, by one patch", () => {
    const set = aSet({ wish: "data=200Gi", policy: DELETES });
    expect(step({ set, way: RECREATE })).toEqual({
      kind: "prepare",
      before: set,
      after: withFinalizer(suspendPolicy(set), RECREATE_FINALIZER),
    });
  });

  it("a policy that somebody sets again is suspended again", () => {
    const set = aSet({ wish: "data=200Gi", policy: DELETES, metadata: { finalizers: [RECREATE_FINALIZER] } });
    expect(step({ set, way: RECREATE }).kind).toBe("prepare");
  });

  it("a finalizer that somebody removed is put on again", () => {
    expect(step({ set: SET, way: RECREATE, record: SAVED, dryRun: ACCEPTED }).kind).toBe("prepare");
  });

  it("nothing happens until the StatefulSet controller has seen the safe policy", () => {
    expect(step({ set: PREPARED, way: wait("not-observed") })).toMatchObject({
      kind: "wait",
      lookAgain: { on: "set" },
    });
  });

  it("claims that are still tied to the set are untied, one by one", () => {
    const claims = [aClaim("data-db-0"), aClaim("data-db-1", { owners: [ownerReference(SET)] })];
    expect(step({ set: PREPARED, way: RECREATE, claims })).toMatchObject({
      kind: "drop-reference",
      of: "claim",
      before: { metadata: { name: "data-db-1" } },
      after: { metadata: { ownerReferences: [] } },
    });
  });

  it("so are claims that scaling down left behind: no controller does that", () => {
    const claims = [aClaim("data-db-9", { owners: [ownerReference(SET)] })];
    expect(step({ set: PREPARED, way: RECREATE, claims }).kind).toBe("drop-reference");
  });

  it("so are claims that are tied to a pod (whenScaled)", () => {
    const [pod] = podsFor(SET);
    const claims = [aClaim("data-db-0", { owners: [ownerReference(pod!)] })];
    expect(step({ set: PREPARED, way: RECREATE, claims }).kind).toBe("drop-reference");
  });

  it("the pods stay tied: the garbage collector lets go of them", () => {
    expect(step({ set: PREPARED, way: RECREATE }).kind).not.toBe("drop-reference");
  });

  it("the creation is tried out", () => {
    expect(step({ set: PREPARED, way: RECREATE })).toEqual({ kind: "dry-run", object: setToCreate(SET, SIZES) });
  });

  it("it is tried out again when the set has changed since, or when it was refused", () => {
    const set = { ...PREPARED, spec: { ...PREPARED.spec, replicas: 4 } };
    expect(step({ set, way: RECREATE, dryRun: ACCEPTED }).kind).toBe("dry-run");
    expect(step({ set: PREPARED, way: RECREATE, dryRun: { ...ACCEPTED, refusal: "no" } }).kind).toBe("dry-run");
  });

  it("the record is guarded, then the set is saved, then it is deleted", () => {
    const ready = { set: PREPARED, way: RECREATE, dryRun: ACCEPTED };
    expect(step(ready)).toEqual({ kind: "guard" });
    expect(step({ ...ready, record: { ...EMPTY, guarded: true } })).toEqual({ kind: "save", set: PREPARED });
    expect(step({ ...ready, record: { ...SAVED, saved: PREPARED } })).toEqual({
      kind: "delete",
      propagationPolicy: "Orphan",
      preconditions: { uid: "uid-db", resourceVersion: "100" },
    });
  });

  it("a set that has changed since it was saved is saved again", () => {
    const saved = { ...PREPARED, spec: { ...PREPARED.spec, replicas: 2 } };
    expect(step({ set: PREPARED, way: RECREATE, dryRun: ACCEPTED, record: { ...SAVED, saved } })).toEqual({
      kind: "save",
      set: PREPARED,
    });
  });
});

describe("a re-creation that is no longer called for is undone", () => {
  it.each<[string, TemplateWay]>([
    ["because the wish was withdrawn", UP_TO_DATE],
    ["because a rollout has begun", wait("rollout")],
  ])("%s: the journal, its guard, and the marks go", (_, way) => {
    const set = withFinalizer(suspendPolicy(aSet({ policy: DELETES })), RECREATE_FINALIZER);
    expect(step({ set, way, record: { ...SAVED, saved: set } })).toMatchObject({ kind: "clear" });
    expect(step({ set, way, record: { ...EMPTY, guarded: true } })).toEqual({ kind: "unguard" });
    const last = step({ set, way });
    expect(last).toMatchObject({ kind: "restore", before: set });
    if (last.kind === "restore") {
      expect(last.after.spec.persistentVolumeClaimRetentionPolicy).toEqual(DELETES);
      expect(last.after.metadata.finalizers).toEqual([]);
    }
    expect(step({ set: aSet({ policy: DELETES }), way })).toEqual({ kind: "nothing" });
  });

  it("because the record is being deleted, which then may go", () => {
    const ready = { set: PREPARED, way: RECREATE, dryRun: ACCEPTED };
    expect(step({ ...ready, record: { ...SAVED, deleting: true } })).toMatchObject({ kind: "clear" });
    expect(step({ ...ready, record: { ...EMPTY, guarded: true, deleting: true } })).toEqual({ kind: "unguard" });
  });
});

describe("between deletion and release", () => {
  it("the garbage collector is waited for", () => {
    const set = going(PREPARED, RECREATE_FINALIZER, "orphan");
    expect(step({ set, record: SAVED, pods: [] })).toMatchObject({ kind: "wait", lookAgain: { on: "set" } });
  });

  it.each<[string, Partial<RecreateFacts>, string]>([
    ["claims", { claims: [aClaim("data-db-0", { owners: [ownerReference(SET)] })] }, "claim"],
    ["pods", { pods: podsFor(SET) }, "pod"],
    ["revisions", { revisions: [revision(ownerReference(SET))] }, "revision"],
  ])("references of %s that it did not see are removed while the set is still there", (_, facts, of) => {
    const set = going(PREPARED, RECREATE_FINALIZER);
    expect(step({ set, record: SAVED, pods: [], ...facts })).toMatchObject({ kind: "drop-reference", of });
  });

  it("what an autoscaler wrote meanwhile is saved", () => {
    const set = going({ ...SET, spec: { ...SET.spec, replicas: 5 } }, RECREATE_FINALIZER);
    expect(step({ set, record: SAVED, pods: [] })).toEqual({ kind: "save", set });
  });

  it("then the set is let go", () => {
    const set = going(PREPARED, RECREATE_FINALIZER);
    expect(step({ set, record: SAVED, pods: [] })).toMatchObject({
      kind: "release",
      before: set,
      after: { metadata: { finalizers: [] } },
    });
  });

  it("a finalizer of somebody else is waited for", () => {
    const set = going(SET, "example.com/late");
    const saved = { ...SET, metadata: { ...SET.metadata, finalizers: ["example.com/late"] } };
    expect(step({ set, record: { ...SAVED, saved }, pods: [] })).toMatchObject({
      kind: "wait",
      reason: expect.stringContaining("example.com/late"),
    });
  });

  it("somebody who deletes the set with its pods is not stopped", () => {
    const set = going(PREPARED, RECREATE_FINALIZER, "foregroundDeletion");
    expect(step({ set, record: SAVED })).toMatchObject({ kind: "clear" });
    expect(step({ set, record: { ...EMPTY, guarded: true } })).toMatchObject({ kind: "release" });
  });
});

describe("a set that somebody else deletes while there is no journal stays deleted", () => {
  it("our finalizer comes off, then the guard of the record", () => {
    const set = going(PREPARED, RECREATE_FINALIZER);
    expect(step({ set })).toMatchObject({ kind: "release" });
    expect(step({ set: going(SET, "other"), record: { ...EMPTY, guarded: true } })).toEqual({ kind: "unguard" });
    expect(step({ record: { ...EMPTY, guarded: true } })).toEqual({ kind: "unguard" });
    expect(step({})).toEqual({ kind: "nothing" });
  });
});

describe("while there is no set", () => {
  it("it is created from the journal, with the sizes that are wanted", () => {
    expect(step({ record: SAVED })).toEqual({ kind: "create", object: setToCreate(SET, SIZES) });
  });

  it("a wish that cannot be read does not keep it from coming back", () => {
    const saved = aSet({ wish: "garbled" });
    expect(step({ record: { ...SAVED, saved } })).toEqual({ kind: "create", object: setToCreate(saved, new Map()) });
  });

  it("nothing is created in a namespace that is going away", () => {
    expect(step({ record: SAVED, namespaceDeleting: true })).toMatchObject({ kind: "clear" });
  });
});

describe("when a set is there again", () => {
  it("the journal is cleared and the record's guard removed, whoever created it", () => {
    const set = renewed();
    expect(step({ set, record: SAVED, way: UP_TO_DATE })).toMatchObject({ kind: "clear" });
    expect(step({ set, record: { ...EMPTY, guarded: true }, way: UP_TO_DATE })).toEqual({ kind: "unguard" });
  });

  it("field managers get back what was theirs before the journal is cleared", () => {
    const saved = aSet({ metadata: { managedFields: [{ manager: "flux" }] } });
    const set = renewed({ metadata: { managedFields: [{ manager: RECREATE_MANAGER }] } });
    expect(step({ set, record: { ...SAVED, saved }, way: UP_TO_DATE })).toEqual({
      kind: "hand-back",
      before: set,
      managedFields: [{ manager: "flux" }],
    });
  });

  it("somebody else's set that is too small gets the wish, and growth starts over", () => {
    const set = aSet({ uid: "theirs" });
    const found = step({ set, record: SAVED, way: UP_TO_DATE });
    expect(found).toMatchObject({ kind: "hand-on-wish", before: set });
    if (found.kind === "hand-on-wish") expect(found.after.metadata.annotations?.[WISH_ANNOTATION]).toBe("data=200Gi");
  });

  it.each<[string, StatefulSet]>([
    ["large enough", renewed()],
    ["has a wish of its own", aSet({ uid: "theirs", wish: "data=150Gi" })],
    ["another set altogether", aSet({ uid: "theirs", templates: { other: "1Gi" } })],
  ])("somebody else's set that is %s is taken as it is", (_, set) => {
    expect(step({ set, record: SAVED, way: UP_TO_DATE })).toMatchObject({ kind: "clear" });
  });

  it("a new set that somebody deletes at once stays deleted", () => {
    const set = going(renewed(), RECREATE_FINALIZER);
    expect(step({ set, record: SAVED })).toMatchObject({ kind: "clear" });
    expect(step({ set })).toMatchObject({ kind: "release" });
  });

  it("the retention policy comes back when the pods have been adopted by the new uid, and not before", () => {
    const set = withFinalizer(suspendPolicy(renewed({ policy: DELETES })), RECREATE_FINALIZER);
    expect(step({ set, way: UP_TO_DATE })).toMatchObject({ kind: "wait", reason: "waits for pod db-0 to be adopted" });
    const adopted = step({ set, way: UP_TO_DATE, pods: podsFor(set) });
    expect(adopted).toMatchObject({ kind: "restore" });
    if (adopted.kind === "restore") expect(adopted.after.spec.persistentVolumeClaimRetentionPolicy).toEqual(DELETES);
  });

  it("not before the StatefulSet controller has seen it either", () => {
    const set = withFinalizer(renewed({ status: { observedGeneration: 0 } }), RECREATE_FINALIZER);
    expect(step({ set, way: UP_TO_DATE, pods: [] })).toMatchObject({ kind: "wait", lookAgain: { on: "set" } });
  });

  it("the entries that restoring left among the field managers go last", () => {
    const set = renewed({ metadata: { managedFields: [{ manager: "flux" }, { manager: RECREATE_MANAGER }] } });
    expect(step({ set, way: UP_TO_DATE })).toMatchObject({ kind: "hand-back", managedFields: [{ manager: "flux" }] });
    expect(step({ set: renewed(), way: UP_TO_DATE })).toEqual({ kind: "nothing" });
  });
});

function revision(owner: ReturnType<typeof ownerReference>): KubeObject {
  return { kind: "ControllerRevision", metadata: { name: "db-aaaa", uid: "r", ownerReferences: [owner] } };
}
