/** Who may come in between while a set is re-created, and what must have become of it in the end. */
import { expect } from "vitest";
import type { Write } from "./calls.ts";
import { gone, isAtRest, isGrown, leftovers, losses } from "./intact.ts";
import { isReady, type Look, SET } from "./look.ts";
import { aSet } from "./objects.ts";
import type { Scene } from "./scene.ts";

export interface Actor {
  readonly name: string;
  /** After which writes of the controller it acts: each is a story of its own. `npm run soak -- growth` tries all of them. */
  readonly moments: readonly Write[];
  /** What it does, once. A refusal of the API server is what it would meet, too: it gives up, and the outcome is that of nobody's coming. */
  readonly act: (scene: Scene) => Promise<unknown>;
  /** What has become of it; waits for it. */
  readonly outcome: (scene: Scene, before: Look, moment: Write) => Promise<void>;
}

const GROWN = { data: "2Gi" };
export const MANIFEST = aSet(SET, { metadata: { labels: { team: "storage" } } });
/** From which the set is missing until it is created again. */
const IN_THE_GAP: readonly Write[] = ["release"];
/** While there is a journal: from then on a set that is missing is brought back. */
const JOURNALED: readonly Write[] = ["save", "delete", "release"];

const kubectl = (scene: Scene, words: readonly string[], object?: object): Promise<string> =>
  scene.plane.kubectl(["-n", scene.namespace, ...words], object === undefined ? {} : { input: JSON.stringify(object) });

/** The growth has come to its end, and everything is what it was. */
export async function grownAndIntact(scene: Scene, before: Look): Promise<void> {
  expect(losses(before, await scene.untilGrown(GROWN))).toEqual([]);
}

/** Everything that holds data is what it was, and the set is complete; its pods may be new. */
async function grownWithItsData(scene: Scene, before: Look): Promise<Look> {
  const after = await scene.untilGrown(GROWN);
  expect(gone("claim", before.claims, after.claims)).toEqual([]);
  return after;
}

/** The set is gone for good and nothing of ours is stuck, or it was brought back; its data is there either way. */
async function goneOrBack(scene: Scene, before: Look, moment: Write): Promise<Look> {
  const isGone = (look: Look): boolean => look.set === undefined && leftovers(look).length === 0;
  const mayBeBack = JOURNALED.includes(moment);
  const after = await scene.until("to be gone or grown", (look) => isGone(look) || (mayBeBack && isGrown(look, GROWN)));
  expect(gone("claim", before.claims, after.claims)).toEqual([]);
  return after;
}

export const ACTORS: readonly Actor[] = [
  {
    name: "an autoscaler changes the number of replicas: it is never taken back",
    moments: ["prepare", "delete", "create"],
    act: (scene) => scene.plane.api.patch(`${scene.path("statefulsets", SET)}/scale`, { spec: { replicas: 3 } }),
    async outcome(scene, before) {
      const after = await scene.until("three", (look) => look.pods.length === 3 && isGrown(look, GROWN));
      expect(after.set?.spec.replicas).toBe(3);
      expect(gone("pod", before.pods, after.pods)).toEqual([]);
      expect(gone("claim", before.claims, after.claims)).toEqual([]);
      expect(after.revisions).toHaveLength(1);
    },
  },
  {
    name: "Argo CD or Helm applies the manifest again: pods are adopted, and the growth comes to its end",
    moments: ["delete", "release", "create"],
    act: (scene) => kubectl(scene, ["apply", "-f", "-"], MANIFEST),
    outcome: grownAndIntact,
  },
  {
    name: "somebody creates a large enough set in the gap: theirs stays",
    moments: IN_THE_GAP,
    act: (scene) =>
      kubectl(scene, ["create", "-f", "-"], aSet(SET, { sizes: GROWN, metadata: { labels: { by: "somebody" } } })),
    async outcome(scene, before) {
      const after = await scene.untilGrown(GROWN);
      expect(after.set?.metadata.labels).toEqual({ by: "somebody" });
      expect(gone("pod", before.pods, after.pods)).toEqual([]);
      expect(gone("claim", before.claims, after.claims)).toEqual([]);
    },
  },
  {
    name: "a user deletes the set with its pods: without a journal it stays deleted, and claims stay in any case",
    moments: ["prepare", "save", "create"],
    act: (scene) => kubectl(scene, ["delete", "sts", SET, "--wait=false"]),
    outcome: async (scene, before, moment) => void (await goneOrBack(scene, before, moment)),
  },
  {
    name: "a user deletes the set in the foreground: nothing of ours holds it up",
    moments: ["guard", "delete"],
    act: (scene) => kubectl(scene, ["delete", "sts", SET, "--cascade=foreground", "--wait=false"]),
    outcome: async (scene, before, moment) => void (await goneOrBack(scene, before, moment)),
  },
  {
    name: "a user deletes the set and keeps its pods: they are the same ones",
    moments: ["prepare", "delete", "create"],
    act: (scene) => kubectl(scene, ["delete", "sts", SET, "--cascade=orphan", "--wait=false"]),
    async outcome(scene, before, moment) {
      const after = await goneOrBack(scene, before, moment);
      expect(gone("pod", before.pods, after.pods)).toEqual([]);
    },
  },
  {
    name: "a user deletes a claim and its pod: the set makes new ones, which grow; the other claim is the same",
    moments: ["prepare", "release"],
    async act(scene) {
      await kubectl(scene, ["delete", "pvc", `data-${SET}-1`, "--wait=false"]);
      await kubectl(scene, ["delete", "pod", `${SET}-1`, "--wait=false"]);
    },
    async outcome(scene, before) {
      const replaced = before.claims.find(({ metadata }) => metadata.name === `data-${SET}-1`)?.metadata.uid;
      const after = await scene.until(
        "a new claim to have grown",
        (look) => isGrown(look, GROWN) && look.claims.every(({ metadata }) => metadata.uid !== replaced),
      );
      expect(gone("claim", before.claims, after.claims)).toEqual([`claim data-${SET}-1 is another one`]);
      expect(gone("pod", before.pods, after.pods)).toEqual([`pod ${SET}-1 is another one`]);
    },
  },
  {
    name: "a user deletes the record: it stays for as long as it has the only copy",
    moments: ["save", "release"],
    act: (scene) => kubectl(scene, ["delete", "vx", SET, "--wait=false"]),
    async outcome(scene, before) {
      expect(losses(before, await scene.until("to have grown", (look) => isAtRest(look, GROWN)))).toEqual([]);
    },
  },
  {
    name: "somebody starts a rollout: it is finished, with the same claims",
    moments: ["save", "create"],
    act: (scene) => kubectl(scene, ["set", "image", `sts/${SET}`, "main=database:2"]),
    async outcome(scene, before) {
      const after = await grownWithItsData(scene, before);
      expect(JSON.stringify(after.set?.spec.template)).toContain("database:2");
      expect(JSON.stringify(after.pods.map(({ spec }) => spec.containers))).not.toContain("database:1");
    },
  },
  {
    name: "a node is gone, and its pods are deleted by force: they come up again with their claims",
    moments: ["delete", "release"],
    act: (scene) => kubectl(scene, ["delete", "pods", "--all", "--force", "--grace-period=0", "--wait=false"]),
    async outcome(scene, before) {
      await grownWithItsData(scene, before);
      await scene.until("its pods to be ready", isReady);
    },
  },
  {
    name: "the retention policy is changed: the newer one is what comes back",
    moments: ["prepare", "create"],
    act: (scene) =>
      scene.plane.api.patch(scene.path("statefulsets", SET), {
        spec: { persistentVolumeClaimRetentionPolicy: { whenDeleted: "Delete", whenScaled: "Delete" } },
      }),
    async outcome(scene, before) {
      const after = await grownWithItsData(scene, before);
      expect(after.set?.spec.persistentVolumeClaimRetentionPolicy).toEqual({
        whenDeleted: "Delete",
        whenScaled: "Delete",
      });
      expect(gone("pod", before.pods, after.pods)).toEqual([]);
    },
  },
  {
    name: "the namespace is deleted: it goes, and nothing of ours holds it up",
    moments: ["release"],
    act: (scene) => kubectl(scene, ["delete", "namespace", scene.namespace, "--wait=false"]),
    async outcome(scene) {
      await scene.until(
        "nothing to be left",
        ({ set, claims, record }) => set === undefined && claims.length === 0 && record === undefined,
      );
    },
  },
];
