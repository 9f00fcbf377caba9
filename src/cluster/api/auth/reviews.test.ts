/** The answers and refusals of a real server are in test/kube/auth; here is what needs none. */
import { expect, test } from "vitest";
import type { JsonObject } from "../json.ts";
import { createAuthenticator } from "./authenticator.ts";
import { createAuthorizer } from "./authorizer.ts";
import { clock, give, KEY, NOW, newObjects, person, user } from "./fixtures.ts";
import { REVIEW_KINDS } from "./review-kinds.ts";
import { answerReview } from "./reviews.ts";

const objects = newObjects();
const rule = { verbs: ["get"], apiGroups: [""], resources: ["pods"] };
await give(objects, {
  name: "reader",
  rules: [rule, { verbs: ["get"], nonResourceURLs: ["/logs"] }],
  subjects: [user("ann")],
});
const sources = {
  authorizer: createAuthorizer(objects),
  authenticator: createAuthenticator({ adminToken: "t", serviceAccountKey: KEY, objects, clock }),
};
const ask = (kind: string, object: JsonObject, namespace?: string) =>
  answerReview(kind, object, { identity: person("ann"), namespace, now: NOW }, sources);

const getPods = { verb: "get", resource: "pods", namespace: "prod" };
const reason = 'RBAC: allowed by ClusterRoleBinding "reader" of ClusterRole "reader" to User "ann"';

test.each<[string, JsonObject, string | undefined, JsonObject]>([
  ["SelfSubjectAccessReview", { spec: { resourceAttributes: getPods } }, undefined, { allowed: true, reason }],
  ["SubjectAccessReview", { spec: { user: "bob", resourceAttributes: getPods } }, undefined, { allowed: false }],
  [
    "LocalSubjectAccessReview",
    { spec: { user: "ann", resourceAttributes: getPods } },
    "prod",
    { allowed: true, reason },
  ],
  [
    "SelfSubjectRulesReview",
    { spec: { namespace: "prod" } },
    undefined,
    { resourceRules: [rule], nonResourceRules: [{ verbs: ["get"], nonResourceURLs: ["/logs"] }], incomplete: false },
  ],
  ["SelfSubjectReview", {}, undefined, { userInfo: { username: "ann", groups: ["system:authenticated"] } }],
  ["TokenReview", { spec: { token: "x" } }, undefined, { user: {}, error: "invalid bearer token" }],
])("%s %j in %s", (kind, object, namespace, status) => {
  expect(ask(kind, object, namespace)).toMatchObject({ kind, status });
});

test.each<[string, JsonObject, string | undefined, string]>([
  [
    "SelfSubjectAccessReview",
    {},
    undefined,
    "exactly one of nonResourceAttributes or resourceAttributes must be specified",
  ],
  [
    "SubjectAccessReview",
    { spec: { resourceAttributes: getPods } },
    undefined,
    "at least one of user or group must be specified",
  ],
  [
    "LocalSubjectAccessReview",
    { spec: { user: "a", resourceAttributes: getPods } },
    "dev",
    "must match metadata.namespace",
  ],
  [
    "LocalSubjectAccessReview",
    { metadata: { namespace: "x" } },
    "dev",
    "does not match the namespace sent on the request",
  ],
  ["SelfSubjectRulesReview", {}, undefined, "no namespace on request"],
  ["TokenReview", {}, undefined, "token is required for TokenReview in authentication"],
])("%s %j in %s is refused", (kind, object, namespace, message) => {
  expect(() => ask(kind, object, namespace)).toThrow(message);
});

test("every kind of review is answered, and no other", () => {
  for (const { kind } of REVIEW_KINDS) {
    const outcome = (): unknown => {
      try {
        return ask(kind, {}, "prod");
      } catch (error) {
        return error;
      }
    };
    expect(outcome(), kind).toBeDefined();
  }
  expect(ask("Pod", {})).toBeUndefined();
});
