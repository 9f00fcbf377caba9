/** How answers are headed, and requests that ask for nothing but that. */
import type { Head, Request } from "../server.ts";
import { type Stage, story } from "../story.ts";

const maps = ({ ns }: Stage): string => `/api/v1/namespaces/${ns}/configmaps`;
const HEALTH = ["/healthz", "/livez", "/readyz", "/livez/ping", "/healthz/nonsense"];
const DOCUMENTS = ["/", "/version", "/api", "/apis", "/api/v1", "/apis/apps", "/apis/apps/v1", "/openapi/v3"];
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
  } = headers;
  return { cache, type, audit, options };
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
