/** Which requests a webhook is called for (upstream admission/plugin/webhook/{generic,predicates}). */
import type { AdmissionRequest } from "../admission/plugin.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { get, isObject, type JsonObject } from "../json.ts";
import type { Kind } from "../kinds/kind.ts";
import { metadataOf } from "../lifecycle/metadata.ts";
import type { ObjectStore } from "../objects/object-store.ts";
import type { Hook, HookRule } from "./hook.ts";
import { WEBHOOK_GROUP } from "./hook-list.ts";

/** What selectors look up beside the request itself. */
export interface Matching {
  readonly objects: ObjectStore;
  readonly catalog: Catalog;
}

type Described = Pick<AdmissionRequest, "operation" | "resource" | "subresource" | "namespace">;

/** No webhook is asked about what registers webhooks and policies: a wrong one could not be taken away again. */
export function isExempt({ kind: { group, kind } }: AdmissionRequest["resource"]): boolean {
  return group === WEBHOOK_GROUP && EXEMPT.test(kind);
}
const EXEMPT = /^(?:(?:Mutating|Validating)WebhookConfiguration|(?:Mutating|Validating)AdmissionPolicy(?:Binding)?)$/;

/**
 * The kind in whose version the webhook wants to see the request; undefined when it is not to be called. Throws 404 when a
 * selector asks for a namespace that is not there.
 */
export function matchHook(hook: Hook, request: AdmissionRequest, matching: Matching): Kind | undefined {
  const kind = matchRules(hook, request, matching.catalog);
  if (kind === undefined || !inNamespaces(hook, request, matching)) return undefined;
  return isSelected(hook, request.object) || isSelected(hook, request.old) ? kind : undefined;
}

function matchRules(hook: Hook, request: Described, catalog: Catalog): Kind | undefined {
  const { kind } = request.resource;
  if (hook.rules.some((rule) => matchesRule(rule, kind, request))) return kind;
  if (!hook.equivalent) return undefined;
  const others = catalog
    .kinds()
    .filter((each) => each.plural === kind.plural && each.group === kind.group && each !== kind);
  if (others.length === 0) return undefined;
  // The first rule that names any of them decides in which version it is asked.
  for (const rule of hook.rules) {
    const found = others.find((other) => matchesRule(rule, other, request));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Exported for tests: whether a rule names this kind, subresource and operation. */
export function matchesRule(rule: HookRule, kind: Kind, { operation, subresource = "" }: Described): boolean {
  return (
    matchesScope(rule.scope, kind) &&
    includes(rule.operations, operation) &&
    includes(rule.apiGroups, kind.group) &&
    includes(rule.apiVersions, kind.version) &&
    (rule.resources ?? []).some((resource) => {
      const slash = resource.indexOf("/");
      const [name, inner] = slash < 0 ? [resource, ""] : [resource.slice(0, slash), resource.slice(slash + 1)];
      return (name === "*" || name === kind.plural) && (inner === "*" || inner === subresource);
    })
  );
}

function includes(list: readonly string[] | undefined, value: string): boolean {
  return list !== undefined && (list.includes("*") || list.includes(value));
}

function matchesScope(scope: string | undefined, { namespaced }: Kind): boolean {
  if (scope === "Namespaced") return namespaced;
  return scope === "Cluster" ? !namespaced : true;
}

export function isNamespace({ group, plural }: Kind): boolean {
  return group === "" && plural === "namespaces";
}

/** What belongs to no namespace is never left out; a namespace itself is looked at like what is in it. */
function inNamespaces({ namespaces }: Hook, request: AdmissionRequest, { objects, catalog }: Matching): boolean {
  const { resource, operation, subresource, object, name } = request;
  if (namespaces.requirements.length === 0) return true;
  if (isNamespace(resource.kind)) {
    const written = subresource === undefined && operation !== "DELETE" ? object : undefined;
    return namespaces.matches(labelsOf(written ?? objects.get(resource.kind, undefined, name)));
  }
  const namespaceKind = catalog.find("", "v1", "namespaces")?.kind;
  if (request.namespace === undefined || namespaceKind === undefined) return true;
  return namespaces.matches(labelsOf(objects.get(namespaceKind, undefined, request.namespace)));
}

function isSelected({ objects }: Hook, object: JsonObject | undefined): boolean {
  return objects.requirements.length === 0 || (object !== undefined && objects.matches(labelsOf(object)));
}

function labelsOf(object: JsonObject): Record<string, string> {
  const labels = get(metadataOf(object), "labels");
  return isObject(labels) ? (labels as Record<string, string>) : {};
}
