/** POST: a new object. */

import { toTimestamp } from "../../../core/clock.ts";
import { runMutating, runValidating } from "../admission/run.ts";
import type { Resource } from "../catalog/resource.ts";
import { decodeBody } from "../decode/index.ts";
import { prepareForCreate } from "../defaults/creation.ts";
import { get, type JsonObject, jsonEqual } from "../json.ts";
import { groupVersionOf, type Kind } from "../kinds/kind.ts";
import { checkType, prepareCreate } from "../lifecycle/create.ts";
import { textOf } from "../lifecycle/metadata.ts";
import { alreadyExists, isAlreadyExists, noUniqueName } from "../lifecycle/refusals.ts";
import { trackInSteps, type WriteRequest } from "../patch/ownership/index.ts";
import { canonicalField } from "../protobuf/canonical.ts";
import { inTurns, type Steps } from "../steps.ts";
import type { ApiContext, Body, Caller, Target } from "./context.ts";
import { refuseInvalid } from "./refusal.ts";
import { reserve } from "./reserve.ts";
import { complete, completeInSteps, errorsOfNew, expectedOf, inVersion, toStored, warningsOfWrite } from "./shape.ts";
import { strategyOf } from "./strategies.ts";
import { readWriteOptions, type WriteOptions } from "./write-options.ts";

/** The object as it was stored. Throws `StatusError`, at once or later. */
export function createFromBody(context: ApiContext, target: Target, caller: Caller, body: Body): Promise<JsonObject> {
  const options = readWriteOptions("CreateOptions", caller);
  const { resource } = target;
  const decoded = decodeBody(body.bytes, body.contentType, expectedOf(resource), options.fieldValidation);
  decoded.warnings.forEach(caller.warn);
  checkType(resource.kind, decoded.object);
  const own: Owning = (object) => trackInSteps(undefined, object, writeRequestOf(context, target, options));
  return createObject(context, target, caller, options, decoded.object, own);
}

/** The object with its managedFields. */
export type Owning = (object: JsonObject) => Steps<JsonObject>;

/** So many names are tried where the server is to find one (upstream RetryGenerateName). */
const NAMES_TRIED = 8;

/**
 * Stores a new object that was decoded. `own` tells who owns its fields, when it has its defaults and nothing more: what
 * plugins add later is nobody's. It is left out where that was told before.
 */
export function createObject(...how: Parameters<typeof createOnce>): Promise<JsonObject> {
  const [, , , , sent] = how;
  if (textOf(sent, "generateName") === "") return createOnce(...how);
  return createUnderSomeName(textOf(sent, "name") === "" ? NAMES_TRIED : 1, how);
}

async function createUnderSomeName(tries: number, how: Parameters<typeof createOnce>): Promise<JsonObject> {
  try {
    return await createOnce(...how);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    if (tries === 1) throw noUniqueName(error);
  }
  return createUnderSomeName(tries - 1, how);
}

async function createOnce(
  context: ApiContext,
  { resource, namespace, subresource }: Target,
  caller: Caller,
  options: WriteOptions,
  sent: JsonObject,
  own?: Owning,
): Promise<JsonObject> {
  const { kind } = resource;
  const { turn } = caller;
  if (turn !== undefined) await turn();
  const completing = inTurns(completeInSteps(resource, sent, options.fieldValidation, caller.warn), turn);
  const whole = completing instanceof Promise ? await completing : completing;
  if (turn !== undefined) await turn();
  const owning = own === undefined ? whole : inTurns(own(whole), turn);
  const owned = owning instanceof Promise ? await owning : owning;
  if (turn !== undefined) await turn();
  const now = toTimestamp(context.clock.now());
  const named = prepareCreate(kind, owned, { namespace, now, chance: context.chance });
  const name = textOf(named, "name");
  const admission = {
    operation: "CREATE",
    resource,
    subresource,
    namespace: isNamespace(kind) ? name : namespace,
    name,
    old: undefined,
    options: options.asObject,
    user: caller.user,
    dryRun: options.dryRun,
    warn: caller.warn,
  } as const;
  const changed = runMutating(context.plugins, { ...admission, object: named });
  const mutated = changed instanceof Promise ? await changed : changed;
  const completed = isComplete(named, mutated) ? mutated : complete(resource, mutated, "Ignore", caller.warn);
  const reserved = reserve(context, kind, begin(context, resource, caller, completed), undefined, options.dryRun);
  const { object } = reserved;
  let isStored = false;
  try {
    if (turn !== undefined) await turn();
    const errors = inTurns(errorsOfNew(resource, object), turn);
    refuseInvalid(kind, name, errors instanceof Promise ? await errors : errors);
    if (turn !== undefined) await turn();
    warningsOfWrite(resource, object, undefined).forEach(caller.warn);
    const allowed = runValidating(context.plugins, { ...admission, object });
    if (allowed instanceof Promise) await allowed;
    if (options.dryRun) {
      const there = context.objects.find(kind, namespace, name);
      if (there !== undefined) throw alreadyExists(kind, name, textOf(there, "deletionTimestamp") !== "");
      return object;
    }
    const stored = await context.objects.create(kind, toStored(resource, object));
    isStored = true;
    return inVersion(resource, stored);
  } finally {
    if (isStored) reserved.commit();
    else reserved.revert();
  }
}

/** A plugin that touches metadata alone, as most do, leaves nothing to be filled in or put into form. */
function isComplete(before: JsonObject, after: JsonObject): boolean {
  return Object.keys(after).every((key) => key === "metadata" || get(after, key) === get(before, key));
}

/** To admission a namespace is in itself. */
export function isNamespace({ kind, group }: Kind): boolean {
  return kind === "Namespace" && group === "";
}

/** The status is the server's to begin; it is shown in full, as much of it as there is. */
function begin(
  { gates, clock }: ApiContext,
  { kind, custom }: Resource,
  { user }: Caller,
  object: JsonObject,
): JsonObject {
  if (custom === undefined) {
    const begun = prepareForCreate(object);
    const shown = get(begun, "status") === get(object, "status") ? begun : withShownStatus(begun, kind);
    return strategyOf(kind).prepareCreate?.(shown, { gates, now: clock.now(), user }) ?? shown;
  }
  if (!custom.hasStatus) return object;
  const { status: _, ...rest } = object;
  return rest;
}

function withShownStatus(object: JsonObject, kind: Kind): JsonObject {
  const given = get(object, "status");
  const shown = canonicalField(groupVersionOf(kind), kind.kind, "status", given);
  if (shown !== undefined) return jsonEqual(shown, given ?? null) ? object : { ...object, status: shown };
  const { status: _, ...rest } = object;
  return rest;
}

export function writeRequestOf(
  { clock }: ApiContext,
  { resource, subresource }: Target,
  { manager }: WriteOptions,
): WriteRequest {
  return {
    apiVersion: groupVersionOf(resource.kind),
    kind: resource.kind.kind,
    manager,
    now: clock.now(),
    ...(subresource === undefined ? {} : { subresource }),
    ...(resource.custom === undefined ? {} : { custom: resource.custom }),
  };
}
