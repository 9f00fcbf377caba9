/** The objects that a binding has its policy look at beside the request (upstream policy/generic/policy_dispatcher.go). */
import type { Resource } from "../catalog/resource.ts";
import type { JsonObject } from "../json.ts";
import { metadataOf } from "../lifecycle/metadata.ts";
import { selectorFromObject } from "../selectors/label-selector.ts";
import type { Matching } from "../webhooks/match.ts";
import type { Binding, ParamKind, Policy } from "./policy.ts";

/** A policy or a binding that cannot be carried out as it is: what failurePolicy is about. */
export class Misconfigured extends Error {
  override readonly name = "Misconfigured";
}

export interface ParamSource extends Matching {
  /** A stored object in the version of this resource. */
  readonly inVersion: (resource: Resource, object: JsonObject) => JsonObject;
}

/** The resource that the params are of; undefined for a policy that has none. Throws `Misconfigured` when it is not served. */
export function paramResource({ spec }: Policy, { catalog }: ParamSource): Resource | undefined {
  const { paramKind } = spec;
  if (paramKind === undefined) return undefined;
  const { apiVersion = "", kind = "" } = paramKind;
  const resource = catalog.findKind(apiVersion, kind);
  if (resource !== undefined) return resource;
  throw new Misconfigured(`failed to find resource referenced by paramKind: '${goKind(paramKind)}'`);
}

/** `apps/v1, Kind=StatefulSet`, as Go prints it. */
export function goKind({ apiVersion = "", kind = "" }: ParamKind): string {
  return `${apiVersion.includes("/") ? apiVersion : `/${apiVersion}`}, Kind=${kind}`;
}

/**
 * What the policy is evaluated with, one after the other: undefined for no params at all. None: it is not evaluated, since the
 * binding says so. Throws `Misconfigured`.
 */
export function paramsFor(
  resource: Resource | undefined,
  { spec: { paramRef } }: Binding,
  requestNamespace: string | undefined,
  source: ParamSource,
): readonly (JsonObject | undefined)[] {
  if (resource === undefined || paramRef === undefined) return [undefined];
  const { name = "", selector, parameterNotFoundAction } = paramRef;
  const namespace = namespaceOf(resource, paramRef.namespace ?? "", requestNamespace ?? "");
  const found =
    name === "" ? selected(resource, namespace, selector, source) : named(resource, namespace, name, source);
  if (found.length === 0 && parameterNotFoundAction === "Deny") {
    throw new Misconfigured("no params found for policy binding with `Deny` parameterNotFoundAction");
  }
  return found.map((object) => source.inVersion(resource, object));
}

function namespaceOf({ kind }: Resource, given: string, ofRequest: string): string | undefined {
  if (!kind.namespaced) {
    if (given === "") return undefined;
    throw new Misconfigured("paramRef.namespace must not be provided for a cluster-scoped `paramKind`");
  }
  if (given !== "" || ofRequest !== "") return given || ofRequest;
  throw new Misconfigured("cannot use namespaced paramRef in policy binding that matches cluster-scoped resources");
}

function named(
  { kind }: Resource,
  namespace: string | undefined,
  name: string,
  { objects }: ParamSource,
): readonly JsonObject[] {
  const found = objects.find(kind, namespace, name);
  return found === undefined ? [] : [found];
}

function selected(
  { kind }: Resource,
  namespace: string | undefined,
  selector: Parameters<typeof selectorFromObject>[0],
  { objects }: ParamSource,
): readonly JsonObject[] {
  const { matches } = selectorFromObject(selector);
  return objects
    .all(kind, namespace)
    .filter((object) => matches(metadataOf(object)["labels"] as Record<string, string> | undefined));
}
