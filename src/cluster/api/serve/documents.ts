/** What the server tells about itself: the resources that it has, their schemas, its version, and whether it is well. */
import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Clock } from "../../../core/clock.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { aggregatedDiscovery, coreVersions, groupDocument, groupList, resourceList } from "../discovery/discovery.ts";
import { writerFor } from "../encode/choose.ts";
import { JSON_WRITER, PRETTY_WRITER, type Writer } from "../encode/writer.ts";
import { chooseAnswer, takesAny } from "../http/media-type.ts";
import type { RequestPath } from "../http/request-path.ts";
import { notAcceptable } from "../http/status.ts";
import { openApiDocument, openApiIndex, openApiVersionTwo, versionDocument } from "../openapi/index.ts";
import type { Document, Documents, RequestUrl } from "./api-server.ts";

const VERSION = String((versionDocument() as { gitVersion?: string }).gitVersion);
const JSON_TYPE = "application/json";
const AGGREGATED = ";g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

export interface DocumentsOptions {
  readonly catalog: Catalog;
  readonly clock: Clock;
  /** `127.0.0.1:6443`, as clients reach it. */
  readonly address: () => string;
  /** The text of /metrics. */
  readonly metrics: () => Promise<{ readonly text: string; readonly contentType: string }>;
  /** More documents by their path: keys for tokens, and such. */
  readonly more?: Readonly<Record<string, MoreDocument>>;
}

export interface MoreDocument {
  readonly contentType: string;
  /** As JSON. */
  readonly content: () => object;
  /** Who may keep it, and for how long. @default nobody, without asking again */
  readonly cacheControl?: string;
}

export function createDocuments({ catalog, clock, address, metrics, more = {} }: DocumentsOptions): Documents {
  /** Good for as long as the catalog stays. */
  const made = new Map<string, Document>();
  let generation = -1;
  function once(
    what: string,
    make: () => object | undefined,
    contentType = JSON_TYPE,
    writer: Writer = JSON_WRITER,
  ): Document | undefined {
    const key = `${what} ${writer.name}`;
    if (generation !== catalog.generation) made.clear();
    generation = catalog.generation;
    const known = made.get(key);
    if (known !== undefined) return known;
    const content = make();
    if (content === undefined) return undefined;
    const json = JSON.stringify(content);
    const text = writer.object(json);
    // Of schemas this is also the hash in their URL.
    const tagged = writer === JSON_WRITER ? json : text;
    const etag = `"${createHash("sha512").update(tagged).digest("hex").toUpperCase()}"`;
    const document = { text, contentType, headers: { etag, vary: "Accept" } };
    made.set(key, document);
    return document;
  }

  /** What of discovery there is, as the client would have it. */
  function discovered(
    path: Extract<RequestPath, { kind: "groups" | "group" | "version" }>,
    { query }: RequestUrl,
    { accept, "user-agent": userAgent = "" }: IncomingHttpHeaders,
  ): Document | undefined {
    const choice = chooseAnswer(accept, path.kind === "groups" ? ["aggregated-discovery"] : []);
    if (choice === undefined) throw notAcceptable("object", takesAny(accept ?? ""));
    const writer = writerFor(choice, query, userAgent);
    const type = writer.contentType ?? JSON_TYPE;
    const say = (what: string, make: () => object | undefined) => once(what, make, type, writer);
    switch (path.kind) {
      case "groups": {
        const { root } = path;
        if (choice.form === "aggregated-discovery") {
          const make = () => aggregatedDiscovery(catalog.kinds(), root);
          return withHeaders(once(`${root} aggregated`, make, type + AGGREGATED, writer), {
            "cache-control": "public",
          });
        }
        const document = say(root, () => (root === "api" ? coreVersions(address()) : groupList(catalog.kinds())));
        return root === "api" ? onlyGet(document) : document;
      }
      case "group":
        return say(`group ${path.group}`, () => groupDocument(catalog.kinds(), path.group));
      case "version":
        return onlyGet(
          say(`version ${path.group} ${path.version}`, () => resourceList(catalog.kinds(), path.group, path.version)),
        );
    }
  }

  return (path, url, headers) => {
    switch (path.kind) {
      case "groups":
      case "group":
      case "version":
        return unlessKnown(discovered(path, url, headers), headers);
      case "resource":
        return undefined;
      case "other": {
        if (path.path === "/metrics") return metrics();
        return unlessKnown(other(path.path, url.query, headers.accept), headers);
      }
    }
  };

  function other(path: string, query: URLSearchParams, accept: string | undefined): Document | undefined {
    const health = /^\/(healthz|livez|readyz)(\/(?:ping|store))?$/.exec(path);
    if (health !== null) return health[2] === undefined ? healthDocument(health[1] ?? "", query) : HEALTHY;
    switch (path) {
      case "/":
        return once("/", () => ({ paths: rootPaths(catalog, Object.keys(more)) }), JSON_TYPE, PRETTY_WRITER);
      case "/version":
        return onlyGet(once("/version", versionDocument, JSON_TYPE, PRETTY_WRITER));
      case "/openapi/v2": {
        const { contentType, body } = openApiVersionTwo(accept, VERSION);
        return { text: body, contentType, headers: { vary: "Accept" } };
      }
      case "/openapi/v3":
        return once(path, () => openApiIndex(catalog));
      default:
        return schemas(path, query) ?? anotherAt(path);
    }
  }

  function anotherAt(path: string): Document | undefined {
    const another = Object.hasOwn(more, path) ? more[path] : undefined;
    if (another === undefined) return undefined;
    const document = onlyGet(once(path, another.content, another.contentType));
    return withHeaders(document, another.cacheControl === undefined ? {} : { "cache-control": another.cacheControl });
  }

  /** With the hash of what is there now, a client may keep it and never ask again; with another, it is sent to that. */
  function schemas(path: string, query: URLSearchParams): Document | undefined {
    const found = /^\/openapi\/v3\/(?:api|apis\/([^/]+))\/([^/]+)$/.exec(path);
    if (found === null) return undefined;
    const [, group = "", version = ""] = found;
    const document = once(path, () => openApiDocument(catalog, group, version));
    const hash = query.get("hash") ?? "";
    if (document === undefined || hash === "") return document;
    const now = document.headers?.["etag"]?.slice(1, -1) ?? "";
    if (hash !== now) {
      return withHeaders({ ...document, code: 301, text: "" }, { location: `${path}?hash=${now}` });
    }
    const expires = new Date(clock.now() + YEAR_MS).toUTCString();
    return withHeaders(document, { "cache-control": "public, immutable", expires });
  }
}

const YEAR_MS = 365 * 24 * 3_600_000;

function withHeaders(document: Document | undefined, headers: Readonly<Record<string, string>>): Document | undefined {
  return document === undefined ? undefined : { ...document, headers: { ...document.headers, ...headers } };
}

/** 304 for a client that has it, and says so by the tag that it came with. */
function unlessKnown(document: Document | undefined, headers: IncomingHttpHeaders): Document | undefined {
  const etag = document?.code === undefined ? document?.headers?.["etag"] : undefined;
  const tags = headers["if-none-match"]?.split(",").map((tag) => tag.trim().replace(/^W\//, "")) ?? [];
  if (document === undefined || etag === undefined || !(tags.includes(etag) || tags.includes("*"))) return document;
  return { ...document, code: 304, text: "" };
}

function onlyGet(document: Document | undefined): Document | undefined {
  return document === undefined ? undefined : { ...document, getOnly: true };
}

const PLAIN_TEXT = "text/plain; charset=utf-8";

/** Of one part. */
const HEALTHY: Document = { text: "ok", contentType: PLAIN_TEXT };

/** This server is well whenever it can say so: what it needs is in the same process. */
function healthDocument(name: string, query: URLSearchParams): Document {
  const text = query.has("verbose") ? `[+]ping ok\n[+]store ok\n${name} check passed\n` : "ok";
  const headers = { "x-content-type-options": "nosniff", "cache-control": "no-cache, private" };
  return { text, contentType: PLAIN_TEXT, headers };
}

function rootPaths(catalog: Catalog, more: readonly string[]): string[] {
  const versions = catalog
    .kinds()
    .flatMap(({ group, version }) => (group === "" ? [] : [`/apis/${group}`, `/apis/${group}/${version}`]));
  const fixed = [
    "/api",
    "/api/v1",
    "/apis",
    "/healthz",
    "/livez",
    "/metrics",
    "/openapi/v2",
    "/openapi/v3",
    "/readyz",
    "/version",
  ];
  return [...new Set([...fixed, ...versions, ...more])].sort();
}
