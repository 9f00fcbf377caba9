/** The calls of the controller by what they are for, from what passes the proxy. */
import { RESTART_FINALIZER } from "../../../src/statefulset/decide/restart-step.ts";
import { RECREATE_FINALIZER } from "../../../src/statefulset/decide/saved-set.ts";
import type { ProxiedRequest } from "../api-proxy.ts";

/** What a write is for, in their order: in the words of recreate-step.ts, where it is one of a re-creation. */
export const WRITES = [
  "create record",
  "ask claim",
  "tell progress",
  "try edit",
  "prepare",
  "untie claim",
  "try create",
  "guard",
  "save",
  "delete",
  "release",
  "create",
  "hand back",
  "clear",
  "unguard",
  "restore",
] as const;
export type Write = (typeof WRITES)[number] | (typeof WRITES_WITH_EDITS)[number];

/** The same, where the API server takes another size in a template. */
export const WRITES_WITH_EDITS = [
  "create record",
  "ask claim",
  "tell progress",
  "try edit",
  "patch template",
  "hand back",
] as const;

/**
 * Writes that are not always needed: the garbage collector may have let go of a pod before, the wish is the same, no pod has
 * to make room, or no custom resource wants to hear of it.
 */
export const OCCASIONAL = [
  "untie pod",
  "untie revision",
  "note wish",
  "forget wish",
  "try eviction",
  "hold pod",
  "evict",
  "let pod go",
  "report",
] as const;
type Occasional = (typeof OCCASIONAL)[number];

interface Body {
  readonly metadata?: {
    readonly finalizers?: readonly string[] | null;
    readonly managedFields?: unknown;
    readonly ownerReferences?: unknown;
    readonly annotations?: Readonly<Record<string, unknown>>;
    readonly deletionTimestamp?: unknown;
  };
  readonly spec?: object;
  readonly status?: { readonly savedStatefulSet?: object | null };
  readonly propagationPolicy?: string;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

/**
 * What a call is for; a read by its kind, as in `GET statefulsets`. Undefined for what has nothing to do with a growth:
 * watches, events, leases, discovery. A write that nobody thought of comes out as `PATCH statefulsets ...` with its body.
 */
export function nameOf(request: ProxiedRequest): string | undefined {
  const { method, path, isWatch, query, body } = request;
  const [, kind = "", name = "", subresource = ""] =
    /\/namespaces\/[^/]+\/([a-z]+)(?:\/([^/]+))?(?:\/([^/]+))?$/.exec(path) ?? [];
  if (isWatch || kind === "" || kind === "events" || kind === "leases") return undefined;
  if (method === "GET") return `GET ${kind}${name === "" ? " list" : ""}`;
  const isTrial = query.has("dryRun");
  const content = body === "" ? {} : (JSON.parse(body) as Body);
  return writeName(method, kind, subresource, isTrial, content) ?? `${method} ${kind}/${subresource} ${body}`;
}

function writeName(
  method: string,
  kind: string,
  subresource: string,
  isTrial: boolean,
  body: Body,
): Write | Occasional | undefined {
  switch (`${method} ${kind}`) {
    case "POST volumeexpansions":
      return "create record";
    case "PATCH volumeexpansions":
      return recordWrite(subresource, body);
    case "PATCH persistentvolumeclaims":
      return body.metadata?.ownerReferences === undefined ? "ask claim" : "untie claim";
    case "PATCH pods":
      if (body.metadata?.finalizers === undefined) return "untie pod";
      return body.metadata.finalizers?.includes(RESTART_FINALIZER) === true ? "hold pod" : "let pod go";
    case "POST pods":
      return isTrial ? "try eviction" : "evict";
    case "PATCH controllerrevisions":
      return "untie revision";
    case "POST statefulsets":
      return isTrial ? "try create" : "create";
    case "DELETE statefulsets":
      return isSafe(body) ? "delete" : undefined;
    case "PATCH statefulsets":
      return isTrial ? "try edit" : setWrite(body);
    default:
      return method === "PATCH" && subresource === "status" ? "report" : undefined;
  }
}

/** A deletion that leaves the pods alone, and that is of this very set as it was seen; the default is neither. */
function isSafe({ propagationPolicy, preconditions: { uid, resourceVersion } = {} }: Body): boolean {
  return propagationPolicy === "Orphan" && uid !== undefined && resourceVersion !== undefined;
}

function recordWrite(subresource: string, { metadata, status }: Body): Write | Occasional {
  if (subresource === "status") {
    const { savedStatefulSet } = status ?? {};
    return savedStatefulSet === undefined ? "tell progress" : savedStatefulSet === null ? "clear" : "save";
  }
  if (metadata?.finalizers === undefined) return "note wish";
  return (metadata.finalizers ?? []).length > 0 ? "guard" : "unguard";
}

function setWrite({ metadata = {}, spec }: Body): Write | Occasional | undefined {
  if (metadata.managedFields !== undefined) return "hand back";
  if (spec !== undefined && "volumeClaimTemplates" in spec) return "patch template";
  if (metadata.finalizers?.includes(RECREATE_FINALIZER) === true) return "prepare";
  // Together with the policy, which a set gets back with everything else.
  if (metadata.finalizers !== undefined) return spec === undefined ? "release" : "restore";
  return metadata.annotations === undefined || spec !== undefined ? undefined : "forget wish";
}
