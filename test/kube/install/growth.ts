/** One growth from end to end, by the controller as it was installed: its account, its arguments, and the size in a manifest. */
import { expect } from "vitest";
import type { PersistentVolumeClaim, StatefulSet } from "../../../src/core/types.ts";
import type { ControlPlane } from "../control-plane.ts";
import type { User } from "../credentials.ts";
import { createBoundClaim, createNamespace, createStorageClass } from "../fixtures.ts";
import { startOutgrow } from "../outgrow-process.ts";
import { waitFor } from "../wait.ts";
import { ACCOUNT, NAMESPACE } from "./installed.ts";

/** For machines that are busy with other things. */
const PATIENT = { timeoutMs: 60_000, everyMs: 100 };

/** Somebody with a token of an account in the controller's namespace. */
export async function userOf(plane: ControlPlane, name = ACCOUNT): Promise<User> {
  const token = (await plane.kubectl(["create", "token", name, "--namespace", NAMESPACE])).trim();
  return plane.addUser(`system:serviceaccount:${NAMESPACE}:${name}`, token, NAMESPACE);
}

/**
 * Applies a set in this namespace, then the same with a larger size, as people do; and resolves when its claim asks for
 * that size. The controller never asked for what it may not do.
 */
export async function expectGrowth(plane: ControlPlane, user: User, namespace: string): Promise<void> {
  await createNamespace(plane, namespace);
  await createStorageClass(plane, "elastic", "csi.example.com");
  const labels = { app: "db" };
  const claim = { name: "data-db-0", namespace, size: "1Gi", driver: "csi.example.com", className: "elastic" };
  await createBoundClaim(plane, { ...claim, metadata: { labels } });
  const apply = async (size: string) => {
    const input = JSON.stringify(setOf(size, labels));
    return (await plane.tryKubectl(["apply", "--namespace", namespace, "-f", "-"], { input })).code === 0;
  };
  expect(await apply("1Gi")).toBe(true);
  await using controller = await startInstalled(plane, user);
  await controller.says("at work");

  // The API server hears of policies a moment after they are installed; until then it refuses other sizes.
  await waitFor("the size to be taken", () => apply("2Gi"), PATIENT);
  const path = `/api/v1/namespaces/${namespace}/persistentvolumeclaims/data-db-0`;
  await waitFor(
    "the claim to ask for 2Gi",
    async () => {
      const { spec } = await plane.api.get<PersistentVolumeClaim>(path);
      return spec.resources?.requests?.["storage"] === "2Gi";
    },
    PATIENT,
  );
  const refused = (await plane.auditEntries({ user: user.name })).filter(({ denied }) => denied);
  expect(refused.map(({ verb, resource }) => `${verb} ${resource}`)).toEqual([]);
}

/**
 * Saves a set of another namespace in a record, as somebody could who has all rights in the namespace of the record. The
 * controller brings it back, where the record is.
 */
export async function expectNoSetElsewhere(plane: ControlPlane, user: User, namespace: string): Promise<void> {
  const records = `/apis/outgrow.dev/v1alpha1/namespaces/${namespace}/volumeexpansions`;
  await plane.api.create(records, {
    apiVersion: "outgrow.dev/v1alpha1",
    kind: "VolumeExpansion",
    metadata: { name: "lost" },
    spec: { statefulSetName: "lost" },
  });
  const { spec, ...rest } = setOf("1Gi", { app: "lost" });
  const metadata = { name: "intruder", namespace: "kube-system", uid: "1" };
  await plane.api.patch(`${records}/lost/status`, { status: { savedStatefulSet: { ...rest, metadata, spec } } });
  const sets = async () => (await plane.api.get<{ items: StatefulSet[] }>("/apis/apps/v1/statefulsets")).items;
  {
    await using controller = await startInstalled(plane, user);
    await controller.says("at work");
    const created = await waitFor(
      "the set to be brought back",
      async () => (await sets()).find((set) => set.metadata.name === "lost"),
      PATIENT,
    );
    expect(created.metadata.namespace).toBe(namespace);
  }
  expect((await sets()).map((set) => set.metadata.name)).not.toContain("intruder");
  // Nobody adopts its pods here, so it would keep our marks.
  const set = `/apis/apps/v1/namespaces/${namespace}/statefulsets/lost`;
  for (const path of [set, `${records}/lost`]) {
    await plane.api.patch(path, { metadata: { finalizers: null } });
    await plane.api.delete(path);
  }
}

/** The controller with the arguments of the Deployment that is installed. */
async function startInstalled(plane: ControlPlane, { kubeconfig }: User) {
  const path = `/apis/apps/v1/namespaces/${NAMESPACE}/deployments/outgrow-controller`;
  const { spec } = await plane.api.get<{
    spec: { template: { spec: { containers: { command: string[]; args: string[] }[] } } };
  }>(path);
  const { command = [], args = [] } = spec.template.spec.containers[0] ?? {};
  expect(command[0]).toBe("outgrow");
  const words = args.filter((word) => !word.startsWith("--http-endpoint"));
  const started = startOutgrow([...command.slice(1), ...words, "--kubeconfig", kubeconfig]);
  return {
    says: (message: string) => started.says(message),
    [Symbol.asyncDispose]: async () => void (await started.kill("SIGTERM")),
  };
}

function setOf(size: string, labels: Record<string, string>): StatefulSet {
  return {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: { name: "db" },
    spec: {
      replicas: 1,
      serviceName: "db",
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "db", image: "registry.example/db:1" }] } },
      volumeClaimTemplates: [
        {
          metadata: { name: "data" },
          spec: {
            accessModes: ["ReadWriteOnce"],
            storageClassName: "elastic",
            resources: { requests: { storage: size } },
          },
        },
      ],
    },
  };
}
