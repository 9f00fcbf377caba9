/** Several hundred attempts are held against a real server in test/kube/auth; here is what each rule means. */
import { describe, expect, test } from "vitest";
import { decide, forbiddenMessage, type ResourceAttempt, type Rule, reasonOf } from "./rbac.ts";
import { indexRoles, type RoleIndex, type Subject } from "./role-index.ts";

const ANN = { name: "ann", groups: ["dev"] };
const TO_ANN = [{ kind: "User", name: "ann" }];
const patchStatus: ResourceAttempt = {
  verb: "patch",
  namespace: "prod",
  group: "",
  resource: "persistentvolumeclaims/status",
  name: "data",
};

/** One ClusterRole, bound everywhere or in one namespace. */
function roles(rules: readonly Rule[] | undefined, subjects: readonly Subject[], namespace?: string): RoleIndex {
  const metadata = { name: "b", ...(namespace === undefined ? {} : { namespace }) };
  const binding = { metadata, subjects, roleRef: { kind: "ClusterRole", name: "r" } };
  return indexRoles({
    clusterRoles: rules === undefined ? [] : [{ metadata: { name: "r" }, rules }],
    roles: [],
    clusterRoleBindings: namespace === undefined ? [binding] : [],
    roleBindings: namespace === undefined ? [] : [binding],
  });
}

const mayPatch = (index: RoleIndex, who = ANN, attempt = patchStatus) => decide(who, attempt, index).allowed;

describe("a rule", () => {
  test.each<[string, Rule[], boolean]>([
    [
      "names the subresource",
      [{ verbs: ["patch"], apiGroups: [""], resources: ["persistentvolumeclaims/status"] }],
      true,
    ],
    [
      "for the object does not mean its status",
      [{ verbs: ["patch"], apiGroups: [""], resources: ["persistentvolumeclaims"] }],
      false,
    ],
    ["of another group", [{ verbs: ["patch"], apiGroups: ["apps"], resources: ["*"] }], false],
    ["of another verb", [{ verbs: ["get"], apiGroups: ["*"], resources: ["*"] }], false],
    ["for every status", [{ verbs: ["*"], apiGroups: ["*"], resources: ["*/status"] }], true],
    ["for another name", [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"], resourceNames: ["logs"] }], false],
    ["of paths", [{ verbs: ["*"], nonResourceURLs: ["*"] }], false],
  ])("that %s", (_, rules, expected) => {
    expect(mayPatch(roles(rules, TO_ANN))).toBe(expected);
  });

  test("for a subresource with a slash in it means the whole of it", () => {
    const attempt = { ...patchStatus, verb: "impersonate", resource: "userextras/acme.com/project" };
    const rule = (resource: string) => [{ verbs: ["*"], apiGroups: [""], resources: [resource] }];
    expect(mayPatch(roles(rule("*/acme.com/project"), TO_ANN), ANN, attempt)).toBe(true);
    expect(mayPatch(roles(rule("*/acme.com"), TO_ANN), ANN, attempt)).toBe(false);
  });
});

describe("a binding", () => {
  const everything = [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }];

  test("in a namespace counts there and nowhere else", () => {
    const inProd = roles(everything, TO_ANN, "prod");
    expect(mayPatch(inProd)).toBe(true);
    expect(mayPatch(inProd, ANN, { ...patchStatus, namespace: "dev" })).toBe(false);
    expect(mayPatch(inProd, ANN, { ...patchStatus, namespace: undefined })).toBe(false);
  });

  test("to a group, and to a service account of its own namespace", () => {
    const account = { name: "system:serviceaccount:prod:resizer", groups: [] };
    expect(mayPatch(roles(everything, [{ kind: "Group", name: "dev" }]))).toBe(true);
    expect(mayPatch(roles(everything, [{ kind: "ServiceAccount", name: "resizer" }], "prod"), account)).toBe(true);
    const elsewhere = [{ kind: "ServiceAccount", name: "resizer", namespace: "x" }];
    expect(mayPatch(roles(everything, elsewhere), account)).toBe(false);
    expect(mayPatch(roles(everything, [{ kind: "ServiceAccount", name: "resizer" }]), account)).toBe(false);
  });

  test("to somebody in two ways is one grant", () => {
    const index = roles(everything, [{ kind: "Group", name: "dev" }, ...TO_ANN]);
    expect([...index.grants(ANN, undefined)]).toHaveLength(1);
  });

  test("to a role that is not there allows nothing, and the reason says so", () => {
    const decision = decide(ANN, patchStatus, roles(undefined, TO_ANN));
    expect(decision.allowed).toBe(false);
    expect(reasonOf(ANN, decision)).toBe('RBAC: clusterrole.rbac.authorization.k8s.io "r" not found');
  });

  test.each<[Subject[], string | undefined, string]>([
    [TO_ANN, undefined, 'RBAC: allowed by ClusterRoleBinding "b" of ClusterRole "r" to User "ann"'],
    [
      [{ kind: "Group", name: "dev" }, ...TO_ANN],
      undefined,
      'RBAC: allowed by ClusterRoleBinding "b" of ClusterRole "r" to Group "dev"',
    ],
    [TO_ANN, "prod", 'RBAC: allowed by RoleBinding "b/prod" of ClusterRole "r" to User "ann"'],
  ])("is named as the reason: %j in %s", (subjects, namespace, expected) => {
    expect(reasonOf(ANN, decide(ANN, patchStatus, roles(everything, subjects, namespace)))).toBe(expected);
  });

  test("to an account is named with its namespace", () => {
    const account = { name: "system:serviceaccount:prod:resizer", groups: [] };
    const index = roles(everything, [{ kind: "ServiceAccount", name: "resizer" }], "prod");
    expect(reasonOf(account, decide(account, patchStatus, index))).toBe(
      'RBAC: allowed by RoleBinding "b/prod" of ClusterRole "r" to ServiceAccount "resizer/prod"',
    );
  });
});

test("members of system:masters need no role, and there is no reason to name", () => {
  const root = { name: "root", groups: ["system:masters"] };
  const decision = decide(root, patchStatus, roles(undefined, []));
  expect(decision).toEqual({ allowed: true });
  expect(reasonOf(root, decision)).toBe("");
});

test("no browser reads a refusal as HTML", () => {
  const message = forbiddenMessage({ name: "<b>&", groups: [] }, { verb: "get", path: "/x" });
  expect(message).toBe('forbidden: User "&lt;b&gt;&amp;" cannot get path "/x"');
});
