import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { clusterObject, createTestCluster, object, PROD, type TestCluster } from "./testing/cluster.ts";

let cluster: TestCluster;
beforeEach(async () => {
  cluster = createTestCluster();
  const ending = clusterObject("v1", "Namespace", "ending", { status: { phase: "Terminating" } });
  await cluster.given(PROD, ending);
});
afterEach(() => cluster.close());

const map = (namespace: string) => object("v1", "ConfigMap", "a", { metadata: { namespace } });

describe("namespaces", () => {
  test("nothing is made in one that is not there", async () => {
    expect(await cluster.answer(map("nowhere"))).toBe('404 NotFound: namespaces "nowhere" not found');
  });

  test("nothing is made in one that is being terminated, and the cause is told to machines", async () => {
    await expect(cluster.admit(map("ending"))).rejects.toMatchObject({
      code: 403,
      message:
        'configmaps "a" is forbidden: unable to create new content in namespace ending because it is being terminated',
      causes: [
        {
          reason: "NamespaceTerminating",
          message: "namespace ending is being terminated",
          field: "metadata.namespace",
        },
      ],
    });
  });

  test("what is in one that is being terminated may still change", async () => {
    expect(await cluster.answer(map("ending"), { old: map("ending") })).toBe("admitted");
  });

  test("making one asks for none", async () => {
    expect(await cluster.answer(clusterObject("v1", "Namespace", "new"))).toBe("admitted");
  });

  test.each(["default", "kube-system", "kube-public"])("%s may not be deleted", async (name) => {
    await expect(cluster.remove(clusterObject("v1", "Namespace", name))).rejects.toMatchObject({
      code: 403,
      message: `namespaces "${name}" is forbidden: this namespace may not be deleted`,
    });
  });

  test("any other may, and so may everything in them", async () => {
    await expect(cluster.remove(PROD)).resolves.toBeUndefined();
    await expect(cluster.remove(map("ending"))).resolves.toBeUndefined();
  });
});
