/** Requests about other kinds than the simplest: which of them a real server asks webhooks about, and with which words. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AdmissionRequest, Operation } from "../../../src/cluster/api/admission/plugin.ts";
import type { JsonObject } from "../../../src/cluster/api/json.ts";
import { type HookBench, openHookBench } from "../../../src/cluster/api/webhooks/testing/hook-bench.ts";
import {
  allowing,
  type HookServer,
  type Review,
  startHookServer,
} from "../../../src/cluster/api/webhooks/testing/hook-server.ts";
import { type ControlPlane, startControlPlane } from "../control-plane.ts";
import { waitFor } from "../wait.ts";

let plane: ControlPlane;
let server: HookServer;
let bench: HookBench;

const ANY = { apiGroups: ["*"], apiVersions: ["*"], resources: ["*/*"], operations: ["*"] };
const rule = (name: string, rules: JsonObject, more: JsonObject = {}) => ({ name, rules: [rules], ...more });
const hooks = [
  rule("everything", ANY),
  rule("objects", { ...ANY, resources: ["*"] }),
  rule("scales", { ...ANY, resources: ["*/scale"] }),
  rule("sets", { ...ANY, apiGroups: ["apps"], apiVersions: ["v1"], resources: ["statefulsets/*"] }),
  rule("cluster", { ...ANY, scope: "Cluster" }),
  rule("namespaced", { ...ANY, scope: "Namespaced" }),
  rule("creations", { ...ANY, operations: ["CREATE"] }),
  rule("red", ANY, { namespaceSelector: { matchLabels: { colour: "red" } } }),
  rule("not-red", ANY, {
    namespaceSelector: { matchExpressions: [{ key: "colour", operator: "NotIn", values: ["red"] }] },
  }),
  rule("green-objects", ANY, { objectSelector: { matchLabels: { paint: "green" } } }),
];
const BEHAVIOURS = Object.fromEntries(hooks.map(({ name }) => [`/${name}`, allowing]));

const claim = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
const container = { name: "c", image: "i" };
const SET = {
  apiVersion: "apps/v1",
  kind: "StatefulSet",
  metadata: { name: "db", labels: { paint: "green" } },
  spec: {
    selector: { matchLabels: { app: "db" } },
    template: { metadata: { labels: { app: "db" } }, spec: { containers: [container] } },
    volumeClaimTemplates: [{ metadata: { name: "data" }, spec: claim }],
  },
};
const NS = "/api/v1/namespaces";
const SETS = "/apis/apps/v1/namespaces/red-ns/statefulsets";

/** Done one after the other, in one cluster. */
const STEPS: readonly (readonly [string, (plane: ControlPlane) => Promise<unknown>])[] = [
  ["create a namespace", ({ api }) => api.create(NS, namespace("red-ns", { colour: "red" }))],
  ["create another", ({ api }) => api.create(NS, namespace("blue-ns", { colour: "blue" }))],
  ["label a namespace", ({ api }) => api.patch(`${NS}/blue-ns`, { metadata: { labels: { paint: "green" } } })],
  ["create a set", ({ api }) => api.create(SETS, SET)],
  ["scale it", ({ api }) => api.patch(`${SETS}/db/scale`, { spec: { replicas: 3 } })],
  ["write its status", ({ api }) => api.patch(`${SETS}/db/status`, { status: { replicas: 1 } })],
  ["take its label away", ({ api }) => api.patch(`${SETS}/db`, { metadata: { labels: null } })],
  ["delete it", ({ api }) => api.delete(`${SETS}/db`)],
  [
    "create a class",
    ({ api }) => api.create("/apis/storage.k8s.io/v1/storageclasses", { metadata: { name: "c" }, provisioner: "p" }),
  ],
  ["dry-run a claim", ({ api }) => api.create(`${NS}/blue-ns/persistentvolumeclaims?dryRun=All`, claimOf("data"))],
];

function namespace(name: string, labels: JsonObject): JsonObject {
  return { apiVersion: "v1", kind: "Namespace", metadata: { name, labels } };
}

function claimOf(name: string): JsonObject {
  return { apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { name }, spec: claim };
}

beforeAll(async () => {
  server = await startHookServer(BEHAVIOURS);
  bench = openHookBench();
  plane = await startControlPlane({ controllers: [] });
  const configuration = {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: "kinds" },
    webhooks: hooks.map(({ name, ...hook }) => ({
      ...hook,
      name: `${name}.kinds.test`,
      clientConfig: { url: `${server.url}/${name}`, caBundle: server.caBundle },
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
    })),
  };
  await bench.put(configuration);
  for (const name of ["red-ns", "blue-ns"]) await bench.put(namespace(name, { colour: name.slice(0, -3) }));
  await plane.api.create("/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", configuration);
  await waitFor("the configuration to hold", async () => {
    await plane.api.create(`${NS}/default/configmaps?dryRun=All`, { metadata: { name: "probe" } });
    return server.asked("/everything").length > 0;
  });
});

afterAll(async () => {
  await bench?.close();
  await plane?.stop();
  await server?.stop();
});

/** What each webhook was asked by the administrator, the server's own writes aside. */
function heard(): Record<string, JsonObject[]> {
  const entries = hooks.map(({ name }): [string, JsonObject[]] => {
    const reviews = server.asked(`/${name}`).map(({ request }) => {
      const { uid: _, userInfo, ...rest } = request;
      const { username, groups } = userInfo as JsonObject;
      return { ...rest, userInfo: { username: username ?? null, groups: groups ?? null } };
    });
    return [name, reviews.filter(({ userInfo }) => userInfo["username"] === plane.admin.name)];
  });
  return Object.fromEntries(entries.filter(([, reviews]) => reviews.length > 0));
}

function requestOf({ request }: Review): AdmissionRequest {
  const told = request as unknown as {
    operation: Operation;
    requestResource: { group: string; version: string; resource: string };
    requestSubResource?: string;
    namespace?: string;
    name: string;
    object: JsonObject | null;
    oldObject: JsonObject | null;
    options: JsonObject;
    userInfo: { username: string; groups: string[] };
    dryRun: boolean;
  };
  const { group, version, resource: plural } = told.requestResource;
  const resource = bench.catalog.find(group, version, plural);
  if (resource === undefined) throw new Error(`${plural} are not served`);
  return {
    operation: told.operation,
    resource,
    subresource: told.requestSubResource,
    namespace: resource.kind.namespaced ? told.namespace : undefined,
    name: told.name,
    object: told.object ?? undefined,
    old: told.oldObject ?? undefined,
    options: told.options,
    user: { name: told.userInfo.username, groups: told.userInfo.groups },
    dryRun: told.dryRun,
    warn: () => {},
  };
}

test.each(STEPS)("%s", async (_, act) => {
  server.forget();
  await act(plane);
  const real = heard();
  const [review] = server
    .asked("/everything")
    .filter(({ request }) => (request["userInfo"] as JsonObject)["username"] === plane.admin.name);
  server.forget();
  if (review === undefined) throw new Error("the server asked nobody");
  await bench.admit(requestOf(review));
  expect(heard()).toEqual(real);
});
