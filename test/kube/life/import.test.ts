/** A cluster dump, as kubectl prints it of a real control plane, rehearsed in the embedded cluster. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { KubeObject } from "../../../src/core/types.ts";
import {
  CLAIMS,
  defineResource,
  type KubeClient,
  PODS,
  QUOTAS,
  STATEFUL_SETS,
  STORAGE_CLASSES,
  VOLUMES,
} from "../../../src/kube/index.ts";
import { startControlPlane } from "../control-plane.ts";
import { defineKind } from "../custom-kinds.ts";
import { createBoundClaims, createNamespace, createStorageClass } from "../fixtures.ts";
import { lookOf } from "./people.ts";
import { aPlace, runProgram, startUp } from "./program.ts";

const DRIVER = "ebs.csi.aws.com";
const SHOP = "shop";
const CACTI = defineResource<KubeObject & { spec: { height: string } }>("example.com/v1", "Cactus", "cacti");
const DEFINITION = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "cacti.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { kind: "Cactus", plural: "cacti", singular: "cactus" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: { spec: { type: "object", properties: { height: { type: "string" } } } },
          },
        },
      },
    ],
  },
};

function aSet(owner: KubeObject): KubeObject & Record<string, unknown> {
  const labels = { app: "db" };
  const { name, uid = "" } = owner.metadata;
  return {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: {
      name: "db",
      namespace: SHOP,
      ownerReferences: [{ apiVersion: "example.com/v1", kind: "Cactus", name, uid, controller: true }],
    },
    spec: {
      serviceName: "db",
      replicas: 2,
      podManagementPolicy: "Parallel",
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          serviceAccountName: "database",
          nodeSelector: { "topology.kubernetes.io/zone": "eu-west-1a" },
          containers: [{ name: "db", image: "database", volumeMounts: [{ name: "data", mountPath: "/data" }] }],
        },
      },
      volumeClaimTemplates: [
        {
          metadata: { name: "data" },
          spec: {
            accessModes: ["ReadWriteOnce"],
            storageClassName: "gp3",
            resources: { requests: { storage: "100Gi" } },
          },
        },
      ],
    },
  };
}

/** What somebody types who wants a rehearsal; nothing is chosen with care. */
const WHAT =
  "crd,ns,sc,pv,pvc,sts,controllerrevisions,pods,svc,endpointslices,sa,cm,quota,cacti,events,leases,clusterroles,priorityclasses";

async function dumpOfRealCluster(): Promise<string> {
  const controllers = [
    "persistentvolume-binder-controller",
    "statefulset-controller",
    "serviceaccount-controller",
    "resourcequota-controller",
    "root-ca-certificate-publisher-controller",
  ];
  const plane = await startControlPlane({ controllers });
  try {
    const { api } = plane;
    const kubectl = (args: readonly string[]) => plane.kubectl(args);
    await createNamespace(plane, SHOP);
    await createStorageClass(plane, "gp3", DRIVER, {
      metadata: { name: "gp3", annotations: { "storageclass.kubernetes.io/is-default-class": "true" } },
      parameters: { type: "gp3" },
    });
    await createBoundClaims(
      plane,
      ["data-db-0", "data-db-1", "data-db-7"].map((name) => ({
        name,
        namespace: SHOP,
        size: "100Gi",
        driver: DRIVER,
        className: "gp3",
      })),
    );
    await defineKind(api, DEFINITION);
    const cacti = `/apis/example.com/v1/namespaces/${SHOP}/cacti`;
    const cactus = await api.create<KubeObject>(cacti, {
      apiVersion: "example.com/v1",
      kind: "Cactus",
      metadata: { name: "saguaro", namespace: SHOP, finalizers: ["example.com/operator"] },
      spec: { height: "12m" },
    });
    await api.create(`/api/v1/namespaces/${SHOP}/serviceaccounts`, { metadata: { name: "database", namespace: SHOP } });
    await api.create(`/apis/apps/v1/namespaces/${SHOP}/statefulsets`, aSet(cactus));
    await kubectl(["wait", "--for=jsonpath={.status.replicas}=2", "sts/db", "-n", SHOP, "--timeout=60s"]);
    // One is in the middle of its growth: the storage has it, the node does not.
    const claim = `/api/v1/namespaces/${SHOP}/persistentvolumeclaims/data-db-0`;
    await kubectl([
      "patch",
      "pvc/data-db-0",
      "-n",
      SHOP,
      "-p",
      '{"spec":{"resources":{"requests":{"storage":"120Gi"}}}}',
    ]);
    await kubectl(["patch", `pv/pv-${SHOP}-data-db-0`, "-p", '{"spec":{"capacity":{"storage":"120Gi"}}}']);
    const status = {
      allocatedResources: { storage: "120Gi" },
      allocatedResourceStatuses: { storage: "NodeResizePending" },
    };
    await api.patch(`${claim}/status`, { status }, "merge");
    // Less than is there: it was lowered since.
    await api.create(`/api/v1/namespaces/${SHOP}/resourcequotas`, {
      metadata: { name: "storage", namespace: SHOP },
      spec: { hard: { "requests.storage": "250Gi" } },
    });
    await kubectl(["wait", "--for=create", "configmap/kube-root-ca.crt", "-n", "default", "--timeout=60s"]);
    return await kubectl(["get", WHAT, "-A", "-o", "yaml"]);
  } finally {
    await plane.stop();
  }
}

async function looks(client: KubeClient): Promise<Readonly<Record<string, string | undefined>>> {
  const { items } = await client.list(CLAIMS, { namespace: SHOP });
  return Object.fromEntries(items.map((claim) => [claim.metadata.name, lookOf(claim).capacity]));
}

test("a dump of a real cluster: its claims are bound, its set is ready, growth goes on and can be rehearsed", async () => {
  using place = aPlace();
  const dump = join(place.temporary, "dump.yaml");
  writeFileSync(dump, await dumpOfRealCluster());
  const words = ["--driver", "memory", "--import", dump, "--import-parameters", "gp3:controllerLimit=500Gi"];
  {
    await using program = await startUp(place, ...words);
    const { client, banner } = program;
    expect(banner).toContain(`Pod ${SHOP}/db-0, ${SHOP}/db-1: StatefulSet db makes it anew`);
    expect(banner).toContain("3 PersistentVolumeClaim");
    expect(banner).toContain("ConfigMap default/kube-root-ca.crt");
    expect(banner).not.toContain("Refused");
    await expect
      .poll(() => looks(client))
      .toEqual({ "data-db-0": "120Gi", "data-db-1": "100Gi", "data-db-7": "100Gi" });
    const ready = async (): Promise<number | undefined> =>
      (await client.get(STATEFUL_SETS, { namespace: SHOP, name: "db" })).status?.readyReplicas;
    await expect.poll(ready).toBe(2);

    const set = await client.get(STATEFUL_SETS, { namespace: SHOP, name: "db" });
    const cactus = await client.get(CACTI, { namespace: SHOP, name: "saguaro" });
    expect(cactus.spec).toEqual({ height: "12m" });
    expect(cactus.metadata.finalizers).toBeUndefined();
    expect(set.metadata.ownerReferences).toMatchObject([{ name: "saguaro", uid: cactus.metadata.uid }]);
    const volume = await client.get(VOLUMES, { name: `pv-${SHOP}-data-db-1` });
    const claim = await client.get(CLAIMS, { namespace: SHOP, name: "data-db-1" });
    expect(volume.spec.claimRef?.uid).toBe(claim.metadata.uid);
    expect(volume.spec.csi).toMatchObject({ driver: "memory.csi.outgrow.dev", volumeHandle: volume.metadata.name });
    const storageClass = await client.get(STORAGE_CLASSES, { name: "gp3" });
    expect(storageClass).toMatchObject({
      provisioner: "memory.csi.outgrow.dev",
      parameters: { controllerLimit: "500Gi" },
      metadata: { annotations: { "outgrow.dev/provisioner": DRIVER } },
    });
    const used = async (): Promise<string | undefined> =>
      (await client.get(QUOTAS, { namespace: SHOP, name: "storage" })).status?.used?.["requests.storage"];
    await expect.poll(used).toBe("320Gi");

    // The rehearsal: quota says what would be in the way, then the limit of the storage does.
    const edit = (storage: string) =>
      client.patch(
        CLAIMS,
        { namespace: SHOP, name: "data-db-1" },
        { type: "merge", body: { spec: { resources: { requests: { storage } } } } },
      );
    await expect(edit("200Gi")).rejects.toThrow("exceeded quota");
    await client.delete(QUOTAS, { namespace: SHOP, name: "storage" });
    await edit("200Gi");
    await expect.poll(() => looks(client)).toMatchObject({ "data-db-1": "200Gi" });
    expect(await program.end("SIGTERM")).toBe(0);
  }
  await using again = await startUp(place, ...words);
  expect(again.banner).toContain("This was imported before");
  expect(await looks(again.client)).toMatchObject({ "data-db-1": "200Gi" });
  expect((await again.client.list(QUOTAS, { namespace: SHOP })).items).toEqual([]);
  expect((await again.client.list(PODS, { namespace: SHOP })).items).toHaveLength(2);
});

test("what makes no sense is said before anything is begun", async () => {
  using place = aPlace();
  const missing = await runProgram("up", "--data", place.data, "--import", join(place.temporary, "nothing.yaml"));
  expect(missing).toMatchObject({ code: 2, err: expect.stringContaining("nothing.yaml") });
  const words = ["up", "--data", place.data, "--import-parameters", "gp3"];
  expect(await runProgram(...words)).toMatchObject({ err: expect.stringContaining("CLASS:NAME=VALUE") });
  const unknown = await runProgram("up", "--data", place.data, "--disable-controller", "node,nobody");
  expect(unknown).toMatchObject({
    code: 2,
    err: expect.stringContaining('there is no "nobody"; there is statefulset, '),
  });
});
