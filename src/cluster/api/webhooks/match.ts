/** Which requests a webhook or a policy is for (upstream admission/plugin/webhook/{generic,predicates}, policy/matching). */
import type { AdmissionRequest } from "../admission/plugin.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { get, isObject, type JsonObject } from "../json.ts";
import type { Kind } from "../kinds/kind.ts";
import { metadataOf } from "../lifecycle/metadata.ts";
import type { ObjectStore } from "../objects/object-store.ts";
import type { LabelSelector } from "../selectors/label-selector.ts";
import type { HookRule } from "./hook.ts";
import { WEBHOOK_GROUP } from "./hook-list.ts";

/** What whoever is registered says about the requests that it is for. */
export interface RequestMatch {
  /** Undefined: all requests. */
  readonly rules: readonly HookRule[] | undefined;
  /** Never for these, whatever the rules say. */
  readonly excluded?: readonly HookRule[];
  /** Also for other versions of what its rules name. */
  readonly equivalent: boolean;
  readonly namespaces: LabelSelector;
  readonly objects: LabelSelector;
}

/** What selectors look up beside the request itself. */
export interface Matching {
  readonly objects: ObjectStore;
  readonly catalog: Catalog;
}

type Described = Pick<AdmissionRequest, "operation" | "resource" | "subresource" | "namespace" | "name">;

/** No webhook is asked about what registers webhooks and policies: a wrong one could not be taken away again. */
export function isExempt({ kind: { group, kind } }: AdmissionRequest["resource"]): boolean {
  return group === WEBHOOK_GROUP && EXEMPT.test(kind);
}
const EXEMPT = /^(?:(?:Mutating|Validating)WebhookConfiguration|(?:Mutating|Validating)AdmissionPolicy(?:Binding)?)$/;

/**
 * The kind in whose version the request is to be shown; undefined when it is none of its affairs. Throws 404 when a selector
 * asks for a namespace that is not there.
 */
export function matchRequest(match: RequestMatch, request: AdmissionRequest, matching: Matching): Kind | undefined {
  const { rules, excluded = [], equivalent } = match;
  const named = (by: readonly HookRule[]): Kind | undefined => matchRules(by, equivalent, request, matching.catalog);
  const kind = rules === undefined ? request.resource.kind : named(rules);
  if (kind === undefined || (excluded.length > 0 && named(excluded) !== undefined)) return undefined;
  if (!inNamespaces(match, request, matching)) return undefined;
  return isSelected(match, request.object) || isSelected(match, request.old) ? kind : undefined;
}

function matchRules(
  rules: readonly HookRule[],
  equivalent: boolean,
  request: Described,
  catalog: Catalog,
): Kind | undefined {
  const { kind } = request.resource;
  if (rules.some((rule) => matchesRule(rule, kind, request))) return kind;
  if (!equivalent) return undefined;
  const others = catalog
    .kinds()
    .filter((each) => each.plural === kind.plural && each.group === kind.group && each !== kind);
  if (others.length === 0) return undefined;
  // The first rule that names any of them decides in which version it is asked.
  for (const rule of rules) {
    const found = others.find((other) => matchesRule(rule, other, request));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Exported for tests: whether a rule names this kind, subresource and operation. */
export function matchesRule(rule: HookRule, kind: Kind, { operation, subresource = "", name }: Described): boolean {
  const { resourceNames = [] } = rule;
  return (
    matchesScope(rule.scope, kind) &&
    includes(rule.operations, operation) &&
    includes(rule.apiGroups, kind.group) &&
    includes(rule.apiVersions, kind.version) &&
    (rule.resources ?? []).some((resource) => {
      const slash = resource.indexOf("/");
      const [plural, inner] = slash < 0 ? [resource, ""] : [resource.slice(0, slash), resource.slice(slash + 1)];
      return (plural === "*" || plural === kind.plural) && (inner === "*" || inner === subresource);
    }) &&
    (resourceNames.length === 0 || resourceNames.includes(name))
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
function inNamespaces(
  { namespaces }: RequestMatch,
  request: AdmissionRequest,
  { objects, catalog }: Matching,
): boolean {
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

function isSelected({ objects }: RequestMatch, object: JsonObject | undefined): boolean {
  return objects.requirements.length === 0 || (object !== undefined && objects.matches(labelsOf(object)));
}

function labelsOf(object: JsonObject): Record<string, string> {
  const labels = get(metadataOf(object), "labels");
  return isObject(labels) ? (labels as Record<string, string>) : {};
}
