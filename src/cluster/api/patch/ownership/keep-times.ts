/** Writes that change nothing. */
import { get, isList, isObject, type JsonObject, jsonEqual } from "../../json.ts";
import { managedFieldsOf } from "./managed-fields.ts";

/**
 * The object as it is to be stored: when nothing but times in managedFields differs from `live`, with the times of `live`,
 * so that a write that changes nothing is none.
 */
export function keepTimes(live: JsonObject, next: JsonObject): JsonObject {
  const [old, entries] = [managedFieldsOf(live), managedFieldsOf(next)];
  if (!isList(old) || !isList(entries) || old.length !== entries.length) return next;
  const timed = entries.map((entry, index) => {
    const former = old[index];
    const time = isObject(former) ? get(former, "time") : undefined;
    return isObject(entry) && time !== undefined ? { ...entry, time } : entry;
  });
  const metadata = get(next, "metadata");
  const same = { ...next, metadata: { ...(isObject(metadata) ? metadata : {}), managedFields: timed } };
  return jsonEqual(live, same) ? live : next;
}
