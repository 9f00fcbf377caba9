/** What an HTTP request attempts: which verb, on what; which is also what roles allow or refuse. */
import type { Attempt } from "../auth/rbac.ts";
import type { Verb } from "../handlers/dispatch.ts";
import type { RequestPath } from "../http/request-path.ts";

type ResourcePath = Extract<RequestPath, { kind: "resource" }>;

/** The verb of a request for objects; undefined for a method that the API does not know. */
export function verbOf(method: string, path: ResourcePath, query: URLSearchParams): Verb | undefined {
  const collection = path.name === undefined;
  if (path.isWatch) return method === "GET" && path.subresource === undefined ? "watch" : undefined;
  switch (method) {
    case "GET":
    case "HEAD":
      if (isWatch(query) && collection) return "watch";
      return collection ? "list" : "get";
    case "POST":
      return "create";
    case "PUT":
      return "update";
    case "PATCH":
      return "patch";
    case "DELETE":
      return collection ? "deletecollection" : "delete";
    default:
      return undefined;
  }
}

/** What goes on until somebody ends it: no time is set for it. */
const LONG_RUNNING: ReadonlySet<string> = new Set(["attach", "exec", "log", "portforward", "proxy"]);

export function isLongRunning(method: string, path: RequestPath, query: URLSearchParams): boolean {
  if (path.kind !== "resource") return false;
  return LONG_RUNNING.has(path.subresource ?? "") || verbOf(method, path, query) === "watch";
}

function isWatch(query: URLSearchParams): boolean {
  const text = query.get("watch");
  return text !== null && !["0", "f", "F", "false", "FALSE", "False"].includes(text);
}

/** As roles see it. */
export function attemptOf(method: string, path: RequestPath, query: URLSearchParams, url: string): Attempt {
  if (path.kind !== "resource") return { verb: method.toLowerCase(), path: url };
  const verb = verbOf(method, path, query) ?? method.toLowerCase();
  const { resource, subresource, group, namespace, name } = path;
  return {
    verb,
    group,
    // The namespace itself is an object in its own namespace, as roles see it.
    namespace: group === "" && resource === "namespaces" ? name : namespace,
    resource: subresource === undefined ? resource : `${resource}/${subresource}`,
    name: name ?? exactName(query, verb),
  };
}

/** A list or watch of one object by its name needs no more than the right to that object. */
function exactName(query: URLSearchParams, verb: string): string | undefined {
  if (verb !== "list" && verb !== "watch" && verb !== "deletecollection") return undefined;
  return /(?:^|,)metadata\.name==?([^,]+)(?:,|$)/.exec(query.get("fieldSelector") ?? "")?.[1];
}
