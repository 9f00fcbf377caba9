/** What a kind of object is called in the API, and where it lives there. */
import type { KubeObject } from "../../core/types.ts";

/** A kind of object: what to put into URLs, and (for the type checker alone) what comes out of them. */
export interface Resource<T extends KubeObject = KubeObject> {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** Ask the server for the metadata of objects alone: see `metadataOf`. */
  readonly metadataOnly?: boolean;
  /** Never there at run time: carries the type of the objects. */
  readonly object?: T;
}

/** Which object is meant. `namespace` only for namespaced kinds. */
export interface Ref {
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** Describes a kind: `defineResource<StatefulSet>("apps/v1", "StatefulSet", "statefulsets")`. */
export function defineResource<T extends KubeObject = KubeObject>(
  apiVersion: string,
  kind: string,
  plural: string,
  scope: "Namespaced" | "Cluster" = "Namespaced",
): Resource<T> {
  const slash = apiVersion.indexOf("/");
  return {
    group: slash < 0 ? "" : apiVersion.slice(0, slash),
    version: apiVersion.slice(slash + 1),
    kind,
    plural,
    namespaced: scope === "Namespaced",
  };
}

/**
 * The same kind, of whose objects only the metadata is sent (PartialObjectMetadata): for those who look at owners, labels or
 * finalizers of objects of any kind. A server that cannot do so sends them whole.
 */
export function metadataOf(resource: Resource): Resource {
  return { ...resource, metadataOnly: true };
}

export function apiVersionOf({ group, version }: Resource): string {
  return group === "" ? version : `${group}/${version}`;
}

/** The path of a collection: of one namespace, or without one of the whole cluster. */
export function collectionPath(resource: Resource, namespace?: string): string {
  const { group, version, plural, namespaced } = resource;
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  const within = namespaced && namespace !== undefined ? `/namespaces/${encodeURIComponent(namespace)}` : "";
  return `${root}${within}/${plural}`;
}

export function objectPath(resource: Resource, { namespace, name }: Ref, subresource?: string): string {
  const path = `${collectionPath(resource, namespace)}/${encodeURIComponent(name)}`;
  return subresource === undefined ? path : `${path}/${subresource}`;
}

/** How a message names an object: `persistentvolumeclaims prod/data-db-0`. */
export function nameForMessages(resource: Resource, { namespace, name }: Ref): string {
  return `${resource.plural} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}

/** The reference of an object that is at hand. */
export function refOf(object: KubeObject): Ref {
  const { namespace, name } = object.metadata;
  return namespace === undefined ? { name } : { namespace, name };
}
