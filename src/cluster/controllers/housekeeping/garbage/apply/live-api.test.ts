import type { ServerResponse } from "node:http";
import { afterEach, expect, test } from "vitest";
import type { ObjectMeta } from "../../../../../core/types.ts";
import { defineResource } from "../../../../../kube/index.ts";
import { startApiServer } from "../../../../../kube/testing/api-server.ts";
import { connect } from "../../../../../kube/testing/connect.ts";
import { createLiveApi, type LiveApi } from "./live-api.ts";

const MAPS = defineResource("v1", "ConfigMap", "configmaps");
const OBJECT: ObjectMeta = { name: "x", namespace: "prod", uid: "u", resourceVersion: "1", finalizers: ["orphan"] };
const owner = { resource: MAPS, metadata: OBJECT };

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

async function apiThatAnswers(answer: (response: ServerResponse) => void): Promise<LiveApi> {
  const server = await startApiServer({
    intercept(_, response) {
      answer(response);
      return true;
    },
  });
  open.push(() => server.close());
  const client = connect(server.url);
  open.push(() => client.close());
  return createLiveApi(client, new AbortController().signal);
}

const status =
  (code: number, body: object): ((response: ServerResponse) => void) =>
  (response) =>
    void response.writeHead(code).end(JSON.stringify({ kind: "Status", code, ...body }));
const missing = status(404, { reason: "NotFound", details: { name: "x", kind: "configmaps" } });

test("an object that the server says is not there is not there", async () => {
  const api = await apiThatAnswers(missing);
  expect(await api.get(MAPS, OBJECT)).toBeUndefined();
  await expect(api.remove(MAPS, OBJECT, "Background")).resolves.toBeUndefined();
  await expect(api.change(MAPS, OBJECT, { ...OBJECT, finalizers: [] })).resolves.toBeUndefined();
});

test.each<[string, (response: ServerResponse) => void]>([
  ["the kind is not served", status(404, { reason: "NotFound", message: "the server could not find it", details: {} })],
  ["a proxy knows no such path", (response) => void response.writeHead(404).end("404 page not found")],
  ["the server fails", status(500, { reason: "InternalError" })],
  ["it is not allowed to look", status(403, { reason: "Forbidden", details: { name: "x" } })],
  ["the connection breaks", (response) => void response.socket?.destroy()],
])("when %s, nothing is known", async (_, answer) => {
  const api = await apiThatAnswers(answer);
  await expect(api.get(MAPS, OBJECT)).rejects.toThrow();
  await expect(api.remove(MAPS, OBJECT, "Background")).rejects.toThrow();
});

test("while a group cannot be looked into, it is not known who belongs to an owner", async () => {
  const items = [{ metadata: { name: "metrics.k8s.io" }, versions: [{ version: "v1", freshness: "Stale" }] }];
  const api = await apiThatAnswers((response) => {
    response.end(JSON.stringify({ kind: "APIGroupDiscoveryList", items }));
  });
  await expect(api.dependentsOf(owner)).rejects.toThrow("nothing is known of metrics.k8s.io/v1");
});

test("a server that does not say which kinds it has says nothing about dependents", async () => {
  const api = await apiThatAnswers((response) => response.end('{"kind":"APIGroupList"}'));
  await expect(api.dependentsOf(owner)).rejects.toThrow("does not speak apidiscovery.k8s.io/v2");
});
