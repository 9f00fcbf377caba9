/** Namespaces, accounts, quotas, budgets and services. */
import { isDeepStrictEqual } from "node:util";
import { ACCOUNTS } from "../../../src/cluster/controllers/housekeeping/accounts/types.ts";
import { BUDGETS, type Budget } from "../../../src/cluster/controllers/housekeeping/disruption/budget.ts";
import { ENDPOINTS, SERVICES, SLICES } from "../../../src/cluster/controllers/housekeeping/endpoints/resources.ts";
import type { Namespace } from "../../../src/cluster/controllers/housekeeping/namespaces/conditions.ts";
import type { Condition, ResourceList, StatefulSet } from "../../../src/core/types.ts";
import { CLAIMS, defineResource, isForbidden, NODES, PODS, QUOTAS, STATEFUL_SETS } from "../../../src/kube/index.ts";
import { waitFor } from "../wait.ts";
import { MAPS, ownedBy, type Scenario, type Stage, settle } from "./stage.ts";

const SPACES = defineResource<Namespace>("v1", "Namespace", "namespaces", "Cluster");

const timeless = (conditions: readonly Condition[] = []): unknown =>
  conditions.map((condition) => ({ ...condition, lastTransitionTime: "" }));

async function usage(stage: Stage, used: ResourceList): Promise<unknown> {
  return waitFor(`usage ${JSON.stringify(used)}`, async () => {
    const found = await stage.find(QUOTAS, "q");
    return isDeepStrictEqual(found?.status?.used, used) && found?.status;
  });
}

async function budgetStatus(stage: Stage, wanted: Partial<NonNullable<Budget["status"]>>): Promise<unknown> {
  const { status } = await waitFor(`budget ${JSON.stringify(wanted)}`, async () => {
    const found = await stage.find(BUDGETS, "b");
    const now = found?.status as Record<string, unknown> | undefined;
    return Object.entries(wanted).every(([name, value]) => now?.[name] === value) && found;
  });
  return { ...status, conditions: timeless(status?.conditions) };
}

async function addresses(stage: Stage, ready: number, notReady: number): Promise<unknown> {
  const { client, namespace } = stage;
  return waitFor(`${ready} ready and ${notReady} other addresses`, async () => {
    const found = await stage.find(ENDPOINTS, "db");
    const { items } = await client.list(SLICES, { namespace });
    if (found === undefined || items.length === 0) return undefined;
    const { subsets = [] } = found;
    const count = (of: "addresses" | "notReadyAddresses"): number => subsets.flatMap((each) => each[of] ?? []).length;
    const told = items.flatMap(({ endpoints }) => endpoints ?? []);
    const isSettled = count("addresses") === ready && count("notReadyAddresses") === notReady;
    if (!isSettled || told.filter(({ conditions }) => conditions.ready).length !== ready) return undefined;
    if (told.length !== ready + notReady) return undefined;
    const nameless = JSON.stringify([
      found.metadata.labels,
      subsets,
      items.map(({ metadata, addressType, ports, endpoints }) => ({
        labels: metadata.labels,
        owners: metadata.ownerReferences?.map(({ kind, name, controller, blockOwnerDeletion }) => {
          return { kind, name, controller, blockOwnerDeletion };
        }),
        addressType,
        ports: ports ?? [],
        endpoints: [...(endpoints ?? [])].sort((a, b) => ((a.addresses[0] ?? "") < (b.addresses[0] ?? "") ? -1 : 1)),
      })),
    ]);
    return JSON.parse(nameless.replaceAll(/"uid":"[^"]*"/g, '"uid":""')) as unknown;
  });
}

const template = { metadata: { labels: { app: "db" } }, spec: { containers: [{ name: "c", image: "x" }] } };
const selector = { matchLabels: { app: "db" } };

export const HOUSE_SCENARIOS: readonly Scenario[] = [
  {
    name: "a namespace says what holds it up, and goes with all that is in it",
    async play(stage) {
      const { client, namespace } = stage;
      await stage.map("held", { finalizers: ["example.com/hold"] });
      await stage.map("other");
      await client.delete(SPACES, { name: namespace });
      const { status } = await waitFor("it says what is left, and nothing else", async () => {
        const found = await stage.find(SPACES, namespace);
        const holds = (type: string) =>
          found?.status?.conditions?.some((each) => each.type === type && each.status === "True") === true;
        // While somebody defines a kind, discovery fails for a moment, and that is told as well.
        return holds("NamespaceFinalizersRemaining") && !holds("NamespaceDeletionDiscoveryFailure") && found;
      });
      const left = await stage.maps();
      const body = { metadata: { finalizers: null } };
      await client.patch(MAPS, { namespace, name: "held" }, { type: "merge", body });
      await stage.gone(SPACES, namespace);
      return [status?.phase, timeless(status?.conditions), left];
    },
  },
  {
    name: "every namespace has an account, also after it was deleted",
    async play(stage) {
      const first = await waitFor("an account", () => stage.find(ACCOUNTS, "default"));
      await stage.client.delete(ACCOUNTS, { namespace: stage.namespace, name: "default" });
      const second = await waitFor("another", async () => {
        const found = await stage.find(ACCOUNTS, "default");
        return found?.metadata.uid !== first.metadata.uid && found;
      });
      return Object.keys(second.metadata).sort();
    },
  },
  {
    name: "quota is counted, charged and given back",
    async play(stage) {
      const { client, namespace } = stage;
      await stage.map("before");
      // A quota is counted from what its controller has heard of by then, and not again for minutes.
      await settle(stage);
      const hard = {
        "requests.storage": "10Gi",
        persistentvolumeclaims: "3",
        "count/configmaps": "9",
        pods: "2",
        "count/statefulsets.apps": "1",
        "services.nodeports": "1",
      };
      await client.create(QUOTAS, { metadata: { name: "q", namespace }, spec: { hard } });
      // kube-controller-manager's publisher of certificates does not run here, nor does ours.
      const empty = {
        "requests.storage": "0",
        persistentvolumeclaims: "0",
        "count/configmaps": "1",
        pods: "0",
        "count/statefulsets.apps": "0",
        "services.nodeports": "0",
      };
      const statuses = [await usage(stage, empty)];
      const wants = (storage: string) => ({ accessModes: ["ReadWriteOnce"], resources: { requests: { storage } } });
      const tooMuch = { metadata: { name: "too-much", namespace }, spec: wants("1Ei") };
      await waitFor("the API server to have heard of it", () =>
        client.create(CLAIMS, tooMuch, { dryRun: true }).then(() => false, isForbidden),
      );
      const spec = wants("4Gi");
      await client.create(CLAIMS, { metadata: { name: "a", namespace }, spec });
      await stage.pod("p", "10.1.0.9", true);
      statuses.push(
        await usage(stage, { ...empty, "requests.storage": "4Gi", persistentvolumeclaims: "1", pods: "1" }),
      );
      const finalizers = { metadata: { finalizers: null } };
      await client.patch(CLAIMS, { namespace, name: "a" }, { type: "merge", body: finalizers });
      await client.delete(CLAIMS, { namespace, name: "a" });
      await client.delete(PODS, { namespace, name: "p" }, { gracePeriodSeconds: 0 });
      statuses.push(await usage(stage, empty));
      return statuses;
    },
  },
  {
    name: "a budget counts against what the StatefulSet wants",
    async play(stage) {
      const { client, namespace } = stage;
      const spec = { serviceName: "db", replicas: 3, selector, template } as StatefulSet["spec"];
      const set = await client.create(STATEFUL_SETS, { metadata: { name: "db", namespace }, spec });
      const ownerReferences = [ownedBy(STATEFUL_SETS, set, { controller: true })];
      await client.create(BUDGETS, { metadata: { name: "b", namespace }, spec: { selector, maxUnavailable: "34%" } });
      const seen = [await budgetStatus(stage, { observedGeneration: 1 })];
      for (const [index, name] of ["db-0", "db-1", "db-2"].entries()) {
        await stage.pod(name, `10.1.1.${index}`, index !== 2, { ownerReferences });
      }
      seen.push(await budgetStatus(stage, { expectedPods: 3, currentHealthy: 2 }));
      await stage.setReady("db-2", "10.1.1.2", true);
      seen.push(await budgetStatus(stage, { currentHealthy: 3 }));
      const body = { spec: { maxUnavailable: null, minAvailable: 3 } };
      await client.patch(BUDGETS, { namespace, name: "b" }, { type: "merge", body });
      seen.push(await budgetStatus(stage, { observedGeneration: 2 }));
      return seen;
    },
  },
  {
    name: "a budget over pods whose owner is gone allows nothing",
    async play(stage) {
      const { client, namespace } = stage;
      const nobody = { metadata: { name: "nobody", uid: "11111111-2222-3333-4444-555555555555" } };
      const reference = ownedBy(STATEFUL_SETS, nobody, { controller: true });
      const solid = ownedBy(MAPS, await stage.map("owner"));
      await stage.pod("db-0", "10.1.2.1", true, { ownerReferences: [reference, solid] });
      await client.create(BUDGETS, { metadata: { name: "b", namespace }, spec: { selector, minAvailable: "50%" } });
      // The collector drops the reference to nobody: then the pod is nobody's.
      await waitFor("the reference is dropped", async () => {
        return (await stage.find(PODS, "db-0"))?.metadata.ownerReferences?.length === 1;
      });
      return budgetStatus(stage, { observedGeneration: 1, disruptionsAllowed: 0, expectedPods: 0, currentHealthy: 1 });
    },
  },
  {
    name: "an eviction is charged once",
    async play(stage) {
      const { client, namespace } = stage;
      for (const name of ["a", "b"]) await stage.pod(name, `10.1.3.${name === "a" ? 1 : 2}`, true);
      await client.create(BUDGETS, { metadata: { name: "b", namespace }, spec: { selector, minAvailable: 1 } });
      const seen = [await budgetStatus(stage, { disruptionsAllowed: 1 })];
      const eviction = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "a", namespace } };
      await client.create(PODS, eviction as never, { subresource: "eviction" });
      seen.push(await budgetStatus(stage, { disruptionsAllowed: 0, expectedPods: 1 }));
      return seen;
    },
  },
  {
    name: "a service is told of as its pods come, become ready and go",
    async play(stage) {
      const { client, namespace } = stage;
      const ports = [{ name: "sql", port: 80, targetPort: 5432 }];
      const labels = { team: "a" };
      const seen: unknown[] = [];
      await client.create(SERVICES, {
        metadata: { name: "db", namespace, labels },
        spec: { selector: { app: "db" }, ports },
      });
      seen.push(await addresses(stage, 0, 0));
      await stage.pod("a", "10.1.4.1", false);
      await stage.pod("b", "10.1.4.2", true);
      seen.push(await addresses(stage, 1, 1));
      await stage.setReady("a", "10.1.4.1", true);
      seen.push(await addresses(stage, 2, 0));
      await client.delete(PODS, { namespace, name: "b" }, { gracePeriodSeconds: 0 });
      seen.push(await addresses(stage, 1, 0));
      return seen;
    },
  },
  {
    name: "a headless service without ports is told of as well",
    async play(stage) {
      const { client, namespace } = stage;
      const spec = { clusterIP: "None", selector: { app: "db" }, publishNotReadyAddresses: true };
      await client.create(SERVICES, { metadata: { name: "db", namespace }, spec });
      await stage.pod("a", "10.1.5.1", false);
      return addresses(stage, 1, 0);
    },
  },
];

/** Endpoints are told of only on nodes that are there. */
export async function setUpNode({ client }: Pick<Stage, "client">): Promise<void> {
  const labels = { "topology.kubernetes.io/zone": "zone-a" };
  await client.create(NODES, { metadata: { name: "node", labels } });
}
