/** How OpenAPI names things: definitions after Go packages, operations and tags after groups. */
import type { JsonObject } from "../json.ts";
import type { Kind } from "../kinds/kind.ts";

const PACKAGES: Readonly<Record<string, string>> = {
  "meta.v1": "io.k8s.apimachinery.pkg.apis.meta.v1",
  "apiextensions.v1": "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1",
  "apiregistration.v1": "io.k8s.kube-aggregator.pkg.apis.apiregistration.v1",
  resource: "io.k8s.apimachinery.pkg.api.resource",
  intstr: "io.k8s.apimachinery.pkg.util.intstr",
  runtime: "io.k8s.apimachinery.pkg.runtime",
};

/** `io.k8s.api.apps.v1.StatefulSet` for the structure `apps.v1.StatefulSet` of the schemas. */
export function definitionName(structure: string): string {
  const end = structure.lastIndexOf(".");
  const folder = structure.slice(0, end);
  return `${PACKAGES[folder] ?? `io.k8s.api.${folder}`}${structure.slice(end)}`;
}

/** `com.cybozu.moco.v1beta2.MySQLCluster`: the group of a custom resource, backwards. */
export function customDefinitionName({ group, version }: Pick<Kind, "group" | "version">, kind: string): string {
  return [...group.split(".").toReversed(), version, kind].join(".");
}

/** `apps_v1`, `rbacAuthorization_v1`, `mocoCybozuCom_v1beta2`. */
export function tagOf({ group, version }: Pick<Kind, "group" | "version">): string {
  const name = groupWords(group).join("");
  return `${name.charAt(0).toLowerCase()}${name.slice(1)}_${version}`;
}

/** `AppsV1`: what stands between the verb and the kind in the name of an operation. */
export function operationGroup({ group, version }: Pick<Kind, "group" | "version">): string {
  return groupWords(group).join("") + capital(version);
}

function groupWords(group: string): string[] {
  return (group === "" ? "core" : group.replace(/\.k8s\.io$/, "")).split(/[^A-Za-z0-9]+/).map(capital);
}

export function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

const PREFIX = "#/components/schemas/";

export function reference(definition: string): { readonly $ref: string } {
  return { $ref: PREFIX + definition };
}

/** The definition that a schema refers to. */
export function definitionOf({ $ref }: JsonObject): string | undefined {
  return typeof $ref === "string" && $ref.startsWith(PREFIX) ? $ref.slice(PREFIX.length) : undefined;
}
