/** Volumes that somebody made by hand, for claims that wait for their first consumer. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { VOLUMES } from "../../../src/kube/index.ts";
import { openScene, type Scene } from "./scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
  await scene.createClass(
    "by-hand",
    {},
    {
      provisioner: "kubernetes.io/no-provisioner",
      volumeBindingMode: "WaitForFirstConsumer",
    },
  );
});
afterAll(() => scene[Symbol.asyncDispose]());

async function createVolume(name: string, storage: string): Promise<void> {
  await scene.client.create(VOLUMES, {
    metadata: { name },
    spec: {
      accessModes: ["ReadWriteOnce"],
      capacity: { storage },
      persistentVolumeReclaimPolicy: "Retain",
      storageClassName: "by-hand",
      hostPath: { path: `/mnt/${name}` },
    },
  });
}

test("the claim is bound to the smallest that suits it when a pod needs it, and not before", async () => {
  await createVolume("large", "9Gi");
  await createVolume("small", "2Gi");
  await scene.createClaim("data", "1Gi", { storageClass: "by-hand" });
  await scene.createPod("data");
  await scene.podsAreReady("data");
  expect(await scene.claimIs("data", {})).toMatchObject({ volume: "small", capacity: "2Gi" });
});

test("a set whose pods wait gets volumes as they come, each another", async () => {
  await scene.createSet("db", { size: "3Gi", storageClass: "by-hand", replicas: 3 });
  for (const name of ["pv-a", "pv-b"]) await createVolume(name, "4Gi");
  await scene.podsAreReady("db-0", "db-1", "db-2");
  const claims = await Promise.all(["db-0", "db-1", "db-2"].map((pod) => scene.claimIs(`data-${pod}`, {})));
  expect(claims.map(({ volume }) => volume).sort()).toEqual(["large", "pv-a", "pv-b"]);
});
