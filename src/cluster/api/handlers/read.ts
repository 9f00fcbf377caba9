/** GET: one object, or a list. */
import { get, isObject, type JsonObject } from "../json.ts";
import { groupVersionOf } from "../kinds/kind.ts";
import { type Listed, listObjects, listOf } from "../objects/list.ts";
import { type FieldSelector, parseFieldSelector } from "../selectors/field-selector.ts";
import { parseLabelSelector } from "../selectors/label-selector.ts";
import type { ApiContext, Caller, Target } from "./context.ts";
import { checkVersionMatch, checkVersionOfOne, numberOf } from "./list-options.ts";
import { inVersion } from "./shape.ts";
import type { NamedTarget } from "./update.ts";

/** Throws 404, or 504 for a version that is still to come. */
export function readObject(
  context: ApiContext,
  { resource, namespace, name }: NamedTarget,
  query: URLSearchParams,
): JsonObject {
  checkVersionOfOne(query, context.objects.store.revision);
  return inVersion(resource, context.objects.get(resource.kind, namespace, name));
}

/** Throws `StatusError`. */
export function listItems(context: ApiContext, target: Target, caller: Pick<Caller, "query">): Listed {
  const { query } = caller;
  const { resource, namespace } = target;
  const listing = readSelection(target, query);
  checkVersionMatch(query, false);
  const limit = numberOf(query, "limit");
  // It ends no list, and must be a number all the same.
  numberOf(query, "timeoutSeconds");
  const exact = listing.name;
  if (exact !== undefined && (namespace !== undefined || !resource.kind.namespaced) && query.get("continue") === null) {
    return oneItem(context, target, exact, listing);
  }
  return listObjects(context.objects, resource.kind, {
    namespace,
    limit,
    continue: query.get("continue") || undefined,
    resourceVersion: query.get("resourceVersion") ?? undefined,
    resourceVersionMatch: query.get("resourceVersionMatch") ?? undefined,
    matches: listing.matches,
  });
}

/** A list that asks for one name is a look-up. */
function oneItem(context: ApiContext, { resource, namespace }: Target, name: string, { matches }: Selection): Listed {
  const { objects } = context;
  const resourceVersion = String(objects.store.revision);
  const entry = objects.entry(resource.kind, namespace, name);
  const found = entry !== undefined && matches?.(objects.read(entry)) !== false ? [entry] : [];
  return listOf(objects, found, { resourceVersion });
}

export interface Selection {
  /** Undefined: everything. */
  readonly matches: ((object: JsonObject) => boolean) | undefined;
  /** The one name that is asked for. */
  readonly name: string | undefined;
}

/** The selectors of a request for a collection, or for one object where the path names it. Throws 400. */
export function readSelection({ resource, name }: Target, query: URLSearchParams): Selection {
  const labels = query.get("labelSelector") ?? "";
  const fields = query.get("fieldSelector") ?? "";
  const { kind, custom } = resource;
  const selectable = custom === undefined ? undefined : (custom.selectableFields ?? []);
  const byLabel = labels === "" ? undefined : parseLabelSelector(labels);
  const byField: FieldSelector | undefined =
    fields === "" ? undefined : parseFieldSelector(fields, groupVersionOf(kind), kind.kind, selectable);
  const exact = nameOfOne(name ?? byField?.exactly("metadata.name"));
  if (byLabel === undefined && byField === undefined && name === undefined)
    return { matches: undefined, name: undefined };
  return {
    name: exact,
    matches: (stored) => {
      const object = inVersion(resource, stored);
      return (
        (name === undefined || get(metadata(object), "name") === name) &&
        (byLabel === undefined || byLabel.matches(labelsOf(object))) &&
        (byField === undefined || byField.matches(object))
      );
    },
  };
}

/** What can be no name is looked for, and not found, among all. */
function nameOfOne(name: string | undefined): string | undefined {
  return name === "" || name?.includes("/") === true ? undefined : name;
}

function metadata(object: JsonObject): JsonObject {
  const value = get(object, "metadata");
  return isObject(value) ? value : {};
}

function labelsOf(object: JsonObject): Record<string, string> {
  const labels = get(metadata(object), "labels");
  return isObject(labels) ? (labels as Record<string, string>) : {};
}
