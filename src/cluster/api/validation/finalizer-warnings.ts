/** A word about finalizers of custom resources that others might come to use as well (upstream registry/customresource/validator.go). */
import type { JsonObject } from "../json.ts";
import { finalizersOf } from "../lifecycle/metadata.ts";
import { STANDARD_FINALIZERS } from "./metadata.ts";

/** Of those that `old` does not have. */
export function warningsOfFinalizers(next: JsonObject, old: JsonObject | undefined): string[] {
  const known = new Set([...STANDARD_FINALIZERS, ...(old === undefined ? [] : finalizersOf(old))]);
  return [...new Set(finalizersOf(next))]
    .filter((name) => !known.has(name) && !name.includes("/"))
    .toSorted()
    .map((name) => {
      const better = name.includes(".") ? "finalizer name including a path (/)" : "finalizer name";
      const why = "to avoid accidental conflicts with other finalizer writers";
      return `metadata.finalizers: ${JSON.stringify(name)}: prefer a domain-qualified ${better} ${why}`;
    });
}
