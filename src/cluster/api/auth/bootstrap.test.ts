/** That these are the objects of a real server is held against one in test/kube/auth. */
import { describe, expect, test } from "vitest";
import { get, isList, type JsonObject } from "../json.ts";
import { withMetadata } from "../lifecycle/metadata.ts";
import type { ObjectStore } from "../objects/object-store.ts";
import { settleAggregation, startAggregation } from "./aggregation.ts";
import { createAuthorizer } from "./authorizer.ts";
import { ensureBootstrap } from "./bootstrap.ts";
import { NAMESPACES } from "./bootstrap-objects.ts";
import { clock, newObjects, person, put } from "./fixtures.ts";
import { ANONYMOUS } from "./identity.ts";
import { CLUSTER_ROLE, CLUSTER_ROLE_BINDING, NAMESPACE, SERVICE } from "./stored-kinds.ts";

let uids = 0;
const chance = { uid: () => `uid-${++uids}` };
const ensure = (objects: ObjectStore, port = 6443) => ensureBootstrap({ objects, clock, chance, port });
const roleOf = (objects: ObjectStore, name: string): JsonObject => objects.get(CLUSTER_ROLE, undefined, name);
const rulesOf = (role: JsonObject) => {
  const rules = get(role, "rules");
  return isList(rules) ? rules : [];
};

async function started(): Promise<ObjectStore> {
  const objects = newObjects();
  await ensure(objects);
  return objects;
}

describe("a new cluster", () => {
  test("has its namespaces, and the Service of its API", async () => {
    const objects = await started();
    expect(objects.all(NAMESPACE)).toHaveLength(NAMESPACES.length);
    expect(objects.get(NAMESPACE, undefined, "default")).toMatchObject({
      kind: "Namespace",
      apiVersion: "v1",
      metadata: { labels: { "kubernetes.io/metadata.name": "default" }, creationTimestamp: "2026-01-01T00:00:00Z" },
      status: { phase: "Active" },
    });
    expect(objects.get(SERVICE, "default", "kubernetes")).toMatchObject({
      spec: { clusterIP: "10.96.0.1", ports: [{ targetPort: 6443 }] },
    });
  });

  test("lets people look around, and strangers see that it is alive", async () => {
    const authorizer = createAuthorizer(await started());
    const see = (who: Parameters<typeof authorizer.decide>[0], path: string) =>
      authorizer.decide(who, { verb: "get", path }).allowed;
    expect(see(person("ann"), "/apis/apps/v1")).toBe(true);
    for (const path of ["/healthz", "/livez", "/readyz", "/version"]) expect(see(ANONYMOUS, path)).toBe(true);
    expect(see(ANONYMOUS, "/api")).toBe(false);
    expect(see(ANONYMOUS, "/openid/v1/jwks")).toBe(false);
  });

  test("has roles for people that gather their rules", async () => {
    const objects = await started();
    const sizes = ["view", "edit", "admin"].map((name) => rulesOf(roleOf(objects, name)).length);
    expect(sizes[0]).toBeGreaterThan(5);
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
    expect(rulesOf(roleOf(objects, "view"))).toEqual(rulesOf(roleOf(objects, "system:aggregate-to-view")));
  });
});

describe("a cluster that was there before", () => {
  test("is left as it is: nothing is written", async () => {
    const objects = await started();
    const { revision } = objects.store;
    await ensure(objects);
    expect(objects.store.revision).toBe(revision);
  });

  test("gets back what was taken away, and keeps what was added", async () => {
    const objects = await started();
    const role = roleOf(objects, "system:basic-user");
    const own = { verbs: ["get"], apiGroups: ["acme.com"], resources: ["things"] };
    const labels = { "kubernetes.io/bootstrapping": "mine" };
    const changed = withMetadata({ ...role, rules: [own] }, { labels, annotations: undefined });
    await objects.replace(CLUSTER_ROLE, role, changed);
    await objects.remove(CLUSTER_ROLE_BINDING, objects.get(CLUSTER_ROLE_BINDING, undefined, "cluster-admin"));
    const discovery = objects.get(CLUSTER_ROLE_BINDING, undefined, "system:discovery");
    await objects.replace(CLUSTER_ROLE_BINDING, discovery, { ...discovery, subjects: [] });
    await ensure(objects);
    const { metadata, rules } = roleOf(objects, "system:basic-user") as { metadata: JsonObject; rules: JsonObject[] };
    expect(rules[0]).toEqual(own);
    expect(rules).toHaveLength(4);
    expect(metadata).toMatchObject({
      labels,
      annotations: { "rbac.authorization.kubernetes.io/autoupdate": "true" },
    });
    expect(objects.find(CLUSTER_ROLE_BINDING, undefined, "cluster-admin")).toBeDefined();
    expect(objects.get(CLUSTER_ROLE_BINDING, undefined, "system:discovery")).toMatchObject({
      subjects: [{ kind: "Group", name: "system:authenticated" }],
    });
  });

  test("leaves alone what says so", async () => {
    const objects = await started();
    const annotations = { "rbac.authorization.kubernetes.io/autoupdate": "false" };
    for (const [kind, name, rest] of [
      [CLUSTER_ROLE, "system:basic-user", { rules: [] }],
      [CLUSTER_ROLE_BINDING, "system:basic-user", { subjects: [] }],
    ] as const) {
      const stored = objects.get(kind, undefined, name);
      await objects.replace(kind, stored, withMetadata({ ...stored, ...rest }, { annotations }));
    }
    const { revision } = objects.store;
    await ensure(objects);
    expect(objects.store.revision).toBe(revision);
  });

  test("makes anew a binding that somebody has bound to another role", async () => {
    const objects = await started();
    const stored = objects.get(CLUSTER_ROLE_BINDING, undefined, "system:discovery");
    await objects.replace(CLUSTER_ROLE_BINDING, stored, { ...stored, roleRef: { kind: "ClusterRole", name: "x" } });
    await ensure(objects);
    expect(objects.get(CLUSTER_ROLE_BINDING, undefined, "system:discovery")).toMatchObject({
      roleRef: { name: "system:discovery" },
    });
  });

  test("follows its server to another port", async () => {
    const objects = await started();
    await ensure(objects, 7443);
    expect(objects.get(SERVICE, "default", "kubernetes")).toMatchObject({ spec: { ports: [{ targetPort: 7443 }] } });
  });
});

describe("aggregation", () => {
  const rule = { verbs: ["get"], apiGroups: ["acme.com"], resources: ["things"] };
  const labels = { "rbac.authorization.k8s.io/aggregate-to-view": "true" };

  test("reaches the roles that gather what others gathered", async () => {
    const objects = await started();
    await put(objects, CLUSTER_ROLE, { name: "acme", labels }, { rules: [rule] });
    await settleAggregation(objects, clock);
    for (const name of ["view", "edit", "admin"]) expect(rulesOf(roleOf(objects, name))).toContainEqual(rule);
    expect(get(roleOf(objects, "view"), "metadata")).toMatchObject({
      managedFields: expect.arrayContaining([
        expect.objectContaining({ manager: "clusterrole-aggregation-controller", operation: "Apply" }),
      ]),
    });
    await objects.remove(CLUSTER_ROLE, roleOf(objects, "acme"));
    await settleAggregation(objects, clock);
    for (const name of ["view", "edit", "admin"]) expect(rulesOf(roleOf(objects, name))).not.toContainEqual(rule);
  });

  test("leaves alone a role whose selector makes no sense", async () => {
    const objects = await started();
    const selector = { matchExpressions: [{ key: "a", operator: "Like", values: ["b"] }] };
    await put(
      objects,
      CLUSTER_ROLE,
      { name: "odd" },
      { rules: [rule], aggregationRule: { clusterRoleSelectors: [selector] } },
    );
    await settleAggregation(objects, clock);
    expect(rulesOf(roleOf(objects, "odd"))).toEqual([rule]);
  });

  test("follows what is written, until it is stopped", async () => {
    const objects = await started();
    const failures: unknown[] = [];
    const aggregation = startAggregation(objects, clock, (error) => failures.push(error));
    const settled = objects.store.watch("clusterroles.rbac.authorization.k8s.io/admin", objects.store.revision);
    await put(objects, CLUSTER_ROLE, { name: "acme", labels }, { rules: [rule] });
    for await (const _ of settled) break;
    expect(rulesOf(roleOf(objects, "admin"))).toContainEqual(rule);
    await aggregation.stop();
    await aggregation.stop();
    await objects.store.close();
    expect(failures).toEqual([]);
  });

  test("ends with the store", async () => {
    const objects = await started();
    const failures: unknown[] = [];
    const aggregation = startAggregation(objects, clock, (error) => failures.push(error));
    await objects.store.close();
    await aggregation.stop();
    expect(failures).toEqual([]);
  });
});
