import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PersistentVolumeClaim } from "../../src/core/types.ts";
import { type ControlPlane, startControlPlane } from "./control-plane.ts";
import {
  createBoundClaim,
  createBoundClaims,
  createNamespace,
  createNode,
  createPod,
  createStorageClass,
} from "./fixtures.ts";

const driver = "csi.example.com";

describe.each([
  ["with the cluster's own binder", ["persistentvolume-binder-controller", "pod-garbage-collector-controller"]],
  ["without any controller", []],
])("fixtures %s", (_, controllers) => {
  let plane: ControlPlane;
  beforeAll(async () => {
    plane = await startControlPlane({ controllers });
    await createStorageClass(plane, "elastic", driver);
    await createNode(plane, "node-1");
  });
  afterAll(() => plane?.stop());

  it("a bound claim may grow, as its class allows", async () => {
    const { claim, volume } = await createBoundClaim(plane, {
      name: "grows",
      size: "1Gi",
      driver,
      className: "elastic",
    });
    expect(claim.status).toMatchObject({
      phase: "Bound",
      accessModes: ["ReadWriteOnce"],
      capacity: { storage: "1Gi" },
    });
    expect(claim.metadata.annotations).toMatchObject({ "pv.kubernetes.io/bind-completed": "yes" });
    expect(claim.spec.volumeName).toBe(volume.metadata.name);
    expect(volume.status?.phase).toBe("Bound");
    expect(volume.spec.claimRef).toMatchObject({ namespace: "default", name: "grows", uid: claim.metadata.uid });

    const path = "/api/v1/namespaces/default/persistentvolumeclaims/grows";
    const larger = await plane.api.patch<PersistentVolumeClaim>(path, {
      spec: { resources: { requests: { storage: "2Gi" } } },
    });
    expect(larger.spec.resources?.requests).toEqual({ storage: "2Gi" });
  });

  it("a class may be rigid", async () => {
    await createStorageClass(plane, "rigid", driver, { allowVolumeExpansion: false });
    await createBoundClaim(plane, { name: "stays", size: "1Gi", driver, className: "rigid" });
    const path = "/api/v1/namespaces/default/persistentvolumeclaims/stays";
    const refused = plane.api.patch(path, { spec: { resources: { requests: { storage: "2Gi" } } } });
    await expect(refused).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining("only dynamically provisioned pvc can be resized and the storageclass"),
    });
  });

  it("many claims come in the order asked for", async () => {
    await createNamespace(plane, "many");
    await createNamespace(plane, "many");
    const names = Array.from({ length: 100 }, (_, index) => `claim-${index}`);
    const bound = await createBoundClaims(
      plane,
      names.map((name) => ({ name, namespace: "many", size: "1Gi", driver, className: "elastic" })),
    );
    expect(bound.map(({ claim }) => claim.metadata.name)).toEqual(names);
    const phases = await plane.kubectl(["get", "pvc", "-n", "many", "-o", "jsonpath={.items[*].status.phase}"]);
    expect(new Set(phases.split(" "))).toEqual(new Set(["Bound"]));
  });

  it("a claim may differ from the plain one", async () => {
    const { claim, volume } = await createBoundClaim(plane, {
      name: "block",
      size: "1Gi",
      driver,
      className: "elastic",
      metadata: { annotations: { "example.com/note": "raw" } },
      claimSpec: { volumeMode: "Block", accessModes: ["ReadWriteMany"] },
      volumeSpec: { volumeMode: "Block", accessModes: ["ReadWriteMany"] },
    });
    expect(claim.metadata.annotations).toMatchObject({ "example.com/note": "raw" });
    expect([claim.spec.volumeMode, volume.spec.volumeMode]).toEqual(["Block", "Block"]);
    expect(claim.status?.accessModes).toEqual(["ReadWriteMany"]);
  });

  it("a pod runs on its node with its claims, and is gone at once when deleted", async () => {
    await createBoundClaim(plane, { name: "used", size: "1Gi", driver, className: "elastic" });
    const pod = await createPod(plane, { name: "user", node: "node-1", claims: ["used"] });
    expect(pod.status?.phase).toBe("Running");
    expect(pod.spec.nodeName).toBe("node-1");
    await plane.api.delete("/api/v1/namespaces/default/pods/user");
    await expect(plane.api.get("/api/v1/namespaces/default/pods/user")).rejects.toMatchObject({ status: 404 });
  });
});
