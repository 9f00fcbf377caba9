/** The objects of a definition that is being deleted. */
import { prefixOf } from "../../../store/index.ts";
import type { JsonObject } from "../../json.ts";
import { type Kind, storageName } from "../../kinds/kind.ts";
import { prepareDelete } from "../../lifecycle/delete.ts";
import type { ObjectStore } from "../../objects/object-store.ts";
import { asDefinition } from "../definition/definition.ts";
import { overlapsBuiltIn } from "../definition/overlap.ts";
import { kindOf } from "../resource/resources-of.ts";

/** The kind as whose objects they are stored, whether it is served or not. */
export function storedKind(definition: JsonObject): Kind {
  const read = asDefinition(definition);
  const version = read.spec.versions.find(({ storage }) => storage) ?? { name: "", served: false, storage: true };
  return kindOf(read, version);
}

/** How many there are. */
export function countInstances(objects: ObjectStore, definition: JsonObject): number {
  return objects.store.count(prefixOf(storageName(storedKind(definition))));
}

/**
 * Deletes every object that is its own, as a client would that asks for nothing in particular: those with finalizers stay until whoever set
 * them is done. `now` in milliseconds. Rejects with 404 or 409 when somebody writes one meanwhile.
 */
export async function deleteInstances(objects: ObjectStore, definition: JsonObject, now: number): Promise<void> {
  if (overlapsBuiltIn(asDefinition(definition))) return;
  const kind = storedKind(definition);
  const { entries } = objects.store.list({ prefix: prefixOf(storageName(kind)) });
  for (const entry of entries) {
    const object = objects.read(entry);
    const deletion = prepareDelete(kind, object, {}, now);
    if (deletion.kind === "remove") await objects.remove(kind, object);
    else await objects.replace(kind, object, deletion.object);
  }
}
