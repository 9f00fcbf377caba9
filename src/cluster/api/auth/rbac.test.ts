/** Several hundred attempts are held against a real server in test/kube/rbac-rules.test.ts; here is what each rule means. */
import { describe, expect, test } from "vitest";
import { type Attempt, type Binding, mayDo, type Role, type Roles } from "./rbac.ts";

function roles(
  rules: NonNullable<Role["rules"]>,
  subjects: NonNullable<Binding["subjects"]>,
  namespace?: string,
): Roles {
  const metadata = { name: "r", ...(namespace === undefined ? {} : { namespace }) };
  const binding: Binding = { metadata, subjects, roleRef: { kind: "ClusterRole", name: "r" } };
  return {
    clusterRole: (name) => (name === "r" ? { metadata: { name }, rules } : undefined),
    role: () => undefined,
    clusterBindings: () => (namespace === undefined ? [binding] : []),
    bindings: (of) => (of === namespace ? [binding] : []),
  };
}

const ANN = { name: "ann", groups: ["dev"] };
const TO_ANN = [{ kind: "User", name: "ann" }];
const patchStatus: Attempt = {
  verb: "patch",
  namespace: "prod",
  group: "",
  resource: "persistentvolumeclaims/status",
  name: "data",
};

describe("a rule", () => {
  test.each([
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
    expect(mayDo(ANN, patchStatus, roles(rules, TO_ANN))).toBe(expected);
  });
});

describe("a binding", () => {
  const everything = [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }];

  test("in a namespace counts there and nowhere else", () => {
    const inProd = roles(everything, TO_ANN, "prod");
    expect(mayDo(ANN, patchStatus, inProd)).toBe(true);
    expect(mayDo(ANN, { ...patchStatus, namespace: "dev" }, inProd)).toBe(false);
    expect(mayDo(ANN, { ...patchStatus, namespace: undefined }, inProd)).toBe(false);
  });

  test("to a group, and to a service account of its own namespace", () => {
    const account = { name: "system:serviceaccount:prod:resizer", groups: [] };
    expect(mayDo(ANN, patchStatus, roles(everything, [{ kind: "Group", name: "dev" }]))).toBe(true);
    expect(mayDo(account, patchStatus, roles(everything, [{ kind: "ServiceAccount", name: "resizer" }], "prod"))).toBe(
      true,
    );
    expect(
      mayDo(account, patchStatus, roles(everything, [{ kind: "ServiceAccount", name: "resizer", namespace: "x" }])),
    ).toBe(false);
  });

  test("to a role that is not there allows nothing", () => {
    expect(mayDo(ANN, patchStatus, { ...roles(everything, TO_ANN), clusterRole: () => undefined })).toBe(false);
  });
});
