/** PUT, and what every write to an object that is there has in common. */

import { invalid } from "../../../admission/verdict.ts";
import { runMutating, runValidating } from "../admission/run.ts";
import { decodeBody } from "../decode/index.ts";
import type { JsonObject } from "../json.ts";
import { checkType } from "../lifecycle/create.ts";
import { isFinished } from "../lifecycle/delete.ts";
import { textOf, withMetadata } from "../lifecycle/metadata.ts";
import { notFound } from "../lifecycle/refusals.ts";
import { checkUid, checkVersion, keepOtherHalf, prepareUpdate } from "../lifecycle/update.ts";
import { keepTimes, trackInSteps } from "../patch/ownership/index.ts";
import { badRequest, StatusError } from "../status-error.ts";
import { inTurns } from "../steps.ts";
import type { ApiContext, Body, Caller, Target } from "./context.ts";
import { createObject, isNamespace, writeRequestOf } from "./create.ts";
import { refuseInvalid } from "./refusal.ts";
import { release, reserve } from "./reserve.ts";
import {
  complete,
  completeInSteps,
  errorsOfUpdate,
  expectedOf,
  inVersion,
  toStored,
  warningsOfWrite,
} from "./shape.ts";
import { strategyOf } from "./strategies.ts";
import { readWriteOptions, type WriteOptions } from "./write-options.ts";

/** A write, as clients are told of it: 201 when there was no such object. */
export interface Written {
  readonly object: JsonObject;
  readonly created: boolean;
}

/** A target that is one object. */
export type NamedTarget = Target & { readonly name: string };

/** Throws `StatusError`. */
export async function updateFromBody(
  context: ApiContext,
  target: NamedTarget,
  caller: Caller,
  body: Body,
): Promise<Written> {
  const options = readWriteOptions("UpdateOptions", caller);
  const { resource, name } = target;
  const { kind } = resource;
  const decoded = decodeBody(body.bytes, body.contentType, expectedOf(resource), options.fieldValidation);
  decoded.warnings.forEach(caller.warn);
  checkType(kind, decoded.object);
  const sent = withPathNames(target, decoded.object);
  const request = writeRequestOf(context, target, options);

  const created = (): Promise<JsonObject> =>
    createObject(context, target, caller, options, sent, (object) => trackInSteps(undefined, object, request));
  if (context.objects.find(kind, target.namespace, name) === undefined) {
    if (!kind.createOnUpdate || target.subresource !== undefined || textOf(sent, "uid") !== "")
      throw notFound(kind, name);
    return { object: await created(), created: true };
  }
  if (kind.versionRequired && textOf(sent, "resourceVersion") === "") {
    // Named by its resource: so it is upstream.
    const named = { group: kind.group, kind: kind.plural, plural: kind.plural };
    refuseInvalid(named, name, [invalid("metadata.resourceVersion", 0, "must be specified for an update")]);
  }
  if (caller.turn !== undefined) await caller.turn();
  const completed = await inTurns(completeInSteps(resource, sent, options.fieldValidation, caller.warn), caller.turn);
  if (caller.turn !== undefined) await caller.turn();
  const namesVersion = textOf(sent, "resourceVersion") !== "";
  const change = (live: JsonObject): JsonObject | Promise<JsonObject> => {
    checkUid(kind, live, sent);
    return inTurns(trackInSteps(live, completed, request), caller.turn);
  };
  const object = await updateObject(context, target, caller, options, change, namesVersion);
  return { object, created: false };
}

/** The body may leave out what the path says, and must not say otherwise. */
function withPathNames({ resource, namespace, name }: NamedTarget, sent: JsonObject): JsonObject {
  const inBody = textOf(sent, "namespace");
  if (resource.kind.namespaced && inBody !== "" && inBody !== namespace) {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
  const sentName = textOf(sent, "name");
  if (sentName === "") throw badRequest("name must be provided");
  if (sentName !== name) {
    throw badRequest(`the name of the object (${sentName}) does not match the name on the URL (${name})`);
  }
  return withMetadata(sent, { namespace: resource.kind.namespaced ? namespace : undefined });
}

/** What admission sees of a write through an endpoint that speaks of the object in other words: a Scale. */
export interface Spoken {
  readonly subresource: string;
  /** The object in these words. */
  readonly tell: (object: JsonObject) => JsonObject;
  /** The object with what is said in these words. Throws `StatusError` where that cannot be. */
  readonly take: (object: JsonObject, told: JsonObject) => JsonObject;
}

/** Lost races before a write gives up. */
const ATTEMPTS = 20;

/**
 * Replaces an object by what `change` makes of it, which has its defaults and managedFields. A race that is lost costs another
 * attempt on what is there then, unless the client has named the version that it means. Throws `StatusError`.
 */
export async function updateObject(
  context: ApiContext,
  target: NamedTarget,
  caller: Caller,
  options: WriteOptions,
  change: (live: JsonObject) => JsonObject | Promise<JsonObject>,
  namesVersion = false,
  spoken?: Spoken,
): Promise<JsonObject> {
  const { resource, namespace, name } = target;
  for (let attempt = 1; ; attempt++) {
    const live = inVersion(resource, context.objects.get(resource.kind, namespace, name));
    const made = change(live);
    const sent = made instanceof Promise ? await made : made;
    checkVersion(resource.kind, live, sent);
    try {
      return await replace(context, target, caller, options, live, sent, spoken);
    } catch (error) {
      const lost = error instanceof StatusError && error.reason === "Conflict";
      if (!lost || namesVersion || attempt === ATTEMPTS) throw error;
    }
  }
}

async function replace(
  context: ApiContext,
  { resource, namespace, name, subresource }: NamedTarget,
  caller: Caller,
  options: WriteOptions,
  live: JsonObject,
  sent: JsonObject,
  spoken: Spoken | undefined,
): Promise<JsonObject> {
  const { kind } = resource;
  const tell = (object: JsonObject): JsonObject => spoken?.tell(object) ?? object;
  const admission = {
    operation: "UPDATE",
    resource,
    subresource: spoken?.subresource ?? subresource,
    namespace: isNamespace(kind) ? name : namespace,
    name,
    old: tell(live),
    options: options.asObject,
    user: caller.user,
    dryRun: options.dryRun,
    warn: caller.warn,
  } as const;
  const { turn } = caller;
  if (turn !== undefined) await turn();
  const told = tell(sent);
  const changed = runMutating(context.plugins, { ...admission, object: told });
  const left = changed instanceof Promise ? await changed : changed;
  const mutated = left === told ? sent : (spoken?.take(sent, left) ?? left);
  const completed = mutated === sent ? sent : complete(resource, mutated, "Ignore", caller.warn);
  const { prepareUpdate: prepareKind, isHeld } = strategyOf(kind);
  const around = { gates: context.gates, now: context.clock.now(), user: caller.user };
  const halves = keepOtherHalf(kind, live, completed, subresource);
  const kept = prepareKind?.(live, halves, subresource, around) ?? halves;
  const reserved = reserve(context, kind, kept, live, options.dryRun, subresource);
  let isStored = false;
  try {
    const next = keepTimes(live, prepareUpdate(kind, live, reserved.object, subresource));
    if (turn !== undefined) await turn();
    const errors = inTurns(errorsOfUpdate(context, resource, live, next, subresource, caller.warn), turn);
    refuseInvalid(kind, name, errors instanceof Promise ? await errors : errors);
    if (turn !== undefined) await turn();
    if (subresource === undefined) warningsOfWrite(resource, next, live).forEach(caller.warn);
    const allowed = runValidating(context.plugins, { ...admission, object: tell(next) });
    if (allowed instanceof Promise) await allowed;
    if (options.dryRun || next === live) return next;
    if (isFinished(kind, next) && isHeld?.(next) !== true) {
      await context.objects.remove(kind, live);
      release(context, kind, live);
      return next;
    }
    const stored = await context.objects.replace(kind, live, toStored(resource, next));
    isStored = true;
    return inVersion(resource, stored);
  } finally {
    if (isStored) reserved.commit();
    else reserved.revert();
  }
}
