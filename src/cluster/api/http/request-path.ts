/**
 * What a path asks for. The API has one regular shape:
 *
 *     /api/v1                                             a group and version (core)
 *     /apis/GROUP/VERSION                                 a group and version
 *     …/RESOURCE[/NAME[/SUBRESOURCE]]                     cluster-wide, or a namespaced collection in all namespaces
 *     …/namespaces/NS/RESOURCE[/NAME[/SUBRESOURCE]]       in one namespace
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
  const [root, ...rest] = segments;
  if (root === "api") {
    const [version, ...object] = rest;
    if (version === undefined) return { kind: "groups", root };
    return object.length === 0 ? { kind: "version", group: "", version } : readObject("", version, object);
  }
  if (root === "apis") {
    const [group, version, ...object] = rest;
    if (group === undefined) return { kind: "groups", root };
    if (version === undefined) return { kind: "group", group };
    return object.length === 0 ? { kind: "version", group, version } : readObject(group, version, object);
  }
  return { kind: "other", path: `/${segments.join("/")}` };
}

function readObject(group: string, version: string, segments: readonly string[]): RequestPath | undefined {
  const [first = "", second, ...others] = segments;
  // `/namespaces/x`, `/namespaces/x/status` and `/namespaces/x/finalize` are about the namespace itself.
  const inNamespace = first === "namespaces" && second !== undefined && others.length > 0 && !isOfNamespace(others);
  const [resource = "", name, subresource, ...more] = inNamespace ? others : segments;
  if (more.length > 0) return undefined;
  return {
    kind: "resource",
    group,
    version,
    namespace: inNamespace ? second : undefined,
    resource,
    name,
    subresource,
  };
}

function isOfNamespace(segments: readonly string[]): boolean {
  return segments.length === 1 && (segments[0] === "status" || segments[0] === "finalize");
}

/** The decoded segments; one slash at the end is forgiven, as Kubernetes does. */
function decode(path: string): string[] | undefined {
  const segments: string[] = [];
  const parts = path.split("/").slice(1);
  if (parts.at(-1) === "") parts.pop();
  for (const part of parts) {
    let segment: string;
    try {
      segment = decodeURIComponent(part);
    } catch {
      return undefined;
    }
    if (segment === "" || segment === "." || segment === ".." || /[/%\0]/.test(segment)) return undefined;
    segments.push(segment);
  }
  return segments;
}
