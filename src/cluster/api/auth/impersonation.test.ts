import { describe, expect, test } from "vitest";
import type { JsonObject } from "../json.ts";
import { createAuthorizer } from "./authorizer.ts";
import { give, newObjects, person, user } from "./fixtures.ts";
import type { Identity } from "./identity.ts";
import { impersonate } from "./impersonation.ts";
import type { RequestHeaders } from "./request-headers.ts";

const listPods = { verb: "list", namespace: "prod", group: "", resource: "pods", name: undefined };
const ROOT = person("root", "system:masters");
const ANN = person("ann");

/** Ann, with these rules. */
async function annWith(rules: readonly JsonObject[], headers: RequestHeaders, as: Identity = ANN): Promise<Identity> {
  const objects = newObjects();
  await give(objects, { name: "r", rules, subjects: [user("ann")] });
  return impersonate(as, headers, listPods, createAuthorizer(objects));
}

const asRoot = (headers: RequestHeaders) => impersonate(ROOT, headers, listPods, createAuthorizer(newObjects()));
const old = (resource: string, group = ""): JsonObject => ({
  verbs: ["impersonate"],
  apiGroups: [group],
  resources: [resource],
});

test("without the headers everybody is who they are", () => {
  expect(asRoot({ accept: "*/*" })).toBe(ROOT);
});

describe("an administrator asks as", () => {
  test.each<[string, RequestHeaders, Partial<Identity>]>([
    ["a user", { "impersonate-user": "bob" }, { name: "bob", uid: "", groups: ["system:authenticated"], extra: {} }],
    [
      "a user with everything",
      {
        "impersonate-user": "bob",
        "impersonate-uid": "5",
        "impersonate-group": ["a", "system:masters"],
        "impersonate-extra-acme.com%2fproject": ["p", "q"],
      },
      {
        name: "bob",
        uid: "5",
        groups: ["a", "system:masters", "system:authenticated"],
        extra: { "acme.com/project": ["p", "q"] },
      },
    ],
    [
      "an account",
      { "impersonate-user": "system:serviceaccount:prod:sa" },
      { groups: ["system:serviceaccounts", "system:serviceaccounts:prod", "system:authenticated"] },
    ],
    [
      "an account in other groups",
      { "impersonate-user": "system:serviceaccount:prod:sa", "impersonate-group": "x" },
      { groups: ["x", "system:authenticated"] },
    ],
    ["a node", { "impersonate-user": "system:node:n1" }, { groups: ["system:nodes", "system:authenticated"] }],
    ["nobody", { "impersonate-user": "system:anonymous" }, { groups: ["system:unauthenticated"] }],
    [
      "somebody unknown",
      { "impersonate-user": "x", "impersonate-group": "system:unauthenticated" },
      { groups: ["system:unauthenticated"] },
    ],
  ])("%s", (_, headers, expected) => {
    expect(asRoot(headers)).toMatchObject(expected);
  });
});

describe("somebody else", () => {
  test("may with the old verb, whatever is asked", async () => {
    const identity = await annWith([old("users"), old("groups")], {
      "impersonate-user": "bob",
      "impersonate-group": "g",
    });
    expect(identity).toMatchObject({ name: "bob", groups: ["g", "system:authenticated"] });
  });

  test("may with the new verbs, for what they name", async () => {
    const rules = [
      { verbs: ["impersonate:user-info"], apiGroups: ["authentication.k8s.io"], resources: ["users"] },
      { verbs: ["impersonate-on:user-info:list"], apiGroups: [""], resources: ["pods"] },
    ];
    expect(await annWith(rules, { "impersonate-user": "bob" })).toMatchObject({ name: "bob" });
    expect(await annWith(rules.slice(1), { "impersonate-user": "bob" }).catch((error: Error) => error.message)).toBe(
      'users.authentication.k8s.io "bob" is forbidden: User "ann" cannot impersonate:user-info resource "users" ' +
        'in API group "authentication.k8s.io" at the cluster scope',
    );
  });

  test("on a node may ask as that node, and as no other", async () => {
    const rules = [
      { verbs: ["impersonate:associated-node"], apiGroups: ["authentication.k8s.io"], resources: ["nodes"] },
      { verbs: ["impersonate-on:associated-node:list"], apiGroups: [""], resources: ["pods"] },
    ];
    const objects = newObjects();
    const subjects = [{ kind: "ServiceAccount", name: "agent", namespace: "prod" }];
    await give(objects, { name: "r", rules, subjects });
    const extra = { "authentication.kubernetes.io/node-name": ["n1"] };
    const agent = { ...person("system:serviceaccount:prod:agent"), extra };
    const as = (name: string) => impersonate(agent, { "impersonate-user": name }, listPods, createAuthorizer(objects));
    expect(as("system:node:n1")).toMatchObject({ groups: ["system:nodes", "system:authenticated"], extra: {} });
    expect(() => as("system:node:n2")).toThrow("cannot impersonate-on:arbitrary-node:list");
  });

  test.each<[string, JsonObject[], RequestHeaders, number, string]>([
    [
      "without any rule",
      [],
      { "impersonate-user": "bob" },
      403,
      'pods is forbidden: User "ann" cannot impersonate-on:user-info:list resource "pods" in API group "" in the namespace "prod"',
    ],
    [
      "for a group that no rule names",
      [old("serviceaccounts")],
      { "impersonate-user": "system:serviceaccount:prod:sa", "impersonate-group": "x" },
      403,
      'groups "x" is forbidden: User "ann" cannot impersonate resource "groups" in API group "" at the cluster scope',
    ],
    [
      "for a uid that no rule names",
      [old("serviceaccounts")],
      { "impersonate-user": "system:serviceaccount:prod:sa", "impersonate-uid": "u" },
      403,
      'uids.authentication.k8s.io "u" is forbidden: User "ann" cannot impersonate resource "uids" in API group "authentication.k8s.io" at the cluster scope',
    ],
    [
      "without a user",
      [],
      { "impersonate-uid": "u", "impersonate-extra-b": "z" },
      400,
      'requested &user.DefaultInfo{Name:"", UID:"u", Groups:[]string(nil), Extra:map[string][]string{"b":[]string{"z"}}} without impersonating a user name',
    ],
    [
      "without a user, as groups",
      [],
      { "impersonate-group": ["a", "b"] },
      400,
      'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"a", "b"}, Extra:map[string][]string(nil)} without impersonating a user name',
    ],
  ])("may not %s", async (_, rules, headers, code, message) => {
    const refusal = await annWith(rules, headers).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code, message });
  });

  test.each<[string, RequestHeaders, string]>([
    [
      "system:masters",
      { "impersonate-group": "system:masters" },
      "impersonating the system:masters group is not allowed",
    ],
    ["no group at all", { "impersonate-group": "" }, "impersonating the empty string group is not allowed"],
    [
      "a key without a domain",
      { "impersonate-extra-x": "y" },
      'impersonating an invalid key in extra is not allowed: extra.key: Invalid value: "x": must be a domain-prefixed path (such as "acme.io/foo")',
    ],
    [
      "an empty value",
      { "impersonate-extra-a.b%2fc": "" },
      "impersonating the empty string value in extra is not allowed",
    ],
  ])("may never, with the new verbs, name %s", async (_, headers, why) => {
    const rules = [
      { verbs: ["impersonate:user-info", "impersonate-on:user-info:list"], apiGroups: ["*"], resources: ["*"] },
    ];
    const refusal = await annWith(rules, { "impersonate-user": "bob", ...headers }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 403, message: expect.stringContaining(why) });
  });
});
