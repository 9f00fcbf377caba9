/** Keeps the catalog in step with definitions, and leaves in place what a change does not touch. */
import type { Catalog } from "../../catalog/catalog.ts";
import type { Resource } from "../../catalog/resource.ts";
import { get, type Json, type JsonObject, jsonEqual } from "../../json.ts";
import { textOf } from "../../lifecycle/metadata.ts";
import type { Steps } from "../../steps.ts";
import { asDefinition, isTrue } from "../definition/definition.ts";
import { resourcesInSteps } from "../resource/resources-of.ts";
import { compareVersions } from "../resource/version-order.ts";

export interface Served {
  /**
   * Has the catalog serve what these define, and nothing else of the kind, once all of them are read. A resource stays the very same object for as
   * long as its definition means the same: who holds one can tell by that whether it still holds.
   */
  define(definitions: readonly JsonObject[]): Steps<void>;
}

interface Known {
  readonly definition: JsonObject;
  /** What was read: as good as that of the definition. */
  readonly spec: Json;
  readonly resources: readonly Resource[];
}

/** A definition that cannot be read is reported, and not served; it keeps nobody else from being. */
export function createServed(catalog: Catalog, report: (error: unknown) => void): Served {
  let known: ReadonlyMap<string, Known> = new Map();
  let current: readonly Resource[] = [];

  function* knownOf(definition: JsonObject): Steps<Known> {
    const before = known.get(textOf(definition, "name"));
    if (before?.definition === definition) return before;
    yield;
    const spec = get(definition, "spec") ?? null;
    if (before === undefined || !jsonEqual(before.spec, spec)) {
      return { definition, spec, resources: yield* read(definition) };
    }
    // What was read of its schemas stays read where it only goes on to another state.
    const same = { ...definition, spec: before.spec };
    const kept = inStateOf(definition, before);
    return { definition, spec: before.spec, resources: kept ?? (yield* read(same)) };
  }

  function* read(definition: JsonObject): Steps<readonly Resource[]> {
    yield;
    try {
      return yield* resourcesInSteps(definition);
    } catch (error) {
      report(error);
      return [];
    }
  }

  return {
    *define(definitions) {
      const read = new Map<string, Known>();
      for (const definition of definitions) read.set(textOf(definition, "name"), yield* knownOf(definition));
      known = read;
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

/** What was read, as it is in the state of the definition now: the same where nothing about that counts. Undefined: it has other names, or is served only now. */
function inStateOf(definition: JsonObject, before: Known): readonly Resource[] | undefined {
  const [was, is] = [asDefinition(before.definition), asDefinition(definition)];
  const isNamed = jsonEqual(asJson(was.status?.acceptedNames), asJson(is.status?.acceptedNames));
  if (!isNamed || isTrue(was, "Established") !== isTrue(is, "Established")) return undefined;
  const terminating = isTrue(is, "Terminating");
  if (isTrue(was, "Terminating") === terminating) return before.resources;
  return before.resources.map((resource) =>
    resource.custom === undefined ? resource : { ...resource, custom: { ...resource.custom, terminating } },
  );
}

function asJson(names: object | undefined): JsonObject {
  return (names ?? {}) as JsonObject;
}
