import { describe, expect, it } from "vitest";
import { WISH_ANNOTATION } from "../../core/names.ts";
import type { StatefulSet } from "../../core/types.ts";
import { aSet, ownerReference, size } from "./fixtures.ts";
import { resumePolicy } from "./retention-policy.ts";
import { isSavedAs, RECREATE_FINALIZER, setToCreate } from "./saved-set.ts";

/** A set as an API server returns it, with everything that must and must not be carried over. */
const LIVE = aSet({
  wish: "data=200Gi",
  policy: { whenDeleted: "Delete", whenScaled: "Retain" },
  replicas: 5,
  start: 2,
  metadata: {
    labels: { app: "db", "app.kubernetes.io/managed-by": "Helm" },
    annotations: {
      [WISH_ANNOTATION]: "data=200Gi",
      "kubectl.kubernetes.io/last-applied-configuration": '{"spec":{}}',
      "argocd.argoproj.io/tracking-id": "x",
    },
    ownerReferences: [
      ownerReference({ apiVersion: "example.com/v1", kind: "Cluster", metadata: { name: "c", uid: "c" } }),
    ],
    finalizers: ["example.com/keep", RECREATE_FINALIZER, "orphan"],
    managedFields: [{ manager: "helm" }],
    deletionTimestamp: "2026-03-01T12:00:00Z",
    deletionGracePeriodSeconds: 0,
    selfLink: "/apis/apps/v1/namespaces/prod/statefulsets/db",
    futureField: { a: 1 },
  },
  spec: {
    podManagementPolicy: "Parallel",
    revisionHistoryLimit: 3,
    minReadySeconds: 5,
    updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 0 } },
    template: {
      metadata: { labels: { app: "db" } },
      spec: { containers: [{ name: "x", brandNewField: [1, { b: null }] }] },
    },
  },
});

describe("what a set is created from again", () => {
  const object = setToCreate(LIVE, new Map([["data", size("200Gi")]]));
  const { metadata, spec } = object;

  it("carries labels, annotations and owner references over", () => {
    expect(metadata.labels).toEqual(LIVE.metadata.labels);
    expect(metadata.annotations).toMatchObject(LIVE.metadata.annotations!);
    expect(metadata.ownerReferences).toEqual(LIVE.metadata.ownerReferences);
  });

  it("carries finalizers over, but not those of the deletion", () => {
    expect(metadata.finalizers).toEqual(["example.com/keep", RECREATE_FINALIZER]);
  });

  it("leaves out what the server gives, and the status", () => {
    expect(Object.keys(metadata).sort()).toEqual(
      ["annotations", "finalizers", "futureField", "labels", "name", "namespace", "ownerReferences"].sort(),
    );
    expect(object).not.toHaveProperty("status");
  });

  it("leaves the pod template exactly as it was, unknown fields included, so that no pod is restarted", () => {
    expect(spec.template).toBe(LIVE.spec.template);
  });

  it("changes nothing of the templates but their sizes", () => {
    const names = (set: StatefulSet) => set.spec.volumeClaimTemplates?.map((template) => template.metadata.name);
    expect(names(object)).toEqual(names(LIVE));
    expect(spec.volumeClaimTemplates?.[0]?.spec).toEqual({
      ...LIVE.spec.volumeClaimTemplates?.[0]?.spec,
      resources: { requests: { storage: "200Gi" } },
    });
    expect(spec.volumeClaimTemplates?.[1]).toBe(LIVE.spec.volumeClaimTemplates?.[1]);
  });

  it("carries every other field of the spec over, the number of replicas included", () => {
    const { volumeClaimTemplates: _, persistentVolumeClaimRetentionPolicy: __, ...rest } = LIVE.spec;
    expect(spec).toMatchObject(rest);
    expect(spec.replicas).toBe(5);
  });

  it("has a harmless retention policy, and knows the one that is to come back", () => {
    expect(spec.persistentVolumeClaimRetentionPolicy).toEqual({ whenDeleted: "Retain", whenScaled: "Retain" });
    expect(resumePolicy(object).spec.persistentVolumeClaimRetentionPolicy).toEqual({
      whenDeleted: "Delete",
      whenScaled: "Retain",
    });
  });

  it("does not change the set that was saved", () => {
    expect(LIVE.spec.persistentVolumeClaimRetentionPolicy?.whenDeleted).toBe("Delete");
    expect(LIVE.spec.volumeClaimTemplates?.[0]?.spec.resources?.requests?.["storage"]).toBe("100Gi");
  });
});

describe("the journal holds a set", () => {
  it.each<[string, (set: StatefulSet) => StatefulSet, boolean]>([
    ["that has not changed", (set) => set, true],
    ["of which only the status has changed", (set) => ({ ...set, status: { replicas: 1 } }), true],
    [
      "that is going",
      (set) => ({ ...set, metadata: { ...set.metadata, deletionTimestamp: "x", resourceVersion: "101" } }),
      true,
    ],
    [
      "that was given our finalizer or the collector's",
      (set) => ({ ...set, metadata: { ...set.metadata, finalizers: [RECREATE_FINALIZER, "orphan"] } }),
      true,
    ],
    ["but not its new number of replicas", (set) => ({ ...set, spec: { ...set.spec, replicas: 9 } }), false],
    [
      "but not its new annotation",
      (set) => ({ ...set, metadata: { ...set.metadata, annotations: { a: "b" } } }),
      false,
    ],
    ["but not another of the same name", (set) => ({ ...set, metadata: { ...set.metadata, uid: "other" } }), false],
  ])("%s", (_, change, expected) => {
    const set = aSet();
    expect(isSavedAs(set, change(set))).toBe(expected);
  });
});
