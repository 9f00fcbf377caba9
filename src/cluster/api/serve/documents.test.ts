import { expect, test } from "vitest";
import { createCatalog } from "../catalog/catalog.ts";
import { readPath } from "../http/request-path.ts";
import type { Document } from "./api-server.ts";
import { createDocuments } from "./documents.ts";

const AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

const documents = createDocuments({
  catalog: createCatalog(),
  clock: { now: () => Date.UTC(2026, 0, 1) },
  address: () => "127.0.0.1:6443",
  metrics: async () => ({ text: "", contentType: "text/plain" }),
  more: { "/keys": { contentType: "application/json", content: () => ({}), cacheControl: "public, max-age=3600" } },
});

async function ask(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Document> {
  const [path = "", query = ""] = url.split("?");
  const read = readPath(path);
  const document = read && (await documents(read, { path, query: new URLSearchParams(query) }, headers));
  if (document === undefined) throw new Error(`there is nothing at ${url}`);
  return document;
}

async function urlOf(version: string): Promise<string> {
  const { text } = await ask("/openapi/v3");
  const { paths } = JSON.parse(String(text)) as { paths: Record<string, { serverRelativeURL: string }> };
  return paths[version]?.serverRelativeURL ?? "";
}

test("schemas by their hash are kept for ever, and are tagged with it", async () => {
  const url = await urlOf("apis/apps/v1");
  const { headers } = await ask(url);
  expect(headers).toMatchObject({
    "cache-control": "public, immutable",
    expires: "Fri, 01 Jan 2027 00:00:00 GMT",
    etag: `"${url.split("hash=")[1]}"`,
  });
});

test("by another hash, one is sent to what is there now", async () => {
  const { code, text, headers } = await ask("/openapi/v3/apis/apps/v1?hash=OLD");
  expect({ code, text, location: headers?.["location"] }).toEqual({
    code: 301,
    text: "",
    location: await urlOf("apis/apps/v1"),
  });
});

test("without a hash they are asked for again each time", async () => {
  expect((await ask("/openapi/v3/apis/apps/v1")).headers).not.toHaveProperty("cache-control");
});

test.each([
  ["/openapi/v3/api/v1", {}],
  ["/api", { accept: AGGREGATED }],
  ["/version", {}],
])("who has %s is told so, and nothing else", async (url, headers) => {
  const { headers: first } = await ask(url, headers);
  const etag = first?.["etag"] ?? "";
  for (const known of [etag, `"other", W/${etag}`, "*"]) {
    expect(await ask(url, { ...headers, "if-none-match": known })).toMatchObject({ code: 304, text: "" });
  }
  expect((await ask(url, { ...headers, "if-none-match": '"other"' })).code).toBeUndefined();
});

test("each says for how long it may be kept", async () => {
  expect((await ask("/apis", { accept: AGGREGATED })).headers).toMatchObject({ "cache-control": "public" });
  expect((await ask("/keys")).headers).toMatchObject({ "cache-control": "public, max-age=3600" });
});
