import { describe, expect, test } from "vitest";
import { readPath } from "./request-path.ts";

const object = (fields: object) => ({
  kind: "resource",
  name: undefined,
  subresource: undefined,
  namespace: undefined,
  isWatch: false,
  ...fields,
});
const core = (fields: object) => object({ group: "", version: "v1", ...fields });
const apps = (fields: object) => object({ group: "apps", version: "v1", ...fields });

describe("what a path asks for", () => {
  test.each([
    ["/api", { kind: "groups", root: "api" }],
    ["/apis/", { kind: "groups", root: "apis" }],
    ["/apis/apps", { kind: "group", group: "apps" }],
    ["/api/v1", { kind: "version", group: "", version: "v1" }],
    ["/apis/apps/v1", { kind: "version", group: "apps", version: "v1" }],
    ["/api/v1/pods", core({ resource: "pods" })],
    ["/api/v1/nodes/n-1", core({ resource: "nodes", name: "n-1" })],
    ["/api/v1/nodes/n-1/status", core({ resource: "nodes", name: "n-1", subresource: "status" })],
    ["/api/v1/namespaces/prod/pods", core({ namespace: "prod", resource: "pods" })],
    [
      "/api/v1/namespaces/prod/pods/db-0/eviction",
      core({ namespace: "prod", resource: "pods", name: "db-0", subresource: "eviction" }),
    ],
    [
      "/api/v1/namespaces/prod/services/https:web:443/proxy/some/path",
      core({ namespace: "prod", resource: "services", name: "https:web:443", subresource: "proxy" }),
    ],
    ["/api/v1/nodes/n-1/proxy/metrics", core({ resource: "nodes", name: "n-1", subresource: "proxy" })],
    ["/apis/apps/v1/statefulsets", apps({ resource: "statefulsets" })],
    [
      "/apis/apps/v1/namespaces/prod/statefulsets/db/scale",
      apps({ namespace: "prod", resource: "statefulsets", name: "db", subresource: "scale" }),
    ],
    ["/api/v1/watch/pods", core({ resource: "pods", isWatch: true })],
    ["/api/v1/watch/namespaces/prod", core({ resource: "namespaces", name: "prod", isWatch: true })],
    [
      "/apis/apps/v1/watch/namespaces/prod/statefulsets/db",
      apps({ namespace: "prod", resource: "statefulsets", name: "db", isWatch: true }),
    ],
    ["/api/v1/watch", core({ resource: "watch" })],
    ["/version", { kind: "other", path: "/version" }],
    ["/openapi/v3/apis/apps/v1", { kind: "other", path: "/openapi/v3/apis/apps/v1" }],
    ["/", { kind: "other", path: "/" }],
  ])("%s", (path, expected) => {
    expect(readPath(path)).toEqual(expected);
  });

  test.each([
    ["/api/v1/namespaces", core({ resource: "namespaces" })],
    ["/api/v1/namespaces/prod", core({ resource: "namespaces", name: "prod" })],
    ["/api/v1/namespaces/prod/status", core({ resource: "namespaces", name: "prod", subresource: "status" })],
    ["/api/v1/namespaces/prod/finalize", core({ resource: "namespaces", name: "prod", subresource: "finalize" })],
  ])("a namespace is an object too: %s", (path, expected) => {
    expect(readPath(path)).toEqual(expected);
  });

  test("names are decoded", () => {
    expect(readPath("/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Anode")).toMatchObject({
      name: "system:node",
    });
  });

  test.each([
    "/api/v1//pods",
    "/api/v1/namespaces/prod/pods/..",
    "/api/v1/./pods",
    "/api/v1/namespaces/prod/pods/a%2Fb",
    "/api/v1/namespaces/prod/pods/a%252Fb",
    "/api/v1/namespaces/prod/pods/a%00",
    "/api/v1/namespaces/prod/pods/%zz",
    "/api/v1/namespaces/prod/pods/db-0/log/more",
  ])("no trick gets through: %s", (path) => {
    expect(readPath(path)).toBeUndefined();
  });
});
