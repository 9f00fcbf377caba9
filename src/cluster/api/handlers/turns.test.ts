/** What a large body asks for leaves room for others; what a small one asks for is done at once. */
import { expect, onTestFinished, test } from "vitest";
import type { KubeObject } from "../../../core/types.ts";
import { defineResource, type KubeClient } from "../../../kube/index.ts";
import { clientOf, createApiInMemory } from "../testing/api-in-memory.ts";

const CONFIG_MAPS = defineResource("v1", "ConfigMap", "configmaps");

async function clientOfServer(): Promise<KubeClient> {
  const api = createApiInMemory();
  onTestFinished(() => api.stop());
  await api.begin(6443);
  const client = clientOf(api);
  onTestFinished(() => client.close());
  return client;
}

/** How often everybody else could do something while this was done. */
async function turnsDuring(doing: () => Promise<unknown>): Promise<number> {
  let [turns, isDone] = [0, false];
  const count = (): void => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await doing();
  isDone = true;
  return turns;
}

const map = (name: string, bytes: number, more = ""): KubeObject =>
  ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, namespace: "default" },
    data: { a: "x".repeat(bytes), b: more },
  }) as KubeObject;

const LARGE = 500_000;

test.each<[string, (client: KubeClient, bytes: number) => Promise<unknown>]>([
  ["create", (client, bytes) => client.create(CONFIG_MAPS, map(`new-${bytes}`, bytes))],
  ["update", (client, bytes) => client.update(CONFIG_MAPS, map("old", bytes))],
  [
    "merge patch",
    (client, bytes) =>
      client.patch(
        CONFIG_MAPS,
        { name: "old", namespace: "default" },
        { type: "merge", body: { data: { c: "x".repeat(bytes) } } },
      ),
  ],
])("a large %s is done in steps, a small one at once", async (_, write) => {
  const client = await clientOfServer();
  await client.create(CONFIG_MAPS, map("old", 1));
  const small = await turnsDuring(() => write(client, 10));
  const large = await turnsDuring(() => write(client, LARGE));
  expect(large - small).toBeGreaterThanOrEqual(4);
});

test("a small patch of a large object is done in steps", async () => {
  const client = await clientOfServer();
  await client.create(CONFIG_MAPS, map("little", 1));
  await client.create(CONFIG_MAPS, map("much", LARGE));
  const patch = (name: string): Promise<unknown> =>
    client.patch(CONFIG_MAPS, { name, namespace: "default" }, { type: "merge", body: { data: { b: "more" } } });
  const small = await turnsDuring(() => patch("little"));
  const large = await turnsDuring(() => patch("much"));
  expect(large - small).toBeGreaterThanOrEqual(4);
});

test("an apply to a large object leaves room between any two walks over it", async () => {
  const client = await clientOfServer();
  const apply = (name: string, bytes: number, more: string): Promise<unknown> =>
    client.patch(
      CONFIG_MAPS,
      { name, namespace: "default" },
      { type: "apply", body: map(name, bytes, more) },
      { fieldManager: "x" },
    );
  for (const bytes of [1, LARGE]) await apply(`map-${bytes}`, bytes, "first");
  const small = await turnsDuring(() => apply("map-1", 1, "again"));
  const large = await turnsDuring(() => apply(`map-${LARGE}`, LARGE, "again"));
  expect(large - small).toBeGreaterThanOrEqual(10);
});

const POLICIES = defineResource(
  "admissionregistration.k8s.io/v1",
  "ValidatingAdmissionPolicy",
  "validatingadmissionpolicies",
);
const HOOKS = defineResource(
  "admissionregistration.k8s.io/v1",
  "ValidatingWebhookConfiguration",
  "validatingwebhookconfigurations",
);
const RULES = [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }];
const policy = (spec: object): KubeObject =>
  ({
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: "p" },
    spec: { matchConstraints: { resourceRules: RULES }, validations: [{ expression: "true" }], ...spec },
  }) as KubeObject;
const hooks = (matchConditions: object[]): KubeObject =>
  ({
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: "h" },
    webhooks: Array.from({ length: 60 }, (_, index) => ({
      name: `h${index}.example.com`,
      clientConfig: { url: "https://example.com/" },
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
      rules: RULES,
      matchConditions,
    })),
  }) as KubeObject;
const DEFINITIONS = defineResource("apiextensions.k8s.io/v1", "CustomResourceDefinition", "customresourcedefinitions");
const definition = (rule: string): KubeObject => {
  const inner = { type: "string", maxLength: 5, "x-kubernetes-validations": [{ rule }] };
  const properties = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`p${index}`, inner]));
  const schema = { openAPIV3Schema: { type: "object", properties } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "things.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "things", kind: "Thing" },
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
  } as KubeObject;
};
const named = (length: number, expression: string): object[] =>
  Array.from({ length }, (_, index) => ({ name: `v${index}`, expression }));

test.each<[string, (client: KubeClient) => Promise<unknown>]>([
  ["validations", (client) => client.create(POLICIES, policy({ validations: named(5000, "object.a != 'x'") }))],
  ["variables", (client) => client.create(POLICIES, policy({ variables: named(5000, "object.a != 'x'") }))],
  ["variables that are wrong", (client) => client.create(POLICIES, policy({ variables: named(9000, "object.a != ") }))],
  ["conditions", (client) => client.create(POLICIES, policy({ matchConditions: named(5000, "object.a != 'x'") }))],
  ["rules of a definition", (client) => client.create(DEFINITIONS, definition("self != 'x'"))],
  ["conditions of webhooks", (client) => client.create(HOOKS, hooks(named(64, "object.a != 'x'")))],
])("others have their turn while many %s are compiled", async (_, write) => {
  const client = await clientOfServer();
  const plain = await turnsDuring(() => client.create(CONFIG_MAPS, map("new", LARGE)));
  const many = await turnsDuring(() => write(client).catch((error: unknown) => error));
  expect(many - plain).toBeGreaterThanOrEqual(4);
});
