/** What MOCO's text promises (spec: "Support Volume Expansion Through MySQLCluster"), each by its own sentence. */
import { expect } from "vitest";
import { READY_ANNOTATION } from "../../../src/cluster/controllers/node/index.ts";
import { OPERATOR_MANAGER, STOPPED_ANNOTATION } from "../../../src/cluster/sample/mysql/index.ts";
import { Quantity } from "../../../src/core/quantity.ts";
import { managedFieldsOf } from "../../../src/statefulset/decide/managed-fields.ts";
import { capacityOf, hasSizes, leftovers, losses, requestOf } from "../growth/intact.ts";
import { conditionOf, DATA, type SourceScene } from "./scene.ts";
import type { SourceStage } from "./stage.ts";

export interface SourceStory {
  readonly name: string;
  /** In a namespace of its own, with an operator in it and a controller at work. */
  readonly play: (scene: SourceScene, stage: SourceStage) => Promise<void>;
}

export const MOCO_STORIES: readonly SourceStory[] = [
  {
    name: "moco-controller automatically resizes the PVC when the size of the MySQLCluster volume claim is extended",
    async play(scene) {
      const before = await scene.create();
      await scene.resize("2Gi");
      const after = await scene.untilResized("2Gi");
      expect(losses(before, after)).toEqual([]);
      await scene.sets.untilTold(`MySQLCluster shop VolumeResizing: growing ${DATA} 2Gi`);
      await scene.sets.untilTold(`MySQLCluster shop VolumeResized: every claim has its size: ${DATA} 2Gi`);
    },
  },
  {
    name: "delete only the StatefulSet without deleting the Pods; it will be recreated with the new PVC size, by the operator",
    async play(scene) {
      const before = await scene.create();
      await scene.resize("2Gi");
      const after = await scene.untilResized("2Gi");
      expect(losses(before, after)).toEqual([]);
      // Where the API server takes the edit, there is nothing to delete.
      expect(after.set?.metadata.uid === before.set?.metadata.uid).toBe(scene.sets.takesEdits);
      const managers = after.set === undefined ? [] : managedFieldsOf(after.set).map(({ manager }) => manager);
      expect(managers).toContain(OPERATOR_MANAGER);
    },
  },
  {
    name: "checks if allowVolumeExpansion is true for the StorageClass; without it the condition is False, and nothing is changed",
    async play(scene, { stage }) {
      const className = `rigid-${scene.sets.namespace}`;
      await stage.createClass(className, {}, false);
      const before = await scene.create({ className });
      if (scene.sets.takesEdits) {
        await expect(scene.resize("2Gi")).rejects.toThrow(`storage class "${className}"`);
        return;
      }
      await scene.resize("2Gi");
      const refused = await scene.untilCondition("False ValidationFailed: Validation failed: ");
      expect(conditionOf(refused)?.message).toContain(
        `storage class "${className}" of template "${DATA}" does not allow`,
      );
      expect(losses(before, await scene.sets.look())).toEqual([]);
      expect((await scene.sets.look()).claims.map((claim) => requestOf(claim).toString())).toEqual(["1Gi", "1Gi"]);
      await stage.plane.api.patch(`/apis/storage.k8s.io/v1/storageclasses/${className}`, {
        allowVolumeExpansion: true,
      });
      expect(losses(before, await scene.untilResized("2Gi"))).toEqual([]);
    },
  },
  {
    name: "will only update if the actual PVC size is smaller than the PVC size after the change (pvc-autoresizer)",
    async play(scene, { stage }) {
      const before = await scene.create();
      const [first] = before.claims;
      const claim = scene.sets.path("persistentvolumeclaims", first?.metadata.name);
      await stage.plane.api.patch(claim, { spec: { resources: { requests: { storage: "5Gi" } } } });
      await scene.resize("2Gi");
      await scene.untilCondition(`True Resized: every claim has its size: ${DATA} 2Gi`);
      const after = await scene.sets.until(
        "the set to have 2Gi, and nothing more to come",
        (look) => look.record?.status?.phase === "Done" && leftovers(look).length === 0,
      );
      expect(after.set !== undefined && hasSizes(after.set, { [DATA]: "2Gi" })).toBe(true);
      expect(after.claims.map((each) => requestOf(each).toString()).sort()).toEqual(["2Gi", "5Gi"]);
      expect(losses(before, after)).toEqual([]);
    },
  },
  {
    name: "failure to update is VolumeResized=False with the reason; asking for less is the way back, and then it is True",
    async play(scene, { stage }) {
      const className = `small-${scene.sets.namespace}`;
      await stage.createClass(className, { controllerLimit: "3Gi", controllerError: "OutOfRange" });
      const before = await scene.create({ className });
      await scene.resize("4Gi");
      await scene.untilCondition("False ResizeFailed: Resize failed: ");
      if (!scene.sets.takesEdits) {
        const { set } = await scene.sets.look();
        expect(set !== undefined && hasSizes(set, { [DATA]: "1Gi" }), "the template waits for the storage").toBe(true);
      }
      await scene.resize("2Gi");
      expect(losses(before, await scene.untilResized("2Gi"))).toEqual([]);
    },
  },
  {
    name: "grows although pods are not ready, and although the set says so",
    async play(scene, { stage }) {
      const before = await scene.create();
      const pod = scene.sets.path("pods", before.pods[0]?.metadata.name);
      await stage.plane.api.patch(pod, { metadata: { annotations: { [READY_ANNOTATION]: "false" } } });
      await scene.sets.until("one pod not to be ready", ({ set }) => (set?.status?.readyReplicas ?? 0) < 2);
      await scene.resize("2Gi");
      expect(losses(before, await scene.untilResized("2Gi"))).toEqual([]);
    },
  },
  {
    name: "a cluster that is offline grows too: its claims are not forgotten while they have no pods",
    async play(scene) {
      const before = await scene.create();
      await scene.change({ spec: { offline: true } });
      await scene.sets.until("its pods to be gone", ({ pods }) => pods.length === 0);
      await scene.resize("2Gi");
      await scene.sets.until("its claims to ask for more", ({ claims }) =>
        claims.every((claim) => requestOf(claim).equals(Quantity.parse("2Gi"))),
      );
      await scene.change({ spec: { offline: false } });
      const after = await scene.untilResized("2Gi");
      expect(after.claims.map(({ metadata }) => metadata.uid)).toEqual(
        before.claims.map(({ metadata }) => metadata.uid),
      );
      expect(after.claims.map((claim) => capacityOf(claim).toString())).toEqual(["2Gi", "2Gi"]);
    },
  },
  {
    name: "an operator that was told to keep its hands off is not helped either, until it is told otherwise",
    async play(scene) {
      await scene.create();
      await scene.change({ metadata: { annotations: { [STOPPED_ANNOTATION]: "true" } } });
      await scene.resize("2Gi");
      await scene.sets.until("nothing to be asked for", ({ record, claims }) => {
        return (
          record?.spec.wishedBy === undefined && claims.every((claim) => requestOf(claim).equals(Quantity.parse("1Gi")))
        );
      });
      await scene.change({ metadata: { annotations: { [STOPPED_ANNOTATION]: null } } });
      await scene.untilResized("2Gi");
    },
  },
  {
    name: "a second size while the first is on its way: the last one counts",
    async play(scene) {
      const before = await scene.create();
      await scene.resize("2Gi");
      await scene.resize("3Gi");
      expect(losses(before, await scene.untilResized("3Gi"))).toEqual([]);
    },
  },
  {
    name: "a cluster that goes takes its wish along",
    async play(scene, { stage }) {
      await scene.create();
      await scene.resize("2Gi");
      await scene.untilResized("2Gi");
      const { metadata } = await scene.cluster();
      await stage.plane.api.delete(`/apis/moco.cybozu.com/v1beta2/namespaces/${metadata.namespace}/mysqlclusters/shop`);
      const after = await scene.sets.until("the wish to be gone", ({ record }) => record?.spec.wishedBy === undefined);
      expect(after.record?.spec.recreatedBy).toBeUndefined();
    },
  },
];
