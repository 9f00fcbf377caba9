/** Every kind that the server has, custom ones too: for controllers that see to objects of all kinds. */
import { defineResource, type KubeClient, KubeError, type Resource } from "../../../../kube/index.ts";

export interface ServedKind {
  readonly resource: Resource;
  readonly verbs: ReadonlySet<string>;
  readonly subresources: ReadonlySet<string>;
}

export interface Kinds {
  /** Each resource of each group once, in the version that the group prefers of those that have it. */
  readonly preferred: readonly ServedKind[];
  /**
   * Groups and versions that the server knows of and cannot speak for now, as `metrics.k8s.io/v1beta1`: what is in them is not
   * known, which is something else than nothing.
   */
  readonly unknown: readonly string[];
  /** The kind that an owner reference names, in that very version; undefined when it is not served. */
  find(apiVersion: string, kind: string): ServedKind | undefined;
}

/** apidiscovery.k8s.io/v2, as much of it as is looked at. */
export interface GroupDiscoveryList {
  readonly kind?: string;
  readonly items?: readonly {
    readonly metadata?: { readonly name?: string };
    readonly versions?: readonly {
      readonly version: string;
      readonly freshness?: string;
      readonly resources?: readonly {
        readonly resource: string;
        readonly responseKind?: { readonly kind?: string };
        readonly scope: string;
        readonly verbs?: readonly string[];
        readonly subresources?: readonly { readonly subresource: string }[];
      }[];
    }[];
  }[];
}

const ACCEPT = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/** Two requests. Rejects with a `KubeError`. */
export async function discoverKinds(client: KubeClient, signal?: AbortSignal): Promise<Kinds> {
  const read = async (path: string): Promise<GroupDiscoveryList> => {
    const list = await client.raw<GroupDiscoveryList>({ method: "GET", path, accept: ACCEPT }, signal);
    if (list.kind === "APIGroupDiscoveryList") return list;
    throw new KubeError("BadResponse", `GET ${path}: the server does not speak apidiscovery.k8s.io/v2`);
  };
  return readKinds(await Promise.all([read("/api"), read("/apis")]));
}

export function readKinds(lists: readonly GroupDiscoveryList[]): Kinds {
  const preferred = new Map<string, ServedKind>();
  const byKind = new Map<string, ServedKind>();
  const unknown: string[] = [];
  for (const { metadata, versions = [] } of lists.flatMap(({ items = [] }) => items)) {
    const group = metadata?.name ?? "";
    for (const { version, freshness, resources = [] } of versions) {
      const apiVersion = group === "" ? version : `${group}/${version}`;
      if (freshness === "Stale") unknown.push(apiVersion);
      for (const { resource: plural, responseKind, scope, verbs = [], subresources = [] } of resources) {
        const kind = responseKind?.kind ?? "";
        const served: ServedKind = {
          resource: defineResource(apiVersion, kind, plural, scope === "Namespaced" ? "Namespaced" : "Cluster"),
          verbs: new Set(verbs),
          subresources: new Set(subresources.map(({ subresource }) => subresource)),
        };
        // Versions come in the order of preference.
        if (!preferred.has(`${group}/${plural}`)) preferred.set(`${group}/${plural}`, served);
        byKind.set(`${apiVersion} ${kind}`, served);
      }
    }
  }
  return {
    preferred: [...preferred.values()],
    unknown,
    find: (apiVersion, kind) => byKind.get(`${apiVersion} ${kind}`),
  };
}

/** Tells kinds apart, whatever their version: `apps/statefulsets`. */
export function kindKey({ group, plural }: Resource): string {
  return `${group}/${plural}`;
}

/** Events are no part of what anybody owns, or what a namespace is asked about. */
export function isEvent({ group, plural }: Resource): boolean {
  return plural === "events" && (group === "" || group === "events.k8s.io");
}

/** How messages name the resource: `statefulsets.apps`, or `pods` for the core group. */
export function nameOfResource({ plural, group }: Resource): string {
  return group === "" ? plural : `${plural}.${group}`;
}

/** For the error when a kind cannot be found. */
export function unknownKind(apiVersion: string, kind: string): KubeError {
  return new KubeError("NotFound", `unable to get REST mapping for ${apiVersion}/${kind}.`, { status: 404 });
}
