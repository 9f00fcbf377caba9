/** What the server does to the status of a definition when the definition itself is written. */
import type { JsonObject } from "../../json.ts";
import { asDefinition, asObject, type DefinitionStatus, storageVersion } from "./definition.ts";

/**
 * The definition with the status that a write through its own endpoint leaves it: a new one begins without conditions, an
 * update keeps what the old one has. The version in which objects are stored from now on is among those that may be stored.
 * Its defaults are filled in before, by `defaults`.
 */
export function prepareDefinition(next: JsonObject, old: JsonObject | undefined): JsonObject {
  const read = asDefinition(next);
  const before: DefinitionStatus =
    old === undefined
      ? { conditions: null, acceptedNames: { plural: "", kind: "" } }
      : (asDefinition(old).status ?? {});
  const stored = before.storedVersions ?? [];
  const current = storageVersion(read.spec);
  const storedVersions = current === undefined || stored.includes(current) ? stored : [...stored, current];
  return asObject({ ...read, status: { ...before, storedVersions } });
}
