/** Server-side apply: what somebody wants of an object, merged into it, with its owners. */
import { toTimestamp } from "../../../../core/clock.ts";
import { get, isObject, type JsonObject } from "../../json.ts";
import { badRequest, internalError } from "../../status-error.ts";
import { atOnce, type Steps } from "../../steps.ts";
import { type Conflict, conflictError } from "./conflicts.ts";
import { difference, type FieldSet, hasPath } from "./field-set.ts";
import { fieldsLastApplied, withLastApplied } from "./last-applied.ts";
import {
  decodeManaged,
  type Managed,
  ManagedFieldsError,
  managedFieldsOf,
  managerId,
  NOBODY,
  withManaged,
  withoutManaged,
} from "./managed-fields.ts";
import { type Applied, ownApply, type Write } from "./ownership.ts";
import { updateEntries } from "./track-update.ts";
import { validate } from "./validate.ts";
import { emptyOf, STRIPPED, typeOf, type WriteRequest, writeOf } from "./write-request.ts";

const BEFORE_FIRST_APPLY = "before-first-apply";
/** The one applier that takes over from client-side apply. */
const KUBECTL = "kubectl";

/**
 * The object to store after a server-side apply, with its managedFields; neither decoded nor defaulted: it may hold nulls.
 * `live` is undefined when it is created by this. Throws `StatusError`: 400 for another kind or with managedFields, 409 for conflicts (unless `force`),
 * and, as Kubernetes has it, 500 for what does not fit the schema.
 */
export function applyConfiguration(
  live: JsonObject | undefined,
  config: JsonObject,
  force: boolean,
  request: WriteRequest,
): JsonObject {
  return atOnce(applyInSteps(live, config, force, request));
}

/** The same, one walk over the object after the other. */
export function* applyInSteps(
  live: JsonObject | undefined,
  config: JsonObject,
  force: boolean,
  request: WriteRequest,
): Steps<JsonObject> {
  checkConfig(config, request);
  yield;
  const write = writeOf(request, "Apply", NOBODY);
  const object = live === undefined ? emptyOf(request) : withoutManaged(live);
  const managed = yield* entriesBeforeApply(live, object, request);
  yield;
  const attempt = (forced: boolean) => ownApply(object, config, forced, { ...write, managed });

  let applied = yield* attempt(force);
  if (applied.kind === "conflict" && request.manager === KUBECTL) {
    yield;
    const theirs = remainingConflicts(applied.conflicts, fieldsLastApplied(object, request.apiVersion, write.type));
    applied = theirs.length === 0 ? yield* attempt(true) : { kind: "conflict", conflicts: theirs };
  }
  if (applied.kind === "conflict") throw conflictError(applied.conflicts);

  yield;
  const result = applied.object ?? object;
  const stored = request.manager === KUBECTL ? withLastApplied(result, config) : result;
  return withManaged(stored, ownEntry(applied, write, request.now));
}

/** The entries with the applier's own stripped of what nobody owns, and with a new time if the object changed. */
function ownEntry(
  { object, managed }: Applied & { kind: "applied" },
  { manager }: Write,
  now: number | undefined,
): Managed {
  const id = managerId(manager);
  const own = managed.get(id);
  const entries = new Map(managed);
  entries.delete(id);
  if (own === undefined) return entries;
  const fields = difference(own.fields, STRIPPED);
  const time = object === undefined || now === undefined ? {} : { time: toTimestamp(now) };
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
  const error = validate(config, type);
  if (error !== undefined) {
    throw internalError(`failed to create typed patch object (${objectText(config, request)}): ${error}`);
  }
}

/** An object that nobody is known to own anything of: all that is there belongs to those before the first apply. */
function* entriesBeforeApply(live: JsonObject | undefined, bare: JsonObject, request: WriteRequest): Steps<Managed> {
  const managed = live === undefined ? NOBODY : readLive(live);
  if (managed.size > 0 || live === undefined) return managed;
  return yield* updateEntries(undefined, bare, managed, { ...request, manager: BEFORE_FIRST_APPLY });
}

function readLive(live: JsonObject): Managed {
  try {
    return decodeManaged(managedFieldsOf(live));
  } catch (error) {
    if (error instanceof ManagedFieldsError) throw internalError(`failed to decode managed fields: ${error.message}`);
    throw error;
  }
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
