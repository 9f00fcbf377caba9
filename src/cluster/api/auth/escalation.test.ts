import { describe, expect, test } from "vitest";
import type { Operation } from "../admission/plugin.ts";
import type { JsonObject } from "../json.ts";
import type { Kind } from "../kinds/kind.ts";
import { textOf } from "../lifecycle/metadata.ts";
import type { ObjectStore } from "../objects/object-store.ts";
import type { Printer } from "../table/printer.ts";
import { createAuthorizer } from "./authorizer.ts";
import { escalationCheck } from "./escalation.ts";
import { give, newObjects, person, user } from "./fixtures.ts";
import type { User } from "./identity.ts";
import { CLUSTER_ROLE, CLUSTER_ROLE_BINDING, POD, ROLE, ROLE_BINDING } from "./stored-kinds.ts";

const BOSS = person("boss");
const RBAC = "rbac.authorization.k8s.io";
const pods: JsonObject = { verbs: ["get", "list"], apiGroups: [""], resources: ["pods"] };
const secrets: JsonObject = { verbs: ["get"], apiGroups: [""], resources: ["secrets"] };

/** A cluster in which the boss may get and list pods, and has these rules besides. */
async function bossHolds(...rules: JsonObject[]): Promise<ObjectStore> {
  const objects = newObjects();
  await give(objects, { name: "boss", rules: [pods, ...rules], subjects: [user("boss")] });
  await give(objects, { name: "secrets", rules: [secrets], subjects: [] });
  return objects;
}

interface Write {
  readonly kind: Kind;
  readonly object: JsonObject;
  readonly old?: JsonObject;
  readonly by?: User;
}

/** The refusal; undefined when there is none. */
async function refusal(objects: ObjectStore, { kind, object, old, by = BOSS }: Write): Promise<unknown> {
  const operation: Operation = old === undefined ? "CREATE" : "UPDATE";
  const check = escalationCheck(createAuthorizer(objects));
  try {
    await check.validate?.({
      operation,
      resource: { kind, printer: {} as Printer },
      subresource: undefined,
      namespace: kind.namespaced ? "prod" : undefined,
      name: textOf(object, "name"),
      object,
      old,
      options: {},
      user: by,
      dryRun: false,
      warn: () => undefined,
    });
    return undefined;
  } catch (error) {
    return error;
  }
}

const role = (...rules: JsonObject[]): JsonObject => ({ metadata: { name: "r" }, rules });
const binding = (name: string, kind = "ClusterRole"): JsonObject => ({
  metadata: { name: "b" },
  roleRef: { apiGroup: RBAC, kind, name },
  subjects: [],
});

describe("a role", () => {
  test("may give what its writer holds", async () => {
    expect(await refusal(await bossHolds(), { kind: ROLE, object: role(pods) })).toBeUndefined();
  });

  test("may not give more, and the refusal says what", async () => {
    expect(await refusal(await bossHolds(), { kind: ROLE, object: role(pods, secrets) })).toMatchObject({
      code: 403,
      message:
        'roles.rbac.authorization.k8s.io "r" is forbidden: user "boss" (groups=["system:authenticated"]) ' +
        'is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}',
    });
  });

  test.each(["CREATE", "UPDATE"])("may give more by one who may escalate roles: %s", async (operation) => {
    const objects = await bossHolds({ verbs: ["escalate"], apiGroups: [RBAC], resources: ["roles"] });
    const old = operation === "UPDATE" ? { old: role(pods) } : {};
    expect(await refusal(objects, { kind: ROLE, object: role(secrets), ...old })).toBeUndefined();
    expect(await refusal(objects, { kind: CLUSTER_ROLE, object: role(secrets), ...old })).toBeDefined();
  });

  test("may be escalated by its name only once it is there", async () => {
    const named = { verbs: ["escalate"], apiGroups: [RBAC], resources: ["roles"], resourceNames: ["r"] };
    const objects = await bossHolds(named);
    expect(await refusal(objects, { kind: ROLE, object: role(secrets) })).toBeDefined();
    expect(await refusal(objects, { kind: ROLE, object: role(secrets), old: role() })).toBeUndefined();
  });

  test("may lose its finalizers and owners by anybody who may write it", async () => {
    const old = { ...role(secrets), metadata: { name: "r", finalizers: ["a.b/c"], ownerReferences: [{ uid: "o" }] } };
    expect(await refusal(await bossHolds(), { kind: ROLE, object: role(secrets), old })).toBeUndefined();
    const labelled = { ...role(secrets), metadata: { name: "r", labels: { a: "b" } } };
    expect(await refusal(await bossHolds(), { kind: ROLE, object: labelled, old })).toBeDefined();
  });

  test("that gathers others' rules is for those who hold everything", async () => {
    const gathering = { ...role(), aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: "b" } }] } };
    expect(await refusal(await bossHolds(), { kind: CLUSTER_ROLE, object: gathering })).toMatchObject({
      message:
        'clusterroles.rbac.authorization.k8s.io "r" is forbidden: must have cluster-admin privileges to use the aggregationRule',
    });
    const everything = [
      { verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
      { verbs: ["*"], nonResourceURLs: ["*"] },
    ];
    expect(await refusal(await bossHolds(...everything), { kind: CLUSTER_ROLE, object: gathering })).toBeUndefined();
    expect(await refusal(await bossHolds(), { kind: CLUSTER_ROLE, object: role(), old: gathering })).toBeDefined();
  });
});

describe("a binding", () => {
  test("may give a role whose rules its writer holds", async () => {
    const objects = await bossHolds();
    expect(await refusal(objects, { kind: ROLE_BINDING, object: binding("boss") })).toBeUndefined();
    expect(await refusal(objects, { kind: ROLE_BINDING, object: binding("secrets") })).toMatchObject({
      code: 403,
      message: expect.stringContaining('rolebindings.rbac.authorization.k8s.io "b" is forbidden: user "boss"'),
    });
  });

  test("may give more by one who may bind that role, there", async () => {
    const bind = { verbs: ["bind"], apiGroups: [RBAC], resources: ["clusterroles"], resourceNames: ["secrets"] };
    const objects = await bossHolds(bind);
    expect(await refusal(objects, { kind: CLUSTER_ROLE_BINDING, object: binding("secrets") })).toBeUndefined();
    const local = newObjects();
    await give(local, { name: "boss", rules: [bind], subjects: [user("boss")], namespace: "prod" });
    await give(local, { name: "secrets", rules: [secrets], subjects: [] });
    expect(await refusal(local, { kind: ROLE_BINDING, object: binding("secrets") })).toBeUndefined();
    expect(await refusal(local, { kind: CLUSTER_ROLE_BINDING, object: binding("secrets") })).toBeDefined();
  });

  test.each(["Role", "ClusterRole"])("to a %s that is not there is not found", async (kind) => {
    expect(await refusal(await bossHolds(), { kind: ROLE_BINDING, object: binding("none", kind) })).toMatchObject({
      code: 404,
      message: 'rolebindings.rbac.authorization.k8s.io "none" not found',
    });
  });
});

test("members of system:masters, and other kinds, are not looked at", async () => {
  const objects = await bossHolds();
  const root = person("root", "system:masters");
  expect(await refusal(objects, { kind: ROLE, object: role(secrets), by: root })).toBeUndefined();
  expect(await refusal(objects, { kind: POD, object: role(secrets) })).toBeUndefined();
});
