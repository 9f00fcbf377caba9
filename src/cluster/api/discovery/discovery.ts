/** What the server tells about itself: which groups, versions and resources there are. Two forms of the same table. */
import { createHash } from "node:crypto";
import { groupVersionOf, type Kind } from "../kinds/kind.ts";

/** `GET /api` in the old form. */
export function coreVersions(serverAddress: string): object {
  return {
    kind: "APIVersions",
    versions: ["v1"],
    serverAddressByClientCIDRs: [{ clientCIDR: "0.0.0.0/0", serverAddress }],
  };
}

/** `GET /apis` in the old form. */
export function groupList(kinds: readonly Kind[]): object {
  const groups = groupsOf(kinds, (group) => serviceNameOf(kinds, group));
  return { kind: "APIGroupList", apiVersion: "v1", groups: groups.map((group) => groupEntry(kinds, group)) };
}

/** `GET /apis/GROUP`; undefined when there is no such group. */
export function groupDocument(kinds: readonly Kind[], group: string): object | undefined {
  if (group === "" || !groupsOf(kinds).includes(group)) return undefined;
  return { kind: "APIGroup", apiVersion: "v1", ...groupEntry(kinds, group) };
}

function groupEntry(kinds: readonly Kind[], group: string): object {
  const versions = versionsOf(kinds, group).map((version) => ({ groupVersion: `${group}/${version}`, version }));
  return { name: group, versions, preferredVersion: versions[0] };
}

/** `GET /api/v1`, `GET /apis/GROUP/VERSION`; undefined when there is no such version. */
export function resourceList(kinds: readonly Kind[], group: string, version: string): object | undefined {
  const found = kinds.filter((kind) => kind.group === group && kind.version === version);
  const [first] = found;
  if (first === undefined) return undefined;
  return {
    kind: "APIResourceList",
    ...(group === "" ? {} : { apiVersion: "v1" }),
    groupVersion: groupVersionOf(first),
    resources: found.flatMap(resourceEntries),
  };
}

function resourceEntries(kind: Kind): object[] {
  const main = {
    name: kind.plural,
    singularName: kind.singular,
    namespaced: kind.namespaced,
    kind: kind.kind,
    verbs: kind.verbs,
    ...(kind.shortNames.length === 0 ? {} : { shortNames: kind.shortNames }),
    ...(kind.categories.length === 0 ? {} : { categories: kind.categories }),
    ...(isStored(kind) ? { storageVersionHash: storageVersionHash(kind) } : {}),
  };
  const subresources = kind.subresources.map(({ name, verbs, speaks }) => ({
    name: `${kind.plural}/${name}`,
    singularName: "",
    namespaced: kind.namespaced,
    ...(speaks === undefined || speaks.group === kind.group ? {} : { group: speaks.group, version: speaks.version }),
    kind: speaks?.kind ?? kind.kind,
    verbs,
  }));
  return [main, ...subresources];
}

/** What is kept can be watched; of reviews and their like nothing is. */
function isStored({ verbs }: Kind): boolean {
  return verbs.includes("watch");
}

/** By which whoever moves objects to another version sees that there is one (upstream endpoints/discovery/storageversionhash.go). */
function storageVersionHash({ group, version, kind, storedAs, storageVersion = version }: Kind): string {
  const stored = storedAs ?? { group, version: storageVersion, kind };
  const text = `${stored.group}/${stored.version}/${stored.kind}`;
  return createHash("sha256").update(text).digest().subarray(0, 8).toString("base64");
}

/** `GET /api` (`root` "api") and `GET /apis` in the aggregated form, apidiscovery.k8s.io/v2. */
export function aggregatedDiscovery(kinds: readonly Kind[], root: "api" | "apis"): object {
  const groups = root === "api" ? [""] : groupsOf(kinds);
  return {
    kind: "APIGroupDiscoveryList",
    apiVersion: "apidiscovery.k8s.io/v2",
    metadata: {},
    items: groups.map((group) => ({
      metadata: { name: group, creationTimestamp: null },
      versions: [...Map.groupBy(inGroup(kinds, group), ({ version }) => version)].map(([version, members]) => ({
        version,
        resources: members.map(discoveryEntry),
        freshness: "Current",
      })),
    })),
  };
}

function discoveryEntry(kind: Kind): object {
  const { group, version, subresources } = kind;
  return {
    resource: kind.plural,
    responseKind: { group, version, kind: kind.kind },
    scope: kind.namespaced ? "Namespaced" : "Cluster",
    singularResource: kind.singular,
    verbs: kind.verbs,
    ...(kind.shortNames.length === 0 ? {} : { shortNames: kind.shortNames }),
    ...(kind.categories.length === 0 ? {} : { categories: kind.categories }),
    ...(subresources.length === 0
      ? {}
      : {
          subresources: subresources.map(({ name, verbs, speaks }) => ({
            subresource: name,
            responseKind: speaks ?? { group, version, kind: kind.kind },
            verbs,
          })),
        }),
  };
}

/**
 * By their rank: clients that are given a name without its group take the first that has it. Those that somebody has defined come
 * last (upstream cmd/kube-apiserver/app/aggregator.go, and the sorting in kube-aggregator).
 */
const RANKED: readonly string[] = [
  "apiregistration.k8s.io",
  "apps",
  "events.k8s.io",
  "authentication.k8s.io",
  "authorization.k8s.io",
  "autoscaling",
  "batch",
  "certificates.k8s.io",
  "networking.k8s.io",
  "policy",
  "rbac.authorization.k8s.io",
  "storage.k8s.io",
  "admissionregistration.k8s.io",
  "apiextensions.k8s.io",
  "scheduling.k8s.io",
  "coordination.k8s.io",
  "node.k8s.io",
  "discovery.k8s.io",
  "resource.k8s.io",
  "flowcontrol.apiserver.k8s.io",
];

/** Every group but the core one; `nameOf` orders those that somebody has defined. */
function groupsOf(kinds: readonly Kind[], nameOf: (group: string) => string = (group) => group): string[] {
  const there = new Set(kinds.map(({ group }) => group).filter((group) => group !== ""));
  const defined = [...there].filter((group) => !RANKED.includes(group));
  return [
    ...RANKED.filter((group) => there.has(group)),
    ...defined
      .map((group) => [nameOf(group), group] as const)
      .toSorted(byName)
      .map(([, group]) => group),
  ];
}

function byName([a]: readonly [string, string], [b]: readonly [string, string]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** In the old form, groups are in the order of their versions' names in APIServices: `v1.example.com`. */
function serviceNameOf(kinds: readonly Kind[], group: string): string {
  return (
    versionsOf(kinds, group)
      .map((version) => `${version}.${group}`)
      .toSorted()[0] ?? group
  );
}

function versionsOf(kinds: readonly Kind[], group: string): string[] {
  return [...new Set(inGroup(kinds, group).map(({ version }) => version))];
}

function inGroup(kinds: readonly Kind[], group: string): Kind[] {
  return kinds.filter((kind) => kind.group === group);
}
