/** Our own policies in a cluster that lives and would take such edits itself: they are in nobody's way. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { ADMISSION_POLICIES } from "../../src/admission/policies/index.ts";
import { startCluster } from "../../src/cluster/index.ts";
import { WISH_ANNOTATION } from "../../src/core/names.ts";
import type { ClaimTemplate, KubeObject, StatefulSet } from "../../src/core/types.ts";
import { CLAIMS, defineResource, STATEFUL_SETS } from "../../src/kube/index.ts";
import { createClient, createTransport, DEFAULT_GATES, loadConfig, silentLogger } from "../../src/library/index.ts";

const GROUP = "admissionregistration.k8s.io/v1";
const NAME = { namespace: "default", name: "db" };
const DEADLINE = { timeout: 60_000 };

const template = (storage: string): ClaimTemplate => ({
  metadata: { name: "data" },
  spec: { accessModes: ["ReadWriteOnce"], storageClassName: "standard", resources: { requests: { storage } } },
});
const SET: StatefulSet = {
  metadata: NAME,
  spec: {
    serviceName: "db",
    replicas: 2,
    selector: { matchLabels: { app: "db" } },
    template: { metadata: { labels: { app: "db" } }, spec: { containers: [{ name: "main", image: "i" }] } },
    volumeClaimTemplates: [template("1Gi")],
  },
};

test("a size that is written into a template becomes a wish, and grows every volume and the template", async () => {
  await using cleanup = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "outgrow-policies-"));
  cleanup.defer(() => rmSync(folder, { recursive: true }));
  const life = { driver: "memory", sample: false, without: new Set<never>() } as const;
  const cluster = await startCluster({ folder, port: 0, gates: DEFAULT_GATES, logger: silentLogger, life });
  cleanup.defer(() => cluster.stop());
  const client = createClient(createTransport(await loadConfig({ env: {}, kubeconfig: cluster.kubeconfig })));
  cleanup.defer(() => client.close());

  for (const policy of ADMISSION_POLICIES as readonly (KubeObject & { readonly kind: string })[]) {
    const { kind } = policy;
    const plural = `${kind.toLowerCase()}s`.replace(/ys$/, "ies");
    await client.create(defineResource(GROUP, kind, plural, "Cluster"), policy);
  }
  await client.create(STATEFUL_SETS, SET);
  const capacities = async (): Promise<unknown[]> =>
    (await client.list(CLAIMS, { namespace: "default" })).items.map(({ status }) => status?.capacity?.["storage"]);
  await vi.waitFor(async () => expect(await capacities()).toEqual(["1Gi", "1Gi"]), DEADLINE);

  const set = await client.get(STATEFUL_SETS, NAME);
  // Whatever the version: its status is being written.
  const { resourceVersion: _, ...metadata } = set.metadata;
  const spec = { ...set.spec, volumeClaimTemplates: [template("2Gi")] };
  await client.update(STATEFUL_SETS, { ...set, metadata, spec });
  expect((await client.get(STATEFUL_SETS, NAME)).metadata.annotations?.[WISH_ANNOTATION]).toBe("data=2Gi");

  await vi.waitFor(async () => expect(await capacities()).toEqual(["2Gi", "2Gi"]), DEADLINE);
  await vi.waitFor(async () => {
    const { spec } = await client.get(STATEFUL_SETS, NAME);
    expect(spec.volumeClaimTemplates?.[0]?.spec.resources?.requests?.["storage"]).toBe("2Gi");
  }, DEADLINE);
}, 180_000);
