/**
 * What a path asks for. The API has one regular shape:
 *
 *     /api/v1                                             a group and version (core)
 *     /apis/GROUP/VERSION                                 a group and version
 *     …/RESOURCE[/NAME[/SUBRESOURCE]]                     cluster-wide, or a namespaced collection in all namespaces
 *     …/namespaces/NS/RESOURCE[/NAME[/SUBRESOURCE]]       in one namespace
 *     …/watch/…                                           the same, watched: how it was done before there was `?watch=true`
 *     …/NAME/proxy/…                                      what is behind an object
 */

export type RequestPath =
  /** `/api`, `/apis`, `/apis/GROUP` */
  | { readonly kind: "groups"; readonly root: "api" | "apis" }
  | { readonly kind: "group"; readonly group: string }
  | { readonly kind: "version"; readonly group: string; readonly version: string }
  | {
      readonly kind: "resource";
      readonly group: string;
      readonly version: string;
      /** Undefined: cluster-wide, or all namespaces. */
      readonly namespace: string | undefined;
      readonly resource: string;
      /** Undefined: the collection. */
      readonly name: string | undefined;
      readonly subresource: string | undefined;
      /** The path itself asks for a watch. */
      readonly isWatch: boolean;
    }
  /** Not the API of objects: `/version`, `/openapi/v3/…`, `/healthz`. */
  | { readonly kind: "other"; readonly path: string };

/**
 * Undefined for a path that can mean nothing: an empty or a dotted segment, a bad escape, or more segments than any object
 * has. Names are decoded; a name that holds a slash once decoded is refused, so that no name can pass for another path.
 */
export function readPath(path: string): RequestPath | undefined {
  const segments = decode(path);
  if (segments === undefined) return undefined;
  const [root, first, second] = segments;
  if (root === "api") {
    if (first === undefined) return { kind: "groups", root };
    return second === undefined ? { kind: "version", group: "", version: first } : readObject("", first, segments, 2);
  }
  if (root === "apis") {
    if (first === undefined) return { kind: "groups", root };
    if (second === undefined) return { kind: "group", group: first };
    if (segments.length === 3) return { kind: "version", group: first, version: second };
    return readObject(first, second, segments, 3);
  }
  return { kind: "other", path: `/${segments.join("/")}` };
}

/** `end`: where the version ends. */
function readObject(group: string, version: string, segments: readonly string[], end: number): RequestPath | undefined {
  const isWatch = segments[end] === "watch" && segments.length > end + 1;
  const from = isWatch ? end + 1 : end;
  const inNamespace = segments[from] === "namespaces" && segments.length > from + 2 && !isOfNamespace(segments, from);
  const at = inNamespace ? from + 2 : from;
  // What follows a proxy is for whoever is behind it.
  if (segments.length > at + 3 && segments[at + 2] !== "proxy") return undefined;
  return {
    kind: "resource",
    group,
    version,
    namespace: inNamespace ? segments[from + 1] : undefined,
    resource: segments[at] ?? "",
    name: segments[at + 1],
    subresource: segments[at + 2],
    isWatch,
  };
}

/** `/namespaces/x`, `/namespaces/x/status` and `/namespaces/x/finalize` are about the namespace itself. */
function isOfNamespace(segments: readonly string[], from: number): boolean {
  const part = segments[from + 2];
  return segments.length === from + 3 && (part === "status" || part === "finalize");
}

/** The decoded segments; one slash at the end is forgiven, as Kubernetes does. */
function decode(path: string): string[] | undefined {
  const end = path.length > 1 && path.endsWith("/") ? -1 : undefined;
  const parts = path === "/" ? [] : path.slice(1, end).split("/");
  const segments = path.includes("%") ? unescaped(parts) : parts;
  return segments?.every(isSegment) ? segments : undefined;
}

/** Undefined for a bad escape. */
function unescaped(parts: readonly string[]): string[] | undefined {
  try {
    return parts.map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

function isSegment(text: string): boolean {
  return text !== "" && text !== "." && text !== ".." && !/[/%\0]/.test(text);
}
