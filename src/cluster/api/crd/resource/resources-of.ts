/** The resources that a definition brings: one for each version that is served, once its names are accepted. */
import type { Resource } from "../../catalog/resource.ts";
import type { JsonObject } from "../../json.ts";
import { type Kind, kindsOf } from "../../kinds/kind.ts";
import { atOnce, type Steps } from "../../steps.ts";
import { customPrinter } from "../../table/custom-printer.ts";
import { asDefinition, type Definition, isTrue, storageVersion, type Version } from "../definition/definition.ts";
import { overlapsBuiltIn } from "../definition/overlap.ts";
import { customResource } from "./custom-resource.ts";

/** In the order in which Kubernetes lists them for custom resources. */
const VERBS = ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"];

/** None for a definition that is not established, or of a kind that is built in. */
export function resourcesOf(definition: JsonObject): Resource[] {
  return atOnce(resourcesInSteps(definition));
}

/** The same, one walk over a schema after the other. */
export function* resourcesInSteps(definition: JsonObject): Steps<Resource[]> {
  const read = asDefinition(definition);
  if (!isTrue(read, "Established") || overlapsBuiltIn(read)) return [];
  const resources: Resource[] = [];
  for (const version of read.spec.versions) {
    if (!version.served) continue;
    const printer = customPrinter(version.additionalPrinterColumns);
    resources.push({ kind: kindOf(read, version), printer, custom: yield* customResource(read, version) });
    yield;
  }
  return resources;
}

/** The row of the table for one version, under the names that were accepted. */
export function kindOf({ spec, status }: Definition, version: Version): Kind {
  const { plural, kind, singular, shortNames, categories } = status?.acceptedNames ?? spec.names;
  const { status: ownStatus, scale } = version.subresources ?? {};
  const [row] = kindsOf(`${spec.group}/${version.name}`, [
    {
      kind,
      plural,
      singular: singular ?? kind.toLowerCase(),
      namespaced: spec.scope === "Namespaced",
      shortNames: shortNames ?? [],
      categories: categories ?? [],
      verbs: VERBS,
      // Whoever brought the definition acts on it.
      acted: "acted",
      generation: ownStatus === undefined ? "content" : "spec",
      versionRequired: true,
      subresources: [...(ownStatus === undefined ? [] : ["status"]), ...(scale === undefined ? [] : ["scale"])],
      storageVersion: storageVersion(spec),
    },
  ]);
  if (row === undefined) throw new Error("a row of the table makes a kind");
  return row;
}
