/** When a set is not re-created: what would be lost, what the record says, and that it goes on when that is mended. */
import { expect } from "vitest";
import { READY_ANNOTATION } from "../../../src/cluster/controllers/node/index.ts";
import { Quantity } from "../../../src/core/quantity.ts";
import type { OwnerReference } from "../../../src/core/types.ts";
import { claimsHave, gone, hasSizes, isAt, losses } from "./intact.ts";
import { SET } from "./look.ts";
import { aSet } from "./objects.ts";
import type { Scene } from "./scene.ts";
import { growsIntact, type Story } from "./story.ts";

const GROWN = { data: "2Gi" };

/**
 * The claims grow, the set stays as it is and says why; then somebody mends it, and it is re-created. Where the API server
 * takes the edit, there is nothing to wait for.
 */
async function defers(scene: Scene, reason: string, mend: () => Promise<unknown>): Promise<void> {
  const before = await scene.look();
  await scene.annotate("data=2Gi");
  if (scene.takesEdits) {
    const { set } = await scene.until(
      "to grow all the same",
      (look) => look.set !== undefined && hasSizes(look.set, GROWN) && claimsHave(look, GROWN),
    );
    expect(set?.metadata.uid).toBe(before.set?.metadata.uid);
    await mend();
    await scene.untilGrown(GROWN);
    return;
  }
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

/** A reference to some object that controls others. */
async function someOwner(scene: Scene): Promise<OwnerReference> {
  const name = "operator";
  const { metadata } = await scene.plane.api.create<{ metadata: { uid: string } }>(
    `/api/v1/namespaces/${scene.namespace}/configmaps`,
    { metadata: { name } },
  );
  return { apiVersion: "v1", kind: "ConfigMap", name, uid: metadata.uid, controller: true };
}

export const HOLD_STORIES: readonly Story[] = [
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
        if (!scene.takesEdits) await scene.untilSaid(`${SET}-1 is being deleted; a set does not adopt such pods`);
        await scene.plane.api.patch(pod, { metadata: { finalizers: null } });
      });
    },
  },
  {
    name: "not while a pod of another owner is in the way of an ordinal",
    async play(scene) {
      const owner = await someOwner(scene);
      await scene.plane.api.create(scene.path("pods"), {
        metadata: { name: `${SET}-1`, labels: { app: SET }, ownerReferences: [owner] },
        spec: { nodeName: "node-1", terminationGracePeriodSeconds: 1, containers: [{ name: "main", image: "none" }] },
      });
      await scene.plane.api.create(scene.path("statefulsets"), aSet(SET));
      const before = await scene.until(
        "one pod of its own, and its claims",
        ({ set, claims }) =>
          set?.status?.readyReplicas === 1 &&
          claims.length === 2 &&
          claims.every(({ status }) => status?.phase === "Bound"),
      );
      await scene.wish("data=2Gi");
      const waiting = await scene.until("the claim that is used to grow", ({ claims }) =>
        claims.some((claim) => isAt(claim, Quantity.parse("2Gi"))),
      );
      expect(waiting.set?.metadata.uid).toBe(before.set?.metadata.uid);
      expect(gone("pod", before.pods, waiting.pods)).toEqual([]);
      await scene.plane.api.delete(`${scene.path("pods", `${SET}-1`)}?gracePeriodSeconds=0`);
      // Whoever makes the pods tries again less and less often; a change of the set has it look at once.
      await scene.change({ metadata: { annotations: { "example.com/seen": "true" } } });
      const after = await scene.untilGrown(GROWN);
      expect(gone("claim", before.claims, after.claims)).toEqual([]);
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
    name: "not where the set could not be created again: that is tried out first, and again when a quota is raised",
    async play(scene) {
      const before = await scene.create();
      await scene.plane.api.create(scene.path("resourcequotas"), {
        metadata: { name: "sets" },
        spec: { hard: { "count/statefulsets.apps": "1" } },
      });
      await defers(scene, "the API server would refuse to create the set again", () =>
        scene.plane.api.patch(scene.path("resourcequotas", "sets"), {
          spec: { hard: { "count/statefulsets.apps": "2" } },
        }),
      );
      expect(losses(before, await scene.look())).toEqual([]);
    },
  },
  {
    name: "not where a controller owns the set and would take the change back; it is named",
    async play(scene) {
      const before = await scene.create({ metadata: { ownerReferences: [await someOwner(scene)] } });
      await scene.annotate("data=2Gi");
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
