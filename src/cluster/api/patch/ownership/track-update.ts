/** Who owns what after a create, an update, or a patch other than an apply. */
import { fromTimestamp, toTimestamp } from "../../../../core/clock.ts";
import { isList, type Json, type JsonObject, jsonEqual } from "../../json.ts";
import { atOnce, type Steps } from "../../steps.ts";
import { difference, NO_FIELDS, union } from "./field-set.ts";
import { fieldsOfNew } from "./fields-of-new.ts";
import {
  decodeManaged,
  encodeEntry,
  type Managed,
  type ManagedEntry,
  ManagedFieldsError,
  type Manager,
  managedFieldsOf,
  managerId,
  NOBODY,
  withEntries,
  withManaged,
  withoutManaged,
} from "./managed-fields.ts";
import { ownUpdate } from "./ownership.ts";
import { fits } from "./validate.ts";
import { emptyOf, STRIPPED, typeOf, type WriteRequest, writeOf } from "./write-request.ts";

/** Most entries of updates; older ones are merged into one. */
const MAX_UPDATE_ENTRIES = 10;
const ANCIENT = "ancient-changes";

/**
 * The object to store after a create, update or patch, with its managedFields. `live` is undefined for a create. `next` is
 * decoded and defaulted. managedFields in `next` are taken as the client's wish: an empty list, or one empty entry, resets
 * them; none, or unreadable ones, keep those of `live`. An object that has lost its managedFields stays without.
 */
export function trackUpdate(live: JsonObject | undefined, next: JsonObject, request: WriteRequest): JsonObject {
  return atOnce(trackInSteps(live, next, request));
}

/** The same, one walk over the object after the other. */
export function* trackInSteps(
  live: JsonObject | undefined,
  next: JsonObject,
  request: WriteRequest,
): Steps<JsonObject> {
  const known = readWish(live, next, request.subresource ?? "");
  const bare = withoutManaged(next);
  if (live !== undefined && known.size === 0) return bare;
  if (live === undefined && known.size === 0) return yield* withMaker(bare, request);
  yield;
  if (!fits(bare, typeOf(request))) return bare;
  const entries = yield* updateEntries(live, bare, known, request);
  yield;
  return withManaged(bare, capped(entries));
}

/** A new object, all of which is its maker's. */
function* withMaker(object: JsonObject, request: WriteRequest): Steps<JsonObject> {
  const { type, manager, ignored } = writeOf(request, "Update", NOBODY);
  if (!fits(object, type)) return object;
  yield;
  const fields = fieldsOfNew(object, emptyOf(request), type, { ignored, stripped: STRIPPED });
  return fields === undefined ? object : withEntries(object, [encodeEntry(manager, fields, timeOf(request))]);
}

function readWish(live: JsonObject | undefined, next: JsonObject, subresource: string): Managed {
  const kept = () => readable(live === undefined ? undefined : managedFieldsOf(live)) ?? NOBODY;
  if (subresource !== "") return kept();
  const wish = managedFieldsOf(next);
  if (isList(wish) && (wish.length === 0 || (wish.length === 1 && jsonEqual(wish[0] ?? null, {})))) return NOBODY;
  const read = readable(wish);
  return read === undefined || read.size === 0 ? kept() : read;
}

function readable(managedFields: Json | undefined): Managed | undefined {
  try {
    return decodeManaged(managedFields);
  } catch (error) {
    if (error instanceof ManagedFieldsError) return undefined;
    throw error;
  }
}

/** The entries after an update: what the writer changed joins what it owned before, with a new time. */
export function* updateEntries(
  live: JsonObject | undefined,
  next: JsonObject,
  managed: Managed,
  request: WriteRequest,
): Steps<Managed> {
  const write = writeOf(request, "Update", managed);
  const before = live === undefined ? emptyOf(request) : withoutManaged(live);
  const { managed: left, taken } = yield* ownUpdate(before, next, write);
  const own = difference(taken, STRIPPED);
  if (own.size === 0) return left;
  const id = managerId(write.manager);
  const fields = union(own, left.get(id)?.fields ?? NO_FIELDS);
  const time = timeOf(request);
  return new Map(left).set(id, { manager: write.manager, fields, ...(time !== undefined && { time }) });
}

function timeOf({ now }: WriteRequest): string | undefined {
  return now === undefined ? undefined : toTimestamp(now);
}

/** Merges the oldest updates into one entry per version, until there are few enough. */
function capped(managed: Managed): Managed {
  if (managed.size <= MAX_UPDATE_ENTRIES) return managed;
  const updates = [...managed].filter(([, { manager }]) => manager.operation === "Update");
  if (updates.length <= MAX_UPDATE_ENTRIES) return managed;
  const seconds = ({ time }: ManagedEntry) => Math.floor((fromTimestamp(time) ?? 0) / 1000);
  updates.sort(([a, left], [b, right]) => seconds(left) - seconds(right) || (a < b ? -1 : 1));

  const entries = new Map(managed);
  const firsts = new Map<string, string>();
  let count = updates.length;
  for (const [id, entry] of updates) {
    if (count <= MAX_UPDATE_ENTRIES) break;
    const { apiVersion } = entry.manager;
    const first = firsts.get(apiVersion);
    if (first === undefined) {
      firsts.set(apiVersion, id);
      continue;
    }
    const manager: Manager = { name: ANCIENT, operation: "Update", apiVersion, subresource: "" };
    const bucket = managerId(manager);
    const merged = entries.get(bucket) ?? entries.get(first);
    if (!entries.has(bucket)) entries.delete(first);
    entries.delete(id);
    entries.set(bucket, { ...entry, manager, fields: union(entry.fields, merged?.fields ?? NO_FIELDS) });
    count--;
  }
  return entries;
}
