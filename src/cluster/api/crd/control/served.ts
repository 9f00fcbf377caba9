/** Keeps the catalog in step with definitions, and leaves in place what a change does not touch. */
import type { Catalog } from "../../catalog/catalog.ts";
import type { Resource } from "../../catalog/resource.ts";
import { get, type JsonObject, jsonEqual } from "../../json.ts";
import { textOf } from "../../lifecycle/metadata.ts";
import { asDefinition, isTrue } from "../definition/definition.ts";
import { resourcesOf } from "../resource/resources-of.ts";
import { compareVersions } from "../resource/version-order.ts";

export interface Served {
  /**
   * Has the catalog serve what these define, and nothing else of the kind. A resource stays the very same object for as long as
   * its definition means the same: who holds one can tell by that whether it still holds.
   */
  define(definitions: readonly JsonObject[]): void;
}

interface Known {
  readonly definition: JsonObject;
  readonly resources: readonly Resource[];
}

/** A definition that cannot be read is reported, and not served; it keeps nobody else from being. */
export function createServed(catalog: Catalog, report: (error: unknown) => void): Served {
  let known: ReadonlyMap<string, Known> = new Map();
  let current: readonly Resource[] = [];

  function resourcesFor(definition: JsonObject): readonly Resource[] {
    const before = known.get(textOf(definition, "name"));
    if (before === undefined) return read(definition);
    if (before.definition === definition) return before.resources;
    const spec = get(before.definition, "spec");
    if (spec === undefined || !jsonEqual(spec, get(definition, "spec") ?? null)) return read(definition);
    // What was read of its schemas stays read where it only goes on to another state.
    return isInSameState(before.definition, definition) ? before.resources : read({ ...definition, spec });
  }

  function read(definition: JsonObject): readonly Resource[] {
    try {
      return resourcesOf(definition);
    } catch (error) {
      report(error);
      return [];
    }
  }

  return {
    define(definitions) {
      known = new Map(
        definitions.map((definition) => [
          textOf(definition, "name"),
          { definition, resources: resourcesFor(definition) },
        ]),
      );
      const next = [...known.values()].flatMap(({ resources }) => resources).sort(inDiscovery);
      if (next.length === current.length && next.every((resource, index) => resource === current[index])) return;
      current = next;
      catalog.define(next);
    },
  };
}

/** By group, the version to prefer first. */
function inDiscovery({ kind: a }: Resource, { kind: b }: Resource): number {
  if (a.group !== b.group) return a.group < b.group ? -1 : 1;
  return compareVersions(a.version, b.version);
}

/** As far as its resources are concerned. */
function isInSameState(before: JsonObject, after: JsonObject): boolean {
  const [was, is] = [asDefinition(before), asDefinition(after)];
  return (
    ["Established", "Terminating"].every((type) => isTrue(was, type) === isTrue(is, type)) &&
    jsonEqual(asJson(was.status?.acceptedNames), asJson(is.status?.acceptedNames))
  );
}

function asJson(names: object | undefined): JsonObject {
  return (names ?? {}) as JsonObject;
}
