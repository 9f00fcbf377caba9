/** Reviews, asking as somebody else, and giving away rights: the embedded server answers as kube-apiserver does. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAuthenticator } from "../../../src/cluster/api/auth/authenticator.ts";
import type { Authorizer } from "../../../src/cluster/api/auth/authorizer.ts";
import { escalationCheck } from "../../../src/cluster/api/auth/escalation.ts";
import { impersonate } from "../../../src/cluster/api/auth/impersonation.ts";
import { readSigningKey } from "../../../src/cluster/api/auth/jwt.ts";
import type { ResourceAttempt } from "../../../src/cluster/api/auth/rbac.ts";
import { REVIEW_KINDS } from "../../../src/cluster/api/auth/review-kinds.ts";
import { answerReview } from "../../../src/cluster/api/auth/reviews.ts";
import { CLUSTER_ROLE, CLUSTER_ROLE_BINDING, ROLE, ROLE_BINDING } from "../../../src/cluster/api/auth/stored-kinds.ts";
import { createCatalog } from "../../../src/cluster/api/catalog/catalog.ts";
import { resourceList } from "../../../src/cluster/api/discovery/discovery.ts";
import type { JsonObject } from "../../../src/cluster/api/json.ts";
import { groupVersionOf, type Kind } from "../../../src/cluster/api/kinds/kind.ts";
import { textOf } from "../../../src/cluster/api/lifecycle/metadata.ts";
import { createObjectStore } from "../../../src/cluster/api/objects/object-store.ts";
import { openMemoryStore } from "../../../src/cluster/store/index.ts";
import { type ControlPlane, startControlPlane } from "../control-plane.ts";
import { makeSigningKey } from "../credentials.ts";
import {
  type Answer,
  clusterBinding,
  clusterRole,
  comparable,
  copyRoles,
  giveRoles,
  identity,
  ours,
  RBAC,
  type RealServer,
  realServer,
  sortedRules,
  USERS,
} from "./scene.ts";

let plane: ControlPlane;
let real: RealServer;
let authorizer: Authorizer;

const pods = { verbs: ["get", "list"], apiGroups: [""], resources: ["pods"] };
const AUTHENTICATION = "authentication.k8s.io";

beforeAll(async () => {
  plane = await startControlPlane({ controllers: [], users: [...USERS] });
  real = realServer(plane);
  const write = { verbs: ["create", "patch", "get"], apiGroups: ["rbac.authorization.k8s.io"], resources: ["*"] };
  await giveRoles(plane, [
    clusterRole("t-boss", write, pods),
    clusterBinding("t-boss", "t-boss", "boss"),
    clusterRole(
      "t-ann",
      { verbs: ["impersonate"], apiGroups: [""], resources: ["users"], resourceNames: ["bob"] },
      { verbs: ["impersonate:user-info"], apiGroups: [AUTHENTICATION], resources: ["users"], resourceNames: ["carl"] },
      {
        verbs: ["impersonate-on:user-info:create"],
        apiGroups: [AUTHENTICATION],
        resources: ["selfsubjectreviews"],
      },
    ),
    clusterBinding("t-ann", "t-ann", "ann"),
    clusterBinding("t-dangling", "t-missing", "nobody"),
    { kind: "Role", metadata: { name: "t-old", namespace: "default" }, rules: [pods] },
  ]);
  authorizer = await copyRoles(plane);
});
afterAll(async () => {
  real.close();
  await plane.stop();
});

type Who = Parameters<typeof identity>[0];
const tokenOf = (who: Who): string => (who === "admin" ? plane.admin.token : (plane.users.get(who)?.token ?? ""));

function expectSame(mine: Answer, theirs: Answer): void {
  expect(comparable(mine as unknown as JsonObject)).toEqual(comparable(theirs as unknown as JsonObject));
}

test("the kinds of reviews are told alike", async () => {
  for (const kind of REVIEW_KINDS) {
    const { group, version } = kind;
    expect(resourceList(REVIEW_KINDS, group, version)).toEqual(await plane.api.get(`/apis/${group}/${version}`));
  }
});

const SECRETS = { verb: "get", resource: "secrets", namespace: "default" };
const selectors = (field: JsonObject, label: JsonObject): JsonObject => ({
  user: "ann",
  resourceAttributes: { verb: "list", resource: "pods", fieldSelector: field, labelSelector: label },
});

describe("a review", () => {
  const access: JsonObject[] = [
    { resourceAttributes: SECRETS },
    { resourceAttributes: {} },
    { nonResourceAttributes: { verb: "get", path: "/apis/apps" } },
    { nonResourceAttributes: { verb: "get", path: "/x" }, resourceAttributes: {} },
    {},
  ];
  const subject: JsonObject[] = [
    { user: "ann", groups: ["system:masters"], resourceAttributes: SECRETS },
    {
      groups: ["system:authenticated"],
      uid: "u",
      extra: { a: ["b"] },
      nonResourceAttributes: { verb: "get", path: "/api" },
    },
    { resourceAttributes: SECRETS },
    { user: "boss", resourceAttributes: { verb: "list", resource: "pods" } },
    { user: "nobody", resourceAttributes: SECRETS },
    selectors({}, { rawSelector: "a=b", requirements: [{ key: "a", operator: "In", values: ["b"] }] }),
    selectors({ rawSelector: "!!" }, { rawSelector: "(((" }),
    selectors({ rawSelector: "a=b" }, { rawSelector: "a in (b)" }),
    selectors(
      {
        requirements: [
          { key: "", operator: "In", values: [] },
          { key: "b", operator: "Exists", values: ["x"] },
        ],
      },
      {
        requirements: [
          { key: "b", operator: "Exists", values: ["z"] },
          { key: "-", operator: "In", values: ["-"] },
        ],
      },
    ),
    selectors(
      { requirements: [{ key: "a", operator: "In", values: ["x", "y"] }] },
      {
        requirements: [
          { key: "a", operator: "Foo", values: ["x"] },
          { key: "b", operator: "Exists" },
        ],
      },
    ),
  ];
  const local: JsonObject[] = [
    { user: "boss", resourceAttributes: { verb: "get", resource: "pods", namespace: "default" } },
    { user: "boss", resourceAttributes: { verb: "get", resource: "pods", namespace: "other" } },
    { user: "boss", nonResourceAttributes: { verb: "get", path: "/x" } },
  ];
  const metadata = { name: "x", labels: { a: "b" } };
  const cases: [Who, string, JsonObject][] = [
    ...access.map((spec): [Who, string, JsonObject] => ["nobody", "SelfSubjectAccessReview", { spec }]),
    ["admin", "SelfSubjectAccessReview", { spec: { resourceAttributes: SECRETS } }],
    ["nobody", "SelfSubjectAccessReview", { metadata, spec: { resourceAttributes: SECRETS } }],
    ...subject.map((spec): [Who, string, JsonObject] => ["admin", "SubjectAccessReview", { spec }]),
    ...local.map((spec): [Who, string, JsonObject] => ["admin", "LocalSubjectAccessReview", { spec }]),
    ["admin", "LocalSubjectAccessReview", { metadata: { namespace: "other" }, spec: local[1] ?? {} }],
    ["admin", "LocalSubjectAccessReview", { metadata: { name: "x", namespace: "default" }, spec: local[0] ?? {} }],
    ["nobody", "SelfSubjectRulesReview", { spec: {} }],
    ["ann", "SelfSubjectReview", { metadata }],
    ["admin", "SelfSubjectReview", {}],
    ["admin", "TokenReview", { spec: { token: "nonsense" } }],
    ["admin", "TokenReview", { metadata, spec: { token: "nonsense", audiences: ["a"] } }],
    ["admin", "TokenReview", { spec: {} }],
  ];
  const objects = createObjectStore(openMemoryStore());
  const authenticator = createAuthenticator({
    adminToken: "t",
    serviceAccountKey: readSigningKey(makeSigningKey().privateKey),
    objects,
    clock: { now: () => 0 },
  });

  test.each(cases)("by %s: %s %j", async (who, name, sent) => {
    const kind = REVIEW_KINDS.find((each) => each.kind === name) as Kind;
    const body = { kind: name, apiVersion: groupVersionOf(kind), ...sent };
    const namespace = kind.namespaced ? "default" : undefined;
    const path = `/apis/${groupVersionOf(kind)}${kind.namespaced ? "/namespaces/default" : ""}/${kind.plural}`;
    const theirs = await real.call({ token: tokenOf(who), method: "POST", path, body });
    const request = { identity: identity(who), namespace, now: 0 };
    expectSame(await ours(() => answerReview(name, body, request, { authorizer, authenticator })), theirs);
  });

  test("of all rules tells the same rules, in whatever order", async () => {
    const body = {
      kind: "SelfSubjectRulesReview",
      apiVersion: "authorization.k8s.io/v1",
      spec: { namespace: "default" },
    };
    const path = "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews";
    for (const who of ["nobody", "boss", "admin"] as const) {
      const theirs = await real.call({ token: tokenOf(who), method: "POST", path, body });
      const request = { identity: identity(who), namespace: undefined, now: 0 };
      const mine = await ours(() => answerReview(body.kind, body, request, { authorizer, authenticator }));
      expect(sortedRules(mine)).toEqual(sortedRules(theirs));
    }
  });
});

describe("asking as somebody else", () => {
  // Nodes come first: upstream remembers which way was open for somebody, and tries that first the next time.
  const cases: [Who, string[]][] = [
    ["admin", ["impersonate-user", "system:node:n1"]],
    ["nobody", ["impersonate-user", "bob"]],
    ["nobody", ["impersonate-user", "system:serviceaccount:default:sa"]],
    ["nobody", ["impersonate-user", "system:serviceaccount:default:sa", "impersonate-group", "x"]],
    ["nobody", ["impersonate-user", "system:node:n1"]],
    ["nobody", ["impersonate-group", "a", "impersonate-group", "b"]],
    ["nobody", ["impersonate-uid", "u", "impersonate-extra-acme.com%2ffoo", "x", "impersonate-extra-b", "z"]],
    ["admin", ["impersonate-user", "bob"]],
    ["admin", ["impersonate-user", "bob", "impersonate-group", "a", "impersonate-group", "b", "impersonate-uid", "5"]],
    ["admin", ["impersonate-user", "bob", "impersonate-extra-acme.com%2fproject", "p"]],
    ["admin", ["impersonate-user", "system:serviceaccount:default:sa"]],
    ["admin", ["impersonate-user", "bob", "impersonate-group", "system:masters"]],
    ["admin", ["impersonate-user", "bob", "impersonate-extra-scopes", "a"]],
    ["admin", ["impersonate-user", "system:serviceaccount:default:sa", "impersonate-group", "x"]],
    ["ann", ["impersonate-user", "carl"]],
    ["ann", ["impersonate-user", "carl", "impersonate-group", "system:masters"]],
    ["ann", ["impersonate-user", "carl", "impersonate-group", "g"]],
    ["ann", ["impersonate-user", "carl", "impersonate-uid", "4"]],
    ["ann", ["impersonate-user", "carl", "impersonate-extra-x", "y"]],
    ["ann", ["impersonate-user", "carl", "impersonate-extra-a.b%2fc", "y"]],
    ["ann", ["impersonate-user", "dave"]],
    ["ann", ["impersonate-user", "bob", "impersonate-group", "g"]],
    ["ann", ["impersonate-user", "bob"]],
  ];
  const attempt: ResourceAttempt = {
    verb: "create",
    namespace: undefined,
    group: AUTHENTICATION,
    resource: "selfsubjectreviews",
    name: undefined,
  };

  test.each(cases)("%s sends %j", async (who, headers) => {
    const path = `/apis/${AUTHENTICATION}/v1/selfsubjectreviews`;
    const byName: Record<string, string[]> = {};
    for (let at = 0; at < headers.length; at += 2) (byName[headers[at] ?? ""] ??= []).push(headers[at + 1] ?? "");
    const theirs = await real.call({ token: tokenOf(who), method: "POST", path, body: {}, headers: byName });
    const mine = await ours(() => {
      const as = impersonate(identity(who), byName, attempt, authorizer);
      authorizer.require(as, attempt);
      const sources = { authorizer, authenticator: { review: () => ({ kind: "unknown" as const, why: "" }) } };
      return answerReview("SelfSubjectReview", {}, { identity: as, namespace: undefined, now: 0 }, sources);
    });
    expectSame(mine, theirs);
  });
});

describe("giving away rights", () => {
  const secrets = { verbs: ["get", "delete"], apiGroups: ["", "apps"], resources: ["secrets", "pods"] };
  const bind = (kind: string, name: string): JsonObject => ({
    metadata: { name: "t-new" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind, name },
  });
  const cases: [Kind, JsonObject][] = [
    [ROLE, { metadata: { name: "t-new" }, rules: [pods] }],
    [ROLE, { metadata: { name: "t-new" }, rules: [secrets, { ...pods, resourceNames: ["b", "a"], verbs: ["patch"] }] }],
    [CLUSTER_ROLE, { metadata: { name: "t-new" }, rules: [{ verbs: ["get"], nonResourceURLs: ["/logs/*", "/a"] }] }],
    [
      CLUSTER_ROLE,
      {
        metadata: { name: "t-new" },
        rules: [],
        aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: "b" } }] },
      },
    ],
    [ROLE_BINDING, bind("ClusterRole", "t-boss")],
    [ROLE_BINDING, bind("ClusterRole", "cluster-admin")],
    [ROLE_BINDING, bind("ClusterRole", "t-missing")],
    [ROLE_BINDING, bind("Role", "t-missing")],
    [CLUSTER_ROLE_BINDING, bind("ClusterRole", "t-missing")],
    [CLUSTER_ROLE_BINDING, bind("ClusterRole", "system:kube-controller-manager")],
  ];
  const catalog = createCatalog();

  test.each(cases)("in a new $kind: %j", async (kind, object) => {
    const path = `${RBAC}${kind.namespaced ? "/namespaces/default" : ""}/${kind.plural}?dryRun=All`;
    const theirs = await real.call({ token: tokenOf("boss"), method: "POST", path, body: object });
    const resource = catalog.findKind(groupVersionOf(kind), kind.kind);
    if (resource === undefined) throw new Error(`${kind.kind} is not served`);
    const mine = await ours(async () => {
      await escalationCheck(authorizer).validate?.({
        operation: "CREATE",
        resource,
        subresource: undefined,
        namespace: kind.namespaced ? "default" : undefined,
        name: textOf(object, "name"),
        object,
        old: undefined,
        options: {},
        user: identity("boss"),
        dryRun: true,
        warn: () => undefined,
      });
      return {};
    });
    expect(mine.taken ? "taken" : mine.object).toEqual(theirs.taken ? "taken" : theirs.object);
  });
});
