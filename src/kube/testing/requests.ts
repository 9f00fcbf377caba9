/** What the simulated API server reads from requests: paths, selectors, patches. */
import type { KubeObject } from "../../core/types.ts";

export interface Route {
  readonly plural: string;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
}

const PATH =
  /^\/(?:api|apis\/[^/]+)\/[^/]+(?:\/namespaces\/(?<namespace>[^/]+))?\/(?<plural>[^/]+)(?:\/(?<name>[^/]+))?(?:\/[^/]+)?$/;

export function readPath(path: string): Route | undefined {
  const { plural, namespace, name } = PATH.exec(path)?.groups ?? {};
  return plural === undefined ? undefined : { plural, namespace, name };
}

/** Labels by equality, and one field by equality. */
export function matchesSelectors(object: KubeObject, route: Route, query: URLSearchParams): boolean {
  const { metadata } = object;
  if (route.namespace !== undefined && metadata.namespace !== route.namespace) return false;
  for (const term of (query.get("labelSelector") ?? "").split(",").filter(Boolean)) {
    const [label = "", value] = term.split("=");
    if (metadata.labels?.[label] !== value) return false;
  }
  const [path = "", wanted] = query.get("fieldSelector")?.split("=") ?? [];
  return wanted === undefined || fieldAt(object, path) === wanted;
}

function fieldAt(object: object, path: string): unknown {
  const step = (found: unknown, name: string): unknown => (found as Record<string, unknown> | undefined)?.[name];
  return path.split(".").reduce<unknown>(step, object);
}

/** RFC 7386. */
export function applyMergePatch(target: unknown, patch: unknown): unknown {
  if (typeof patch !== "object" || patch === null || Array.isArray(patch)) return patch;
  const result: Record<string, unknown> =
    typeof target === "object" && target !== null && !Array.isArray(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = applyMergePatch(result[key], value);
  }
  return result;
}

export function statusBody(code: number, reason: string, message: string, details?: object): object {
  return { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message, reason, code, details };
}
