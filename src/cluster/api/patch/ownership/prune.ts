/** What goes from an object when its applier no longer applies it. */
import type { Json } from "../../json.ts";
import type { FieldType } from "../../schema/types.ts";
import type { Steps } from "../../steps.ts";
import { difference, type FieldSet, intersection, NO_FIELDS, union } from "./field-set.ts";
import type { Managed } from "./managed-fields.ts";
import { removeItems } from "./remove-items.ts";
import { toFieldSet, withNamedFields } from "./to-field-set.ts";

/**
 * The merged object without what the applier owned before (`last`) and nobody owns now. `owners` are those of now; what the applier owns
 * (`fields`) is all that it has applied.
 */
export function* prune(merged: Json, type: FieldType, owners: Managed, last: FieldSet, fields: FieldSet): Steps<Json> {
  // Who applies all that it applied before, and perhaps more, leaves nothing behind.
  const left = difference(withNamedFields(last, type), withNamedFields(fields, type));
  if (left.size === 0) return merged;
  yield;
  return yield* pruneTheLongWay(merged, type, owners, last);
}

/** What somebody else owns is put back, and so is what stood in it unowned: only what the applier itself owned may go. */
export function* pruneTheLongWay(merged: Json, type: FieldType, owners: Managed, last: FieldSet): Steps<Json> {
  const named = (set: FieldSet) => withNamedFields(set, type);
  const formerly = named(last);
  const everything = named(toFieldSet(merged, type));
  yield;
  const owned = named([...owners.values()].reduce((all, { fields }) => union(all, fields), NO_FIELDS));
  yield;
  const bareFields = named(toFieldSet(removeItems(merged, formerly, type), type));
  yield;
  const kept = removeItems(merged, difference(everything, union(bareFields, owned)), type);
  yield;
  const keptFields = named(toFieldSet(kept, type));
  yield;
  return removeItems(merged, intersection(difference(everything, keptFields), formerly), type);
}
