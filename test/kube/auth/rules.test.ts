/** The embedded server lets people do what kube-apiserver lets them do, by the same roles and bindings. */
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Attempt, decide, forbiddenMessage, type User } from "../../../src/cluster/api/auth/rbac.ts";
import { type Binding, indexRoles, type Role } from "../../../src/cluster/api/auth/role-index.ts";
import { ApiRefusal, openApi } from "../api.ts";
import { type ControlPlane, startControlPlane } from "../control-plane.ts";

const ROLES: readonly Role[] = [
  {
    metadata: { name: "t-reader" },
    rules: [{ verbs: ["get", "list"], apiGroups: ["", "apps"], resources: ["pods", "statefulsets"] }],
  },
  { metadata: { name: "t-status" }, rules: [{ verbs: ["patch"], apiGroups: ["*"], resources: ["*/status"] }] },
  {
    metadata: { name: "t-one" },
    rules: [{ verbs: ["*"], apiGroups: [""], resources: ["configmaps"], resourceNames: ["one"] }],
  },
  { metadata: { name: "t-all-core" }, rules: [{ verbs: ["delete"], apiGroups: [""], resources: ["*"] }] },
  { metadata: { name: "t-paths" }, rules: [{ verbs: ["get"], nonResourceURLs: ["/healthz", "/logs/*"] }] },
  {
    metadata: { name: "t-local", namespace: "default" },
    rules: [{ verbs: ["update"], apiGroups: ["apps"], resources: ["statefulsets/scale"] }],
  },
];
const subject = (kind: string, name: string, namespace?: string) => ({
  kind,
  name,
  ...(namespace === undefined ? {} : { namespace }),
});
const BINDINGS: readonly Binding[] = [
  { metadata: { name: "t-1" }, subjects: [subject("User", "ann")], roleRef: { kind: "ClusterRole", name: "t-reader" } },
  {
    metadata: { name: "t-2" },
    subjects: [subject("Group", "ops")],
    roleRef: { kind: "ClusterRole", name: "t-status" },
  },
  {
    metadata: { name: "t-3", namespace: "default" },
    subjects: [subject("User", "bob")],
    roleRef: { kind: "ClusterRole", name: "t-one" },
  },
  {
    metadata: { name: "t-4", namespace: "default" },
    subjects: [subject("ServiceAccount", "sa", "default")],
    roleRef: { kind: "Role", name: "t-local" },
  },
  {
    metadata: { name: "t-5" },
    subjects: [subject("ServiceAccount", "sa", "default")],
    roleRef: { kind: "ClusterRole", name: "t-all-core" },
  },
  {
    metadata: { name: "t-6" },
    subjects: [subject("User", "ann"), subject("User", "bob")],
    roleRef: { kind: "ClusterRole", name: "t-paths" },
  },
  {
    metadata: { name: "t-7", namespace: "default" },
    subjects: [subject("User", "bob")],
    roleRef: { kind: "Role", name: "missing" },
  },
];
const isLocal = ({ metadata }: Role | Binding): boolean => metadata.namespace !== undefined;
const ours = indexRoles({
  clusterRoles: ROLES.filter((role) => !isLocal(role)),
  roles: ROLES.filter(isLocal),
  clusterRoleBindings: BINDINGS.filter((binding) => !isLocal(binding)),
  roleBindings: BINDINGS.filter(isLocal),
});

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane({ controllers: [], users: [{ name: "nobody" }] });
  const kinds = (object: Role | Binding): string => {
    const cluster = object.metadata.namespace === undefined ? "Cluster" : "";
    return "roleRef" in object ? `${cluster}RoleBinding` : `${cluster}Role`;
  };
  const objects = [...ROLES, ...BINDINGS].map((object) => ({
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: kinds(object),
    ...object,
    ...("roleRef" in object ? { roleRef: { apiGroup: "rbac.authorization.k8s.io", ...object.roleRef } } : {}),
  }));
  await plane.kubectl(["apply", "-f", "-"], {
    input: JSON.stringify({ apiVersion: "v1", kind: "List", items: objects }),
  });
});
afterAll(() => plane.stop());

async function theirs(user: User, attempt: Attempt): Promise<boolean> {
  const attributes =
    "resource" in attempt
      ? {
          resourceAttributes: {
            verb: attempt.verb,
            namespace: attempt.namespace ?? "",
            group: attempt.group,
            resource: attempt.resource.split("/")[0],
            subresource: attempt.resource.split("/")[1] ?? "",
            name: attempt.name ?? "",
          },
        }
      : { nonResourceAttributes: attempt };
  const review = await plane.api.create<{ status: { allowed: boolean } }>(
    "/apis/authorization.k8s.io/v1/subjectaccessreviews",
    {
      apiVersion: "authorization.k8s.io/v1",
      kind: "SubjectAccessReview",
      spec: { user: user.name, groups: user.groups, ...attributes },
    },
  );
  return review.status.allowed;
}

const users = fc.constantFrom<User>(
  { name: "ann", groups: [] },
  { name: "bob", groups: ["ops"] },
  { name: "system:serviceaccount:default:sa", groups: ["system:serviceaccounts"] },
  { name: "cleo", groups: ["system:masters"] },
);
const attempts = fc.oneof(
  fc.record({
    verb: fc.constantFrom("get", "list", "patch", "update", "delete"),
    namespace: fc.constantFrom(undefined, "default", "other"),
    group: fc.constantFrom("", "apps"),
    resource: fc.constantFrom("pods", "statefulsets", "statefulsets/scale", "pods/status", "configmaps"),
    name: fc.constantFrom(undefined, "one", "two"),
  }),
  fc.record({
    verb: fc.constantFrom("get", "post"),
    path: fc.constantFrom("/healthz", "/logs", "/logs/a/b", "/metrics"),
  }),
);

describe("roles and bindings", () => {
  test("allow the same on both servers, for several hundred attempts", async () => {
    const cases = fc.sample(fc.tuple(users, attempts), { seed: 20_261, numRuns: 400 });
    const mine = cases.map(([user, attempt]) => decide(user, attempt, ours).allowed);
    const different = async () => {
      const answers = await Promise.all(cases.map(([user, attempt]) => theirs(user, attempt)));
      return cases.filter((_, index) => mine[index] !== answers[index]);
    };
    // A real server hears of roles and bindings a moment after they are written.
    await expect.poll(different).toEqual([]);
    expect(new Set(mine).size).toBe(2);
  });

  test.each<[string, Attempt]>([
    [
      "/api/v1/namespaces/default/pods/x",
      { verb: "get", namespace: "default", group: "", resource: "pods", name: "x" },
    ],
    [
      "/apis/apps/v1/statefulsets",
      { verb: "list", namespace: undefined, group: "apps", resource: "statefulsets", name: undefined },
    ],
    [
      "/apis/apps/v1/namespaces/default/statefulsets/db/scale",
      { verb: "get", namespace: "default", group: "apps", resource: "statefulsets/scale", name: "db" },
    ],
    ["/metrics", { verb: "get", path: "/metrics" }],
  ])("are refused in the same words: %s", async (path, attempt) => {
    const { token } = plane.users.get("nobody") ?? { token: "" };
    const api = openApi(plane, token);
    const refusal = await api.get(path).catch((error: unknown) => error);
    await api.close();
    expect(refusal).toBeInstanceOf(ApiRefusal);
    expect((refusal as ApiRefusal).message).toContain(forbiddenMessage({ name: "nobody", groups: [] }, attempt));
  });
});
