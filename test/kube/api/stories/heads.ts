/** How answers are headed, and requests that ask for nothing but that. */
import type { Head, Request } from "../server.ts";
import { type Stage, story } from "../story.ts";

const maps = ({ ns }: Stage): string => `/api/v1/namespaces/${ns}/configmaps`;
const HEALTH = ["/healthz", "/livez", "/readyz", "/livez/ping", "/healthz/nonsense"];
const DOCUMENTS = ["/", "/version", "/api", "/apis", "/api/v1", "/apis/apps", "/apis/apps/v1", "/openapi/v3"];
const AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
const ID = "11111111-2222-4333-8444-555555555555";

/** What of a head two servers can agree on; a uid is a uid. */
async function headed({ server, note }: Stage, title: string, request: Request): Promise<void> {
  const { status, headers, length } = await server.head(request);
  note(title, { status, ...shown(headers), body: length > 0 });
}

function shown(headers: Head["headers"]): object {
  const {
    "cache-control": cache,
    "content-type": type,
    "audit-id": audit,
    "x-content-type-options": options,
    "retry-after": retry,
  } = headers;
  return { cache, type, audit, options, retry };
}

function withoutHash(location: Head["headers"][string]): string | undefined {
  return location === undefined ? undefined : String(location).replace(/=[0-9A-F]{128}$/, "=HASH");
}

async function one(stage: Stage): Promise<void> {
  await stage.quietly({ method: "POST", path: maps(stage), body: { metadata: { name: "a" } } });
}

export const HEADS = [
  story("heads of answers", async (stage) => {
    const path = maps(stage);
    await headed(stage, "created", { method: "POST", path, body: { metadata: { name: "a" } } });
    await headed(stage, "read", { path: `${path}/a` });
    await headed(stage, "listed", { path });
    await headed(stage, "watched", { path: `${path}?watch=true&timeoutSeconds=1` });
    await headed(stage, "not there", { path: `${path}/none` });
    await headed(stage, "nowhere", { path: "/api/v1/nonsense" });
    await headed(stage, "not known", { path, token: "wrong" });
    await headed(stage, "not allowed", { method: "PUT", path, body: {} });
    await headed(stage, "forbidden", { path, headers: { "impersonate-user": "nobody" } });
    await headed(stage, "still to come", {
      path: `${path}?resourceVersion=999999999999&resourceVersionMatch=NotOlderThan`,
    });
    for (const each of [...HEALTH, ...DOCUMENTS]) await headed(stage, each, { path: each });
  }),
  story("requests with a name", async (stage) => {
    await one(stage);
    const heads = [
      await stage.server.head({ path: `${maps(stage)}/a`, headers: { "audit-id": ID } }),
      await stage.server.head({ path: `${maps(stage)}/none`, headers: { "audit-id": "mine" } }),
      await stage.server.head({
        path: `${maps(stage)}?watch=true&timeoutSeconds=1`,
        headers: { "audit-id": "a watch" },
      }),
    ];
    // As they are: what is a uid must be the same one.
    stage.note(
      "theirs",
      heads.map(({ headers }) => headers["audit-id"] === ID || headers["audit-id"]),
    );
  }),
  story("heads alone", async (stage) => {
    await one(stage);
    const paths = [maps(stage), `${maps(stage)}/a`, `${maps(stage)}/none`, "/api/v1/nonsense"];
    for (const path of [...paths, ...HEALTH, ...DOCUMENTS]) {
      await headed(stage, path.replace(stage.ns, "NS"), { method: "HEAD", path });
    }
  }),
  story("documents that a client may keep", async ({ server, quietly, note }) => {
    const kept = async (title: string, request: Request): Promise<string> => {
      const { status, headers, length } = await server.head(request);
      const { "cache-control": cache, "content-length": told, etag, expires, location } = headers;
      const named = { tagged: etag !== undefined, ends: expires !== undefined, location: withoutHash(location) };
      note(title, { status, cache, ...named, told: told !== undefined && status === 304, body: length > 0 });
      return String(etag);
    };
    const once = async (title: string, request: Request): Promise<void> => {
      const etag = await kept(title, request);
      await kept(`${title}, again`, { ...request, headers: { "if-none-match": etag } });
      await kept(`${title}, of old`, { ...request, headers: { "if-none-match": '"x"' } });
    };
    for (const path of ["/api", "/apis"]) await once(path, { path, accept: AGGREGATED });
    const index = await quietly({ path: "/openapi/v3" });
    const { paths } = index.body as { paths: Record<string, { serverRelativeURL: string }> };
    for (const version of ["api/v1", "apis/apps/v1"]) {
      const path = paths[version]?.serverRelativeURL ?? "";
      await once(version, { path });
      const { headers } = await server.head({ path });
      note(`${version} is tagged with its hash`, path.endsWith(`?hash=${String(headers["etag"]).slice(1, -1)}`));
      await kept(`${version}, by another hash`, { path: `/openapi/v3/${version}?hash=ABC` });
      await once(`${version}, by none`, { path: `/openapi/v3/${version}` });
    }
    for (const path of ["/.well-known/openid-configuration", "/openid/v1/jwks"]) {
      note(path, (await server.head({ path })).headers["cache-control"]);
    }
  }),
  story("documents that are written to", async (stage) => {
    for (const path of [...HEALTH, ...DOCUMENTS]) {
      await headed(stage, path, { method: "POST", path, body: {} });
      await headed(stage, `DELETE ${path}`, { method: "DELETE", path });
    }
    for (const path of ["/version", "/readyz", "/api/v1"]) {
      await stage.tell(`PUT ${path}`, { method: "PUT", path, body: {} });
      await stage.tell(`PATCH ${path}`, { method: "PATCH", path, type: "merge", body: {} });
    }
  }),
];
