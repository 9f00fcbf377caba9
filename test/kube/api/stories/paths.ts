/** Paths, methods and bodies that lead nowhere, each with an answer that says so. */
import { story } from "../story.ts";

export const PATHS = [
  story("paths that lead nowhere", async ({ tell, ns }) => {
    for (const path of [
      "/nonsense",
      "/api/v2",
      "/api/v1/nonsense",
      "/apis/none.example.com",
      "/apis/none.example.com/v1",
      "/apis/none.example.com/v1/things",
      "/apis/apps/v2/statefulsets",
      "/api/v1/pods/lost",
      `/api/v1/namespaces/${ns}/nodes`,
      `/api/v1/namespaces/${ns}/configmaps/none/status`,
      `/api/v1/namespaces/${ns}/configmaps/none/nonsense`,
      `/api/v1/namespaces/${ns}/pods/none/log`,
      "/api/v1/namespaces/none",
      "/api/v1/namespaces/none/pods",
      "/api/v1/nodes/none",
    ]) {
      await tell(path.replace(ns, "NS"), { path });
    }
  }),
  story("methods that are not there", async ({ tell, ns }) => {
    const maps = `/api/v1/namespaces/${ns}/configmaps`;
    await tell("POST to an object", { method: "POST", path: `${maps}/x`, body: {} });
    await tell("PUT to a collection", { method: "PUT", path: maps, body: {} });
    await tell("PATCH of a collection", { method: "PATCH", path: maps, type: "merge", body: {} });
    await tell("POST over all namespaces", { method: "POST", path: "/api/v1/configmaps", body: {} });
    await tell("DELETE of all namespaces", { method: "DELETE", path: "/api/v1/namespaces" });
  }),
  story("bodies that make no sense", async ({ tell, ns }) => {
    const path = `/api/v1/namespaces/${ns}/configmaps`;
    const send = (title: string, body: string | object, type?: string) =>
      tell(title, { method: "POST", path, body, ...(type === undefined ? {} : { type }) });
    await send("nothing", "");
    await send("half", '{"metadata":');
    await send("a list", "[]");
    await send("null", "null");
    await send("another kind", { apiVersion: "v1", kind: "Secret", metadata: { name: "x" } });
    await send("another version", { apiVersion: "v2", kind: "ConfigMap", metadata: { name: "x" } });
    await send("a number for a text", { metadata: { name: "x" }, data: { a: 1 } });
    await send("a text for an object", { metadata: "x" });
    await send("an unknown field", { metadata: { name: "warned" }, surprise: true });
    await send("twice the same", '{"metadata":{"name":"twice"},"data":{"a":"1","a":"2"}}');
    await send("some other type", "x", "text/plain");
    await send("YAML", "metadata:\n  name: yaml\ndata:\n  a: '1'\n", "application/yaml");
    await send("bad YAML", "a: b: c", "application/yaml");
    await send("nonsense as protobuf", "nonsense", "application/vnd.kubernetes.protobuf");
    await tell("strictly", {
      method: "POST",
      path: `${path}?fieldValidation=Strict`,
      body: { metadata: { name: "s" }, a: 1, b: 2 },
    });
    await tell("without a word", {
      method: "POST",
      path: `${path}?fieldValidation=Ignore`,
      body: { metadata: { name: "i" }, a: 1 },
    });
  }),
  story("no token, wrong token", async ({ tell }) => {
    await tell("wrong", { path: "/api/v1/namespaces", token: "wrong" });
  }),
];
