/**
 * Field management of one write: updates are tracked, applies are merged. This is the door that request handlers use.
 */
import { fromTimestamp, toTimestamp } from "../../../../core/clock.ts";
import { get, isList, isObject, type Json, type JsonObject, jsonEqual } from "../../json.ts";
import { emptyObject, kindType } from "../../schema/schema.ts";
import type { FieldType } from "../../schema/types.ts";
import { badRequest, internalError } from "../../status-error.ts";
import { type Conflict, conflictError } from "./conflicts.ts";
import { difference, type FieldSet, hasPath, setOfPaths, union } from "./field-set.ts";
import { fieldsLastApplied, withLastApplied } from "./last-applied.ts";
import {
  decodeManaged,
  type Managed,
  type ManagedEntry,
  ManagedFieldsError,
  type Manager,
  managedFieldsOf,
  managerId,
  NOBODY,
  withManaged,
  withoutManaged,
} from "./managed-fields.ts";
import { type Applied, ownApply, ownUpdate, type Write } from "./ownership.ts";
import { field } from "./path-element.ts";
import { customResetFields, resetFields } from "./reset-fields.ts";
import { validate } from "./validate.ts";

/** A kind that is defined in the cluster. */
export interface CustomKind {
  /** See `customResourceType`. */
  readonly type: FieldType;
  /** Whether its status is written through an endpoint of its own. */
  readonly hasStatus: boolean;
}

export interface WriteRequest {
  readonly apiVersion: string;
  readonly kind: string;
  /** The `fieldManager` of the request, or what stands for it. Empty counts as `unknown`. */
  readonly manager: string;
  /** Empty for the main endpoint. */
  readonly subresource?: string;
  /** Milliseconds since the epoch; becomes the time of the writer's entry if it changes something. */
  readonly now: number;
  /** What a custom resource is; built-in kinds are known. */
  readonly custom?: CustomKind;
}

/** Most entries of updates; older ones are merged into one. */
const MAX_UPDATE_ENTRIES = 10;
const ANCIENT = "ancient-changes";
const BEFORE_FIRST_APPLY = "before-first-apply";
/** The one applier that takes over from client-side apply. */
const KUBECTL = "kubectl";

/** Fields that identify or are kept by the server: nobody owns them. */
const STRIPPED: FieldSet = setOfPaths([
  ...["apiVersion", "kind", "metadata"].map((name) => [field(name)]),
  ...[
    "name",
    "namespace",
    "creationTimestamp",
    "selfLink",
    "uid",
    "clusterName",
    "generation",
    "managedFields",
    "resourceVersion",
  ].map((name) => [field("metadata"), field(name)]),
]);

/**
 * The object to store after a create, update or patch, with its managedFields. `live` is undefined for a create. `next` is
 * decoded and defaulted. managedFields in `next` are taken as the client's wish: an empty list, or one empty entry, resets
 * them; none, or unreadable ones, keep those of `live`. An object that has lost its managedFields stays without.
 */
export function trackUpdate(live: JsonObject | undefined, next: JsonObject, request: WriteRequest): JsonObject {
  const known = readWish(live, next, request.subresource ?? "");
  const bare = withoutManaged(next);
  if (live !== undefined && known.size === 0) return bare;
  const type = typeOf(request);
  if (validate(bare, type, { allowDuplicates: true }) !== undefined) return bare;
  return withManaged(bare, capped(updateEntries(live, bare, known, request)));
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
function updateEntries(
  live: JsonObject | undefined,
  next: JsonObject,
  managed: Managed,
  request: WriteRequest,
): Managed {
  const write = writeOf(request, "Update", managed);
  const before = live === undefined ? emptyObject(write.type) : withoutManaged(live);
  const { managed: left, taken } = ownUpdate(before, next, write);
  const own = difference(taken, STRIPPED);
  if (own.size === 0) return left;
  const id = managerId(write.manager);
  const fields = union(own, left.get(id)?.fields ?? new Map());
  return new Map(left).set(id, { manager: write.manager, fields, time: toTimestamp(request.now) });
}

/** Merges the oldest updates into one entry per version, until there are few enough. */
function capped(managed: Managed): Managed {
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
    entries.set(bucket, { ...entry, manager, fields: union(entry.fields, merged?.fields ?? new Map()) });
    count--;
  }
  return entries;
}

/**
 * The object to store after a server-side apply, with its managedFields; not defaulted. `live` is undefined when it is
 * created by this. Throws `StatusError`: 400 for another kind or with managedFields, 409 for conflicts (unless `force`),
 * and, as Kubernetes has it, 500 for what does not fit the schema.
 */
export function applyConfiguration(
  live: JsonObject | undefined,
  config: JsonObject,
  force: boolean,
  request: WriteRequest,
): JsonObject {
  checkConfig(config, request);
  const write = writeOf(request, "Apply", NOBODY);
  const object = live === undefined ? emptyObject(write.type) : withoutManaged(live);
  const managed = entriesBeforeApply(live, object, request);
  const attempt = (forced: boolean) => ownApply(object, config, forced, { ...write, managed });

  let applied = attempt(force);
  if (applied.kind === "conflict" && request.manager === KUBECTL) {
    const theirs = remainingConflicts(applied.conflicts, fieldsLastApplied(object, request.apiVersion, write.type));
    applied = theirs.length === 0 ? attempt(true) : { kind: "conflict", conflicts: theirs };
  }
  if (applied.kind === "conflict") throw conflictError(applied.conflicts);

  const result = applied.object ?? object;
  const stored = request.manager === KUBECTL ? withLastApplied(result, config) : result;
  return withManaged(stored, ownEntry(applied, write, request.now));
}

/** The entries with the applier's own stripped of what nobody owns, and with a new time if the object changed. */
function ownEntry({ object, managed }: Applied & { kind: "applied" }, { manager }: Write, now: number): Managed {
  const id = managerId(manager);
  const own = managed.get(id);
  const entries = new Map(managed);
  entries.delete(id);
  if (own === undefined) return entries;
  const fields = difference(own.fields, STRIPPED);
  const time = object === undefined ? {} : { time: toTimestamp(now) };
  return fields.size === 0 ? entries : entries.set(id, { ...own, fields, ...time });
}

function remainingConflicts(conflicts: readonly Conflict[], allowed: FieldSet): readonly Conflict[] {
  return conflicts.filter(({ path }) => !hasPath(allowed, path));
}

function checkConfig(config: JsonObject, request: WriteRequest): void {
  const type = typeOf(request);
  const [apiVersion, kind] = [textIn(config, "apiVersion"), textIn(config, "kind")];
  if (apiVersion !== request.apiVersion || kind !== request.kind) {
    throw badRequest(`invalid object type: ${gvkText(apiVersion, kind)}`);
  }
  const managedFields = managedFieldsOf(config);
  if (managedFields !== undefined && managedFields !== null) throw badRequest("metadata.managedFields must be nil");
  const error = validate(config, type, { allowDuplicates: false });
  if (error !== undefined) {
    throw internalError(`failed to create typed patch object (${objectText(config, request)}): ${error}`);
  }
}

/** An object that nobody is known to own anything of: all that is there belongs to those before the first apply. */
function entriesBeforeApply(live: JsonObject | undefined, bare: JsonObject, request: WriteRequest): Managed {
  const managed = live === undefined ? NOBODY : readLive(live);
  if (managed.size > 0 || live === undefined) return managed;
  return updateEntries(undefined, bare, managed, { ...request, manager: BEFORE_FIRST_APPLY });
}

function readLive(live: JsonObject): Managed {
  try {
    return decodeManaged(managedFieldsOf(live));
  } catch (error) {
    if (error instanceof ManagedFieldsError) throw internalError(`failed to decode managed fields: ${error.message}`);
    throw error;
  }
}

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

function writeOf(request: WriteRequest, operation: Manager["operation"], managed: Managed): Write {
  const { apiVersion, kind, subresource = "" } = request;
  const name = request.manager === "" ? "unknown" : request.manager;
  return {
    type: typeOf(request),
    managed,
    manager: { name, operation, apiVersion, subresource },
    ignored:
      request.custom === undefined
        ? resetFields(apiVersion, kind, subresource)
        : customResetFields(request.custom, subresource),
  };
}

/** A kind without a schema is merged key by key. */
function typeOf({ apiVersion, kind, custom }: WriteRequest): FieldType {
  return custom?.type ?? kindType(apiVersion, kind) ?? "any";
}

/** Go's print of a group, version and kind: `apps/v1, Kind=StatefulSet`, `/v1, Kind=Pod`. */
function gvkText(apiVersion: string, kind: string): string {
  return `${apiVersion.includes("/") ? apiVersion : `/${apiVersion}`}, Kind=${kind}`;
}

function objectText(config: JsonObject, { apiVersion, kind }: WriteRequest): string {
  const metadata = get(config, "metadata");
  const about = isObject(metadata) ? metadata : {};
  return `${textIn(about, "namespace")}/${textIn(about, "name")}; ${gvkText(apiVersion, kind)}`;
}

function textIn(object: JsonObject, key: string): string {
  const value = get(object, key);
  return typeof value === "string" ? value : "";
}
