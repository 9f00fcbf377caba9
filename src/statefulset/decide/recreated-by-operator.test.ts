import { describe, expect, it } from "vitest";
import { DEFAULT_GATES } from "../../core/gates.ts";
import type { StatefulSet } from "../../core/types.ts";
import type { VolumeExpansion } from "../types.ts";
import { aSet, claimsFor, NOW, ownerReference, podsFor, type SetTraits } from "./fixtures.ts";
import { type FollowFacts, type Following, followTemplate } from "./follow-template.ts";
import { JOURNAL_FINALIZER } from "./recreate-step.ts";
import { RECREATE_FINALIZER, withFinalizer } from "./saved-set.ts";

const DELETED = "2026-03-01T11:59:30Z";
const SHOP = ownerReference({
  apiVersion: "moco.cybozu.com/v1beta2",
  kind: "MySQLCluster",
  metadata: { name: "shop", uid: "m" },
});

/** A set that its operator owns, and whose resource asks for `data=200Gi`. */
function owned(traits: SetTraits = {}): StatefulSet {
  return aSet({ templates: { data: "100Gi" }, ...traits, metadata: { ownerReferences: [SHOP], ...traits.metadata } });
}

function recordOf(saved: StatefulSet | undefined, spec: Partial<VolumeExpansion["spec"]> = {}): VolumeExpansion {
  return {
    metadata: { name: "db", namespace: "prod", finalizers: saved === undefined ? [] : [JOURNAL_FINALIZER] },
    spec: {
      statefulSetName: "db",
      claims: [{ template: "data", storage: "200Gi" }],
      wishedBy: { source: "moco", kind: "MySQLCluster", name: "shop" },
      recreatedBy: "Operator",
      ...spec,
    },
    status: { ...(saved && { savedStatefulSet: saved }) },
  };
}

function follow(set: StatefulSet | undefined, record: VolumeExpansion, more: Partial<FollowFacts> = {}): Following {
  const subject = set ?? record.status?.savedStatefulSet ?? owned();
  return followTemplate({
    set,
    record,
    claims: claimsFor(subject, { request: "200Gi", capacity: "200Gi" }),
    others: [],
    pods: podsFor(subject),
    revisions: [],
    takesEdits: false,
    editRefusal: undefined,
    dryRun: undefined,
    gates: DEFAULT_GATES,
    claimsHeld: false,
    claimsOpen: false,
    unproven: false,
    restarting: false,
    growthRefused: false,
    namespaceDeleting: false,
    tries: {},
    now: NOW,
    ...more,
  });
}

function going(set: StatefulSet, ...finalizers: string[]): StatefulSet {
  return { ...set, metadata: { ...set.metadata, deletionTimestamp: DELETED, finalizers } };
}

const isWaitingFor = (reason: string) => expect.objectContaining({ kind: "wait", reason });

describe("a set whose resource asks for another size", () => {
  it("is re-created although a controller owns it: that is where the size comes from", () => {
    expect(follow(owned(), recordOf(undefined)).way).toMatchObject({ kind: "re-create" });
    const { wishedBy: _, ...spec } = recordOf(undefined).spec;
    const annotated = owned({ wish: "data=200Gi" });
    expect(follow(annotated, { ...recordOf(undefined), spec }).way).toMatchObject({ kind: "wait" });
  });

  it("waits until the storage has given every claim its size", () => {
    const { way } = follow(owned(), recordOf(undefined), { claimsOpen: true });
    expect(way).toMatchObject({ kind: "wait", holds: [{ id: "claims-open" }] });
  });

  it("keeps its annotation, which does not count", () => {
    const set = owned({ templates: { data: "200Gi" }, wish: "data=200Gi" });
    expect(follow(set, recordOf(undefined)).step).toEqual({ kind: "nothing" });
  });

  it("is not deleted before its owner has left our marks alone for a moment", () => {
    const set = withFinalizer(owned(), RECREATE_FINALIZER);
    const asked = follow(set, recordOf(undefined)).step;
    if (asked.kind !== "dry-run") throw new Error(`unexpected ${asked.kind}`);
    const dryRun = { object: asked.object, at: NOW, refusal: undefined };
    const tries = { marks: { uid: set.metadata.uid ?? "", times: 1, at: NOW } };
    const early = follow(set, recordOf(undefined), { dryRun, tries, now: NOW + 1999 }).step;
    expect(early).toEqual(isWaitingFor("waits whether the owner of the set leaves the marks on it"));
    expect(follow(set, recordOf(undefined), { dryRun, tries, now: NOW + 2000 }).step).toEqual({ kind: "guard" });
    expect(follow(set, recordOf(undefined), { dryRun }).step, "marked by a process before").toEqual({ kind: "guard" });
  });
});

describe("while the set is going", () => {
  it("the moment of its deletion is saved before it is let go, for whoever waits for the operator", () => {
    const set = going(owned(), RECREATE_FINALIZER);
    expect(follow(set, recordOf(owned()), { pods: [] }).step).toEqual({ kind: "save", set });
    expect(follow(set, recordOf(set), { pods: [] }).step).toMatchObject({ kind: "release" });
  });

  it("what the operator changes meanwhile is saved as well", () => {
    const set = going(owned({ replicas: 5 }), RECREATE_FINALIZER);
    expect(follow(set, recordOf(going(owned())), { pods: [] }).step).toEqual({ kind: "save", set });
  });
});

describe("while there is no set", () => {
  it("the operator has a minute to create it", () => {
    expect(follow(undefined, recordOf(going(owned()))).step).toEqual({
      kind: "wait",
      reason:
        "waits for the operator of MySQLCluster shop to create the set again; " +
        "it comes back as it was saved at 2026-03-01T12:00:30Z if it does not",
      lookAgain: { at: NOW + 30_000 },
    });
  });

  it("after a minute it comes back from the journal, with the new size", () => {
    const { step } = follow(undefined, recordOf(going(owned())), { now: NOW + 30_000 });
    expect(step).toMatchObject({
      kind: "create",
      object: { spec: { volumeClaimTemplates: [{ spec: { resources: { requests: { storage: "200Gi" } } } }] } },
    });
  });

  it.each<[string, VolumeExpansion]>([
    ["we re-create it", recordOf(going(owned()), { recreatedBy: "Outgrow" })],
    ["it vanished before the moment was saved", recordOf(owned())],
  ])("it comes back at once where %s", (_, record) => {
    expect(follow(undefined, record).step).toMatchObject({ kind: "create" });
  });

  it("it comes back as it was when the resource has withdrawn meanwhile", () => {
    const { wishedBy: _, recreatedBy: __, claims: ___, ...spec } = recordOf(undefined).spec;
    const { step } = follow(undefined, { ...recordOf(going(owned())), spec });
    expect(step).toMatchObject({
      object: { spec: { volumeClaimTemplates: [{ spec: { resources: { requests: { storage: "100Gi" } } } }] } },
    });
  });
});

describe("when the operator has created the set again", () => {
  const record = recordOf(going(owned()));

  it("theirs stays, with a retention policy of its own, and the journal is cleared", () => {
    const policy = { whenDeleted: "Delete", whenScaled: "Retain" };
    const set = owned({ uid: "theirs", templates: { data: "200Gi" }, policy });
    expect(follow(set, record).step).toMatchObject({ kind: "clear" });
    expect(follow(set, { ...recordOf(undefined), status: {} }).step).toEqual({ kind: "nothing" });
  });

  it("too small, nothing is written on it: the record has the wish, and growth starts over", () => {
    const set = owned({ uid: "theirs", metadata: { creationTimestamp: DELETED } });
    expect(follow(set, record).step).toMatchObject({ kind: "clear" });
    expect(follow(set, recordOf(undefined)).way).toMatchObject({ kind: "wait", holds: [{ id: "too-young" }] });
  });
});
