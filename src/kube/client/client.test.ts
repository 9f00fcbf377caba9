import { afterEach, describe, expect, it } from "vitest";
import type { KubeObject } from "../../core/types.ts";
import { isAlreadyExists, isConflict, isForbidden, isGone, isInvalid, isNotFound, KubeError } from "../kube-error.ts";
import { type ApiServer, type ApiServerOptions, startApiServer } from "../testing/api-server.ts";
import { connect } from "../testing/connect.ts";
import { failure } from "../testing/failure.ts";
import { createFastTimers } from "../testing/fast-timers.ts";
import type { KubeClient } from "./client.ts";
import { defineResource, metadataOf } from "./resource.ts";
import { CLAIMS, PODS, STATEFUL_SETS, VOLUMES } from "./resources.ts";
import type { WatchEvent } from "./types.ts";

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

async function start(options: ApiServerOptions = {}): Promise<{ server: ApiServer; client: KubeClient }> {
  const server = await startApiServer(options);
  open.push(() => server.close());
  const client = connect(server.url);
  open.push(() => client.close());
  return { server, client };
}

/** A server that answers everything, to see what is sent. */
async function echo(): Promise<{ server: ApiServer; client: KubeClient }> {
  return start({
    intercept(_, response) {
      response.end("{}");
      return true;
    },
  });
}

const pod = (name: string): KubeObject & { spec: object } => ({ metadata: { namespace: "prod", name }, spec: {} });
const DB = { namespace: "prod", name: "db" };

describe("paths", () => {
  it.each([
    ["a core kind", (c: KubeClient) => c.get(PODS, DB), "GET", "/api/v1/namespaces/prod/pods/db"],
    [
      "a kind of a group",
      (c: KubeClient) => c.get(STATEFUL_SETS, DB),
      "GET",
      "/apis/apps/v1/namespaces/prod/statefulsets/db",
    ],
    ["a cluster's kind", (c: KubeClient) => c.get(VOLUMES, DB), "GET", "/api/v1/persistentvolumes/db"],
    ["all namespaces", (c: KubeClient) => c.list(PODS), "GET", "/api/v1/pods"],
    ["one namespace", (c: KubeClient) => c.list(PODS, { namespace: "prod" }), "GET", "/api/v1/namespaces/prod/pods"],
    [
      "a name with odd characters",
      (c: KubeClient) => c.get(VOLUMES, { name: "a/b c" }),
      "GET",
      "/api/v1/persistentvolumes/a%2Fb%20c",
    ],
    [
      "a subresource",
      (c: KubeClient) => c.get(STATEFUL_SETS, DB, { subresource: "scale" }),
      "GET",
      "/apis/apps/v1/namespaces/prod/statefulsets/db/scale",
    ],
    ["creation", (c: KubeClient) => c.create(PODS, pod("db")), "POST", "/api/v1/namespaces/prod/pods"],
    [
      "creation below an object",
      (c: KubeClient) => c.create(PODS, pod("db"), { subresource: "eviction" }),
      "POST",
      "/api/v1/namespaces/prod/pods/db/eviction",
    ],
    [
      "replacement",
      (c: KubeClient) => c.update(PODS, pod("db"), { subresource: "status" }),
      "PUT",
      "/api/v1/namespaces/prod/pods/db/status",
    ],
    ["deletion", (c: KubeClient) => c.delete(PODS, DB), "DELETE", "/api/v1/namespaces/prod/pods/db"],
    ["the version", (c: KubeClient) => c.version(), "GET", "/version"],
    ["anything else", (c: KubeClient) => c.raw({ method: "GET", path: "/apis" }), "GET", "/apis"],
  ])("of %s", async (_, call, method, path) => {
    const { server, client } = await echo();
    await call(client);
    expect(server.requests).toMatchObject([{ method, path }]);
  });
});

describe("what is sent along", () => {
  const query = (server: ApiServer): Record<string, string> => Object.fromEntries(server.requests[0]?.query ?? []);

  it("with a list: selectors and pages", async () => {
    const { server, client } = await echo();
    await client.list(PODS, {
      labelSelector: "app=db,tier!=web",
      fieldSelector: "spec.nodeName=a",
      limit: 5,
      continue: "x=",
    });
    expect(query(server)).toEqual({
      labelSelector: "app=db,tier!=web",
      fieldSelector: "spec.nodeName=a",
      limit: "5",
      continue: "x=",
    });
  });

  it.each([
    ["a list", (c: KubeClient) => c.list(metadataOf(PODS)), "PartialObjectMetadataList"],
    ["an object", (c: KubeClient) => c.get(metadataOf(PODS), DB), "PartialObjectMetadata"],
    ["a patch", (c: KubeClient) => c.patch(metadataOf(PODS), DB, { type: "merge", body: {} }), "PartialObjectMetadata"],
  ])("with %s of metadata alone: in which form the answer is wanted", async (_, call, form) => {
    const { server, client } = await echo();
    await call(client);
    expect(server.requests[0]?.headers["accept"]).toBe(
      `application/json;as=${form};g=meta.k8s.io;v=v1,application/json`,
    );
  });

  it("comes back empty where the server has null for an empty list", async () => {
    const { client } = await start({
      intercept(_, response) {
        response.end('{"metadata":{"resourceVersion":"1"},"items":null}');
        return true;
      },
    });
    expect((await client.list(metadataOf(PODS))).items).toEqual([]);
    expect(await client.listAll(metadataOf(PODS))).toEqual([]);
  });

  it("with a write: dry run, manager and strictness; kind and version in the object", async () => {
    const { server, client } = await echo();
    await client.create(STATEFUL_SETS, pod("db") as never, {
      dryRun: true,
      fieldManager: "outgrow",
      fieldValidation: "Strict",
    });
    expect(query(server)).toEqual({ dryRun: "All", fieldManager: "outgrow", fieldValidation: "Strict" });
    expect(server.requests[0]?.body).toEqual({ apiVersion: "apps/v1", kind: "StatefulSet", ...pod("db") });
  });

  it.each([
    [{ type: "merge", body: { a: 1 } }, "application/merge-patch+json", {}],
    [{ type: "strategic", body: { a: 1 } }, "application/strategic-merge-patch+json", {}],
    [{ type: "json", body: [{ op: "remove", path: "/a" }] }, "application/json-patch+json", {}],
    [{ type: "apply", body: { a: 1 } }, "application/apply-patch+yaml", {}],
    [{ type: "apply", body: { a: 1 }, force: true }, "application/apply-patch+yaml", { force: "true" }],
  ] as const)("with a patch of type $type: what it is", async (patch, contentType, more) => {
    const { server, client } = await echo();
    await client.patch(CLAIMS, DB, patch, { subresource: "status", fieldManager: "outgrow" });
    expect(query(server)).toEqual({ fieldManager: "outgrow", ...more });
    expect(server.requests[0]).toMatchObject({ body: patch.body, headers: { "content-type": contentType } });
  });

  it("with a deletion: preconditions, propagation, grace", async () => {
    const { server, client } = await echo();
    await client.delete(PODS, DB, {
      preconditions: { uid: "u", resourceVersion: "7" },
      propagationPolicy: "Orphan",
      gracePeriodSeconds: 0,
      dryRun: true,
    });
    expect(server.requests[0]?.body).toEqual({
      apiVersion: "v1",
      kind: "DeleteOptions",
      preconditions: { uid: "u", resourceVersion: "7" },
      propagationPolicy: "Orphan",
      gracePeriodSeconds: 0,
      dryRun: ["All"],
    });
  });
});

describe("objects", () => {
  it("are created, read, replaced, patched and deleted; fields that no type names survive", async () => {
    const { client } = await start();
    const created = await client.create(CLAIMS, { ...pod("db"), future: { field: [1] } } as never);
    expect(created).toMatchObject({ kind: "PersistentVolumeClaim", future: { field: [1] } });
    expect(await client.get(CLAIMS, DB)).toEqual(created);

    const updated = await client.update(CLAIMS, { ...created, spec: { volumeName: "v" } });
    expect(updated.spec.volumeName).toBe("v");
    const patched = await client.patch(CLAIMS, DB, { type: "merge", body: { spec: { storageClassName: "fast" } } });
    expect(patched.spec).toEqual({ volumeName: "v", storageClassName: "fast" });

    expect(isConflict(await failure(client.update(CLAIMS, created)))).toBe(true);
    const stale = { preconditions: { resourceVersion: created.metadata.resourceVersion ?? "" } };
    expect(isConflict(await failure(client.delete(CLAIMS, DB, stale)))).toBe(true);
    expect(isAlreadyExists(await failure(client.create(CLAIMS, created)))).toBe(true);
    await client.delete(CLAIMS, DB, { preconditions: { uid: created.metadata.uid ?? "" } });
    const missing = await failure(client.get(CLAIMS, DB));
    expect(isNotFound(missing)).toBe(true);
    expect(missing.message).toBe('get persistentvolumeclaims prod/db: persistentvolumeclaims "db" not found');
  });

  it("are listed page by page, all of them, once", async () => {
    const { server, client } = await start();
    for (let i = 0; i < 23; i++) server.store("pods").put(pod(`p${i}`));
    const first = await client.list(PODS, { limit: 10 });
    expect(first.items).toHaveLength(10);
    expect(first.metadata.continue).toBeTruthy();
    const all = await client.listAll(PODS, { limit: 10 });
    expect(new Set(all.map(({ metadata }) => metadata.name)).size).toBe(23);
    expect(server.requests).toHaveLength(4);
  });

  it("whose pages outlive the server's memory are told to be gone", async () => {
    const { server, client } = await start({ window: 5 });
    for (let i = 0; i < 10; i++) server.store("pods").put(pod(`p${i}`));
    const first = await client.list(PODS, { limit: 5 });
    for (let i = 0; i < 10; i++) server.store("pods").put(pod(`q${i}`));
    const error = await failure(client.list(PODS, { limit: 5, continue: first.metadata.continue }));
    expect(isGone(error)).toBe(true);
  });
});

describe("a watch", () => {
  it("brings events until the server ends it", async () => {
    const { server, client } = await start({ timers: createFastTimers(1000) });
    const { resourceVersion } = server.store("pods").put(pod("a")).metadata;
    server.store("pods").put(pod("b"));
    server.store("pods").remove("prod/a");
    const events: WatchEvent<KubeObject>[] = [];
    for await (const event of client.watch(PODS, { resourceVersion, timeoutSeconds: 10 })) events.push(event);
    expect(events.map((event) => [event.type, (event.object as KubeObject).metadata.name])).toEqual([
      ["ADDED", "b"],
      ["DELETED", "a"],
    ]);
  });

  it.each([
    ["no JSON", '{"type":"ADDED"', 'a line is not JSON: {"type":"ADDED"'],
    ["no event", "[1]", "a line is not an event: [1]"],
    ["an event about nothing", '{"type":"ADDED","object":null}', "a line is not an event"],
  ])("with a line that is %s is an error", async (_, line, message) => {
    const { client } = await start({
      intercept(_, response) {
        response.end(`${line}\n`);
        return true;
      },
    });
    const error = await failure(client.watch(PODS).next());
    expect(error.reason).toBe("BadResponse");
    expect(error.message).toContain(`watch pods: ${message}`);
  });
});

describe("discovery", () => {
  it("tells whether a kind is served", async () => {
    const { client, server } = await start({
      intercept(request, response) {
        if (request.path !== "/apis/storage.k8s.io/v1") return false;
        response.end(
          JSON.stringify({ kind: "APIResourceList", resources: [{ name: "storageclasses", namespaced: false }] }),
        );
        return true;
      },
    });
    const serves = (apiVersion: string, plural: string, scope: "Namespaced" | "Cluster" = "Cluster") =>
      client.serves(defineResource(apiVersion, "K", plural, scope));
    expect(await serves("storage.k8s.io/v1", "storageclasses")).toBe(true);
    expect(await serves("storage.k8s.io/v1", "storageclasses", "Namespaced")).toBe(false);
    expect(await serves("storage.k8s.io/v1", "volumeattributesclasses")).toBe(false);
    expect(await serves("example.org/v1", "things")).toBe(false);
    await server.down();
    expect((await failure(serves("storage.k8s.io/v1", "storageclasses"))).reason).toBe("Unreachable");
  });
});

describe("what an error means", () => {
  it.each([
    [403, "Forbidden", isForbidden],
    [404, "NotFound", isNotFound],
    [409, "Conflict", isConflict],
    [409, "AlreadyExists", isAlreadyExists],
    [410, "Gone", isGone],
    [410, "Expired", isGone],
    [422, "Invalid", isInvalid],
  ])("%s %s", (status, reason, predicate) => {
    expect(predicate(new KubeError(reason, "", { status }))).toBe(true);
    expect(predicate(new KubeError("InternalError", "", { status: 500 }))).toBe(false);
    expect(predicate(new Error(reason))).toBe(false);
  });

  it("an object that exists already is no lost race", () => {
    expect(isConflict(new KubeError("AlreadyExists", "", { status: 409 }))).toBe(false);
  });
});
