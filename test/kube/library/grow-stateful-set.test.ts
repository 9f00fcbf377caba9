/** Growing through the library, on a cluster where nobody else grows anything. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  defineResource,
  type GrowthOutcome,
  type GrowthRequest,
  growStatefulSet,
  type PersistentVolumeClaim,
  PODS,
  requestGrowth,
  STATEFUL_SETS,
  STORAGE_CLASSES,
  startGrowth,
  VOLUME_EXPANSIONS,
} from "../../../src/library/index.ts";
import { NAMESPACE, openScene, type Scene, type SetWish } from "../life/scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene({ without: ["growth"] });
});
afterAll(() => scene?.[Symbol.asyncDispose]());

const CONFIG_MAPS = defineResource("v1", "ConfigMap", "configmaps");

/** A set whose pods are ready, and that something else controls. */
async function aSet(name: string, wish: Partial<SetWish> = {}): Promise<void> {
  await scene.createSet(name, { size: "1Gi", ...wish });
  const ref = { namespace: NAMESPACE, name };
  const { metadata } = await scene.client.create(CONFIG_MAPS, {
    metadata: { namespace: NAMESPACE, name: `lab-${name}` },
  });
  const owner = { apiVersion: "v1", kind: "ConfigMap", name: metadata.name, uid: metadata.uid, controller: true };
  const body = { metadata: { ownerReferences: [owner] } };
  await scene.client.patch(STATEFUL_SETS, ref, { type: "merge", body });
  await scene.podsAreReady(`${name}-0`, `${name}-1`);
}

const asking = (name: string, size: string): GrowthRequest => ({
  client: scene.client,
  namespace: NAMESPACE,
  name,
  sizes: { data: size },
});

const capacityOf = ({ status }: PersistentVolumeClaim) => status?.capacity?.["storage"];

async function sizesOf(name: string) {
  const { spec } = await scene.client.get(STATEFUL_SETS, { namespace: NAMESPACE, name });
  const claims = await Promise.all([0, 1].map((ordinal) => scene.claim(`data-${name}-${ordinal}`)));
  return [spec.volumeClaimTemplates?.[0]?.spec.resources?.requests?.["storage"], ...claims.map(capacityOf)];
}

describe("growStatefulSet", () => {
  test("grows every claim and the template of a set that a controller owns, and restarts no pod", async () => {
    await aSet("plain");
    const uidsOf = async () =>
      (await scene.client.list(PODS, { namespace: NAMESPACE })).items.map((pod) => pod.metadata.uid);
    const before = await uidsOf();
    const told: GrowthOutcome[] = [];
    const outcome = await growStatefulSet({ ...asking("plain", "2Gi"), onProgress: (each) => told.push(each) });
    expect(outcome).toMatchObject({ kind: "resized", claims: [{ to: "2Gi", state: "Done" }, { state: "Done" }] });
    expect(outcome.message).toBe(
      "ConfigMap lab-plain asks for data 2Gi: 2 of 2 claims have their size, and so has the template",
    );
    expect(await sizesOf("plain")).toEqual(["2Gi", "2Gi", "2Gi"]);
    expect(told.map(({ kind }) => kind)).toContain("growing");
    expect(told.at(-1)).toEqual(outcome);
    expect(await uidsOf()).toEqual(before);
  });

  test("has nothing to do where everything has its size", async () => {
    await aSet("content", { size: "2Gi" });
    expect(await growStatefulSet(asking("content", "2Gi"))).toMatchObject({ kind: "resized" });
    expect(await growStatefulSet(asking("content", "2048Mi"))).toMatchObject({ kind: "resized" });
  });

  test("says what failed, and recovers with less", async () => {
    await aSet("tight", { storageClass: "flaky-infeasible" });
    const outcome = await growStatefulSet(asking("tight", "20Gi"));
    expect(outcome).toMatchObject({ kind: "failed", claims: [{ state: "Failed" }, { state: "Failed" }] });
    expect(outcome.message).toContain("OutOfRange");
    expect(await growStatefulSet(asking("tight", "5Gi"))).toMatchObject({ kind: "resized" });
    expect(await sizesOf("tight")).toEqual(["5Gi", "5Gi", "5Gi"]);
  });

  test("looks anew at what was refused, when it is called again", async () => {
    await scene.createClass("rigid", {}, { allowVolumeExpansion: false });
    await aSet("refused", { storageClass: "rigid" });
    const refused = await growStatefulSet(asking("refused", "2Gi"));
    expect(refused).toMatchObject({ kind: "failed" });
    expect(refused.message).toContain('"rigid"');
    const body = { allowVolumeExpansion: true };
    await scene.client.patch(STORAGE_CLASSES, { name: "rigid" }, { type: "merge", body });
    expect(await growStatefulSet(asking("refused", "2Gi"))).toMatchObject({ kind: "resized" });
  });

  test("goes on from where a call was given up", async () => {
    await scene.createClass("leisurely", { delay: "300ms" });
    await aSet("halfway", { storageClass: "leisurely" });
    const stopping = new AbortController();
    const reason = new Error("enough");
    const onProgress = ({ kind }: GrowthOutcome): void => {
      if (kind === "growing") stopping.abort(reason);
    };
    const order = { ...asking("halfway", "2Gi"), rollout: { mode: "OneByOne" } } as const;
    await expect(growStatefulSet({ ...order, onProgress }, stopping.signal)).rejects.toBe(reason);
    expect(await sizesOf("halfway")).not.toEqual(["2Gi", "2Gi", "2Gi"]);
    expect(await growStatefulSet(order)).toMatchObject({ kind: "resized" });
    expect(await sizesOf("halfway")).toEqual(["2Gi", "2Gi", "2Gi"]);
  });

  test("waits for a controller where one does the work", async () => {
    await aSet("waiting");
    const growth = startGrowth({ client: scene.client, only: ({ name }) => name === "waiting" });
    try {
      expect(await growStatefulSet({ ...asking("waiting", "2Gi"), carriedOutBy: "controller" })).toMatchObject({
        kind: "resized",
      });
    } finally {
      await growth.stop();
    }
    expect(await sizesOf("waiting")).toEqual(["2Gi", "2Gi", "2Gi"]);
  });
});

describe("requestGrowth", () => {
  const recordOf = (name: string) => scene.client.get(VOLUME_EXPANSIONS, { namespace: NAMESPACE, name });

  test("asks once, in the owner's name, and waits for nothing", async () => {
    await aSet("asked");
    expect(await requestGrowth({ ...asking("asked", "3Gi"), recreatedBy: "Operator" })).toEqual({
      kind: "growing",
      message: "nobody has looked at these sizes yet",
      claims: [],
    });
    const record = await recordOf("asked");
    expect(record.spec).toEqual({
      statefulSetName: "asked",
      claims: [{ template: "data", storage: "3Gi" }],
      wishedBy: { kind: "ConfigMap", name: "lab-asked" },
      recreatedBy: "Operator",
    });
    expect(record.metadata.ownerReferences).toMatchObject([{ kind: "ConfigMap", name: "lab-asked" }]);
    await requestGrowth({ ...asking("asked", "3072Mi"), recreatedBy: "Operator" });
    expect(await recordOf("asked")).toEqual(record);
    await requestGrowth({ ...asking("asked", "4Gi"), recreatedBy: "Operator" });
    const after = await recordOf("asked");
    expect(after.spec.claims).toEqual([{ template: "data", storage: "4Gi" }]);
    expect(after.metadata.ownerReferences).toEqual(record.metadata.ownerReferences);
  });

  test("leaves a set alone that an ExpansionSource speaks for, and names it", async () => {
    await aSet("spoken-for");
    await scene.client.create(VOLUME_EXPANSIONS, {
      metadata: { namespace: NAMESPACE, name: "spoken-for" },
      spec: { statefulSetName: "spoken-for", wishedBy: { source: "moco", kind: "MySQLCluster", name: "shop" } },
    });
    await expect(requestGrowth(asking("spoken-for", "2Gi"))).rejects.toMatchObject({
      code: "WISH_TAKEN",
      message: expect.stringContaining("MySQLCluster shop through ExpansionSource moco"),
    });
  });

  test.each<[string, Partial<GrowthRequest>, string, string]>([
    ["a set that is not there", {}, "OBJECT_MISSING", "there is no StatefulSet prod/nobody; create it first"],
    ["a size that is none", { sizes: { data: "much" } }, "QUANTITY_INVALID", '"much" is not a quantity'],
  ])("%s is an error", async (_, difference, code, message) => {
    await expect(requestGrowth({ ...asking("nobody", "2Gi"), ...difference })).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
  });
});
