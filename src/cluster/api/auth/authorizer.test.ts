import { describe, expect, test } from "vitest";
import type { JsonObject } from "../json.ts";
import { BUILT_IN } from "../kinds/built-in.ts";
import type { Kind } from "../kinds/kind.ts";
import { createAuthorizer } from "./authorizer.ts";
import { give, group, newObjects, person, put, user } from "./fixtures.ts";
import { CLUSTER_ROLE, CLUSTER_ROLE_BINDING, ROLE_BINDING } from "./stored-kinds.ts";

const ANN = person("ann", "dev");
const CONFIG_MAP = BUILT_IN.find(({ kind }) => kind === "ConfigMap") as Kind;
const READ_PODS: JsonObject = { verbs: ["get", "list"], apiGroups: [""], resources: ["pods"] };
const getPod = { verb: "get", namespace: "prod", group: "", resource: "pods", name: "p" };

describe("what is stored decides", () => {
  test("from the request behind the write of a binding to the one behind its end", async () => {
    const objects = newObjects();
    const authorizer = createAuthorizer(objects);
    expect(authorizer.decide(ANN, getPod).allowed).toBe(false);
    await give(objects, { name: "reader", rules: [READ_PODS], subjects: [user("ann")] });
    expect(authorizer.decide(ANN, getPod).allowed).toBe(true);
    await objects.remove(CLUSTER_ROLE_BINDING, objects.get(CLUSTER_ROLE_BINDING, undefined, "reader"));
    expect(authorizer.decide(ANN, getPod).allowed).toBe(false);
  });

  test("also when the role behind a binding changes", async () => {
    const objects = newObjects();
    const authorizer = createAuthorizer(objects);
    await give(objects, { name: "reader", rules: [], subjects: [group("dev")] });
    expect(authorizer.decide(ANN, getPod).allowed).toBe(false);
    const role = objects.get(CLUSTER_ROLE, undefined, "reader");
    await objects.replace(CLUSTER_ROLE, role, { ...role, rules: [READ_PODS] });
    expect(authorizer.decide(ANN, getPod).allowed).toBe(true);
  });

  test("and roles are arranged anew only when one of them was written", async () => {
    const objects = newObjects();
    const authorizer = createAuthorizer(objects);
    await give(objects, { name: "reader", rules: [READ_PODS], subjects: [user("ann")] });
    const find = () => {
      const decision = authorizer.decide(ANN, getPod);
      return decision.allowed ? decision.by : undefined;
    };
    const before = find();
    expect(before).toBeDefined();
    await put(objects, CONFIG_MAP, { name: "c", namespace: "prod" });
    expect(find()).toBe(before);
    await put(objects, CLUSTER_ROLE, { name: "other" }, { rules: [] });
    expect(find()).not.toBe(before);
    expect(find()).toEqual(before);
  });
});

test("a refusal is a 403 in Kubernetes' words, with the roles that are missing", async () => {
  const objects = newObjects();
  await put(
    objects,
    ROLE_BINDING,
    { name: "b", namespace: "prod" },
    {
      subjects: [user("ann")],
      roleRef: { kind: "Role", name: "gone" },
    },
  );
  expect(() => createAuthorizer(objects).require(ANN, getPod)).toThrow(
    expect.objectContaining({
      code: 403,
      reason: "Forbidden",
      message:
        'pods "p" is forbidden: User "ann" cannot get resource "pods" in API group "" in the namespace "prod": ' +
        'RBAC: role.rbac.authorization.k8s.io "gone" not found',
    }),
  );
});

test("the rules somebody holds are those of the cluster and of the namespace", async () => {
  const objects = newObjects();
  const local = { verbs: ["delete"], apiGroups: [""], resources: ["pods"] };
  await give(objects, { name: "reader", rules: [READ_PODS], subjects: [group("dev")] });
  await give(objects, { name: "local", rules: [local], subjects: [user("ann")], namespace: "prod" });
  const authorizer = createAuthorizer(objects);
  expect(authorizer.rulesFor(ANN, "prod")).toEqual({ rules: [READ_PODS, local], missing: [] });
  expect(authorizer.rulesFor(ANN, undefined)).toEqual({ rules: [READ_PODS], missing: [] });
  expect(authorizer.rulesFor(person("bob"), "prod")).toEqual({ rules: [], missing: [] });
});
