/** Ways to lose something when a set is deleted and created again, each with what keeps it from happening. */
import { expect } from "vitest";
import { READY_ANNOTATION } from "../../../src/cluster/controllers/node/index.ts";
import { claimsHave, hasSizes, losses, requestOf } from "./intact.ts";
import { isComplete, isReady, SET } from "./look.ts";
import type { Scene } from "./scene.ts";
import { growsIntact, type Story } from "./story.ts";

const GROWN = { data: "2Gi" };

/** The claims grow, the set stays as it is and says why; then somebody mends it, and it is re-created. */
async function defers(scene: Scene, reason: string, mend: () => Promise<unknown>): Promise<void> {
  const before = await scene.look();
  await scene.wish("data=2Gi");
  const waiting = await scene.until(
    `to say "${reason}"`,
    (look) =>
      claimsHave(look, GROWN) &&
      look.record?.status?.conditions?.some(({ message = "" }) => message.includes(reason)) === true,
  );
  expect(waiting.set?.metadata.uid).toBe(before.set?.metadata.uid);
  expect(waiting.set && hasSizes(waiting.set, { data: "1Gi" })).toBe(true);
  await mend();
  await scene.untilGrown(GROWN);
}

const template = (annotations: Readonly<Record<string, string>>, image = "database:2"): object => ({
  spec: { template: { metadata: { annotations }, spec: { containers: [{ name: "main", image }] } } },
});

/** As `kubectl set image` does, and with annotations for the pods. */
const roll = (scene: Scene, annotations: Readonly<Record<string, string>> = {}, image?: string): Promise<unknown> =>
  scene.plane.api.patch(scene.path("statefulsets", SET), template(annotations, image), "strategic-merge");

const POLICIES = [
  { whenDeleted: "Delete", whenScaled: "Delete" },
  { whenDeleted: "Delete", whenScaled: "Retain" },
  { whenDeleted: "Retain", whenScaled: "Delete" },
];

const KEPT: readonly Story[] = POLICIES.map((policy) => ({
  name: `claims survive the policy whenDeleted=${policy.whenDeleted}, whenScaled=${policy.whenScaled}, which is back afterwards`,
  async play(scene) {
    const before = await scene.create({ policy });
    await scene.wish("data=2Gi");
    const { set } = await growsIntact(scene, before, GROWN);
    expect(set?.spec.persistentVolumeClaimRetentionPolicy).toEqual(policy);
  },
}));

const HOLDS: readonly Story[] = [
  {
    name: "not while an update is held at a partition: which pods stay old would be forgotten",
    async play(scene) {
      await scene.create({ spec: { updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 1 } } } });
      await roll(scene);
      await scene.until("one pod of each revision", ({ set }) => set?.status?.updatedReplicas === 1);
      await defers(scene, "an update is held at partition 1", () =>
        scene.change({ spec: { updateStrategy: { rollingUpdate: { partition: 0 } } } }),
      );
    },
  },
  {
    name: "not while pods of an older revision wait to be deleted by somebody (OnDelete)",
    async play(scene) {
      await scene.create({ replicas: 1, spec: { updateStrategy: { type: "OnDelete" } } });
      await roll(scene);
      await scene.until("the new revision", ({ revisions }) => revisions.length === 2);
      await defers(scene, "still of an older revision", () => scene.plane.api.delete(scene.path("pods", `${SET}-0`)));
    },
  },
  {
    name: "not in the middle of a rollout, although that never comes to its end by itself",
    async play(scene) {
      await scene.create();
      await roll(scene, { [READY_ANNOTATION]: "false" });
      await scene.until("a pod that never gets ready", ({ set }) => set?.status?.updatedReplicas === 1);
      await defers(scene, "pods are being updated", async () => {
        await roll(scene, { [READY_ANNOTATION]: "true" }, "database:3");
        // A broken rollout is not repaired by Kubernetes: the pod has to go (k/k#67250).
        await scene.plane.api.delete(scene.path("pods", `${SET}-1`));
      });
    },
  },
  {
    name: "not while a pod is being deleted, which the new set would not adopt",
    async play(scene) {
      await scene.create({ metadata: { finalizers: ["example.com/not-yet"] } });
      const pod = scene.path("pods", `${SET}-1`);
      await defers(scene, "finalizer example.com/not-yet", async () => {
        await scene.plane.api.patch(pod, { metadata: { finalizers: ["example.com/lingers"] } });
        await scene.plane.api.delete(pod);
        await scene.change({ metadata: { finalizers: null } });
        await scene.untilSaid(`${SET}-1 is being deleted; a set does not adopt such pods`);
        await scene.plane.api.patch(pod, { metadata: { finalizers: null } });
      });
    },
  },
  {
    name: "not while a claim is tied to an owner that is not this set: it might be deleted with that",
    async play(scene) {
      await scene.create();
      const { metadata } = await scene.plane.api.create<{ metadata: { uid: string } }>(scene.path("pods"), {
        metadata: { name: "stranger" },
        spec: { nodeName: "node-1", containers: [{ name: "main", image: "none" }] },
      });
      const claim = scene.path("persistentvolumeclaims", `data-${SET}-0`);
      const stranger = { apiVersion: "v1", kind: "Pod", name: "stranger", uid: metadata.uid };
      await scene.plane.api.patch(claim, { metadata: { ownerReferences: [stranger] } });
      const mend = async (): Promise<void> => {
        await scene.plane.api.patch(claim, { metadata: { ownerReferences: null } });
        await scene.plane.api.delete(`${scene.path("pods", "stranger")}?gracePeriodSeconds=0`);
      };
      await defers(scene, `claim data-${SET}-0 is tied to Pod stranger`, mend);
    },
  },
  {
    name: "not while the set has a finalizer, whose owner would take the deletion for a real one",
    async play(scene) {
      await scene.create({ metadata: { finalizers: ["example.com/cleanup"] } });
      await defers(scene, "finalizer example.com/cleanup", () => scene.change({ metadata: { finalizers: null } }));
    },
  },
  {
    name: "not where the set could not be created again: that is tried out first",
    async play(scene) {
      const before = await scene.create();
      await scene.plane.api.create(scene.path("resourcequotas"), {
        metadata: { name: "sets" },
        spec: { hard: { "count/statefulsets.apps": "1" } },
      });
      await scene.wish("data=2Gi");
      const after = await scene.untilSaid("the API server would refuse to create the set again");
      expect(losses(before, after)).toEqual([]);
      expect(after.set?.metadata.uid).toBe(before.set?.metadata.uid);
    },
  },
  {
    name: "not where a controller owns the set and would take the change back; it is named",
    async play(scene) {
      const owner = { apiVersion: "v1", kind: "ConfigMap", name: "operator", controller: true };
      const operator = `/api/v1/namespaces/${scene.namespace}/configmaps`;
      const { metadata } = await scene.plane.api.create<{ metadata: { uid: string } }>(operator, {
        metadata: { name: "operator" },
      });
      const before = await scene.create({ metadata: { ownerReferences: [{ ...owner, uid: metadata.uid }] } });
      await scene.wish("data=2Gi");
      const after = await scene.untilSaid("ConfigMap operator");
      expect(after.set?.metadata.uid).toBe(before.set?.metadata.uid);
      expect(says(after.record)).toContain("ExpansionSource");
      await scene.order({ evenIfOwned: true });
      await growsIntact(scene, before, GROWN);
    },
  },
];

const says = (record: { status?: { conditions?: { message?: string }[] } } | undefined): string =>
  (record?.status?.conditions ?? []).map(({ message }) => message).join("\n");

const SURVIVES: readonly Story[] = [
  {
    name: "claims that scaling down left behind are untied from the set that goes, and stay",
    async play(scene) {
      await scene.create({ replicas: 3, policy: { whenDeleted: "Delete", whenScaled: "Retain" } });
      await scene.change({ spec: { replicas: 2 } });
      const before = await scene.until("the third pod to go", isReady);
      await scene.wish("data=2Gi");
      const after = await growsIntact(scene, before, GROWN);
      expect(after.claims).toHaveLength(3);
      expect(after.claims.map((claim) => requestOf(claim).toString())).toEqual(["2Gi", "2Gi", "1Gi"]);
    },
  },
  {
    name: "claims above the number of replicas grow when that is asked for",
    async play(scene) {
      await scene.create({ replicas: 2 });
      await scene.change({ spec: { replicas: 1 } });
      const before = await scene.until("the second pod to go", isReady);
      await scene.order({ beyondReplicas: "Grow" });
      await scene.wish("data=2Gi");
      const after = await growsIntact(scene, before, GROWN);
      expect(after.claims.map((claim) => requestOf(claim).toString())).toEqual(["2Gi", "2Gi"]);
    },
  },
  {
    name: "ordinals that do not begin at 0",
    async play(scene) {
      const before = await scene.create({ spec: { ordinals: { start: 5 } } });
      await scene.wish("data=2Gi");
      const { claims } = await growsIntact(scene, before, GROWN);
      expect(claims.map(({ metadata }) => metadata.name)).toEqual([`data-${SET}-5`, `data-${SET}-6`]);
    },
  },
  {
    name: "grows although no pod is ready, as when disks are full; in order or in parallel",
    async play(scene) {
      await scene.create({ replicas: 1, spec: { podManagementPolicy: "OrderedReady" } });
      await scene.plane.api.patch(scene.path("pods", `${SET}-0`), {
        metadata: { annotations: { [READY_ANNOTATION]: "false" } },
      });
      const before = await scene.until("it not to be ready", ({ set }) => (set?.status?.readyReplicas ?? 0) === 0);
      await scene.wish("data=2Gi");
      await growsIntact(scene, before, GROWN);
    },
  },
  {
    name: "sizes are compared as numbers, and a driver may round them up",
    async play(scene) {
      const before = await scene.create({ sizes: { data: "1Gi", wal: "1G" }, className: "whole-gigabytes" });
      await scene.wish("data=1500Mi,wal=1000M");
      const after = await growsIntact(scene, before, { data: "1500Mi", wal: "1G" });
      expect(after.claims.map(({ status }) => status?.capacity?.["storage"])).not.toContain("1500Mi");
    },
  },
  {
    name: "a template that somebody else brought along does not hide that the claims are behind",
    async play(scene) {
      const before = await scene.create();
      const kubectl = (...words: string[]) => scene.plane.kubectl(["-n", scene.namespace, ...words]);
      await kubectl("delete", "sts", SET, "--cascade=orphan");
      const { set } = before;
      const [data] = set?.spec.volumeClaimTemplates ?? [];
      const bigger = { ...data, spec: { ...data?.spec, resources: { requests: { storage: "2Gi" } } } };
      await scene.plane.api.create(scene.path("statefulsets"), {
        metadata: { name: SET, annotations: set?.metadata.annotations ?? {} },
        spec: { ...set?.spec, volumeClaimTemplates: [bigger] },
      });
      await growsIntact(scene, before, GROWN);
    },
  },
  {
    name: "a wish that cannot be read is reported on the set and in the record, and nothing is done",
    async play(scene) {
      const before = await scene.create();
      await scene.wish("data=much");
      const after = await scene.untilSaid('"much" is not a size');
      expect(after.set?.metadata.uid).toBe(before.set?.metadata.uid);
      expect(claimsHave(after, { data: "1Gi" })).toBe(true);
      await scene.wish("data=2Gi");
      await growsIntact(scene, before, GROWN);
    },
  },
  {
    name: "pods are restarted only when asked for and only where the driver needs it, one at a time, within the budget",
    async play(scene) {
      const before = await scene.create({ className: "offline" });
      await scene.plane.api.create(scene.path("poddisruptionbudgets"), {
        metadata: { name: SET },
        spec: { minAvailable: 2, selector: { matchLabels: { app: SET } } },
      });
      await scene.wish("data=2Gi");
      await scene.until("the driver to refuse", ({ claims }) =>
        claims.every(({ status }) => status?.conditions?.some(({ type }) => type === "ControllerResizeError")),
      );
      await scene.order({ restartPods: "WhenNeeded" });
      await scene.untilSaid("budget");
      const held = await scene.look();
      expect(held.pods.map(({ metadata }) => metadata.uid)).toEqual(before.pods.map(({ metadata }) => metadata.uid));
      await scene.plane.api.patch(scene.path("poddisruptionbudgets", SET), { spec: { minAvailable: 1 } });
      const after = await scene.untilGrown(GROWN);
      expect(isComplete(after)).toBe(true);
      expect(after.claims.map(({ metadata }) => metadata.uid)).toEqual(
        before.claims.map(({ metadata }) => metadata.uid),
      );
    },
  },
];

export const SAFEGUARD_STORIES: readonly Story[] = [...KEPT, ...HOLDS, ...SURVIVES];
