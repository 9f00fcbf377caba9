/** PATCH, in its four forms. */

import { checkPatched, decodePatch, type Patch, type PatchForm, refusalOfPatched } from "../decode/index.ts";
import { unsupportedMediaType } from "../http/status.ts";
import { isObject, type Json, type JsonObject } from "../json.ts";
import { groupVersionOf } from "../kinds/kind.ts";
import { textOf } from "../lifecycle/metadata.ts";
import { conflict, notFound } from "../lifecycle/refusals.ts";
import { jsonPatch } from "../patch/json-patch.ts";
import { mergePatch } from "../patch/merge-patch.ts";
import { applyInSteps, trackInSteps } from "../patch/ownership/index.ts";
import { strategicMergePatch } from "../patch/strategic-merge-patch.ts";
import { kindType } from "../schema/schema.ts";
import { badRequest } from "../status-error.ts";
import { inTurns, type Steps } from "../steps.ts";
import type { ApiContext, Body, Caller } from "./context.ts";
import { createObject, writeRequestOf } from "./create.ts";
import { completeInSteps, expectedOf } from "./shape.ts";
import { type NamedTarget, updateObject, type Written } from "./update.ts";
import { readWriteOptions, type WriteOptions } from "./write-options.ts";

const JSON_PATCH = "application/json-patch+json";
const MERGE_PATCH = "application/merge-patch+json";
const STRATEGIC = "application/strategic-merge-patch+json";
export const APPLY = "application/apply-patch+yaml";
const PLAIN_FORMS: readonly string[] = [JSON_PATCH, MERGE_PATCH, STRATEGIC];

/** Throws `StatusError`: 415 for a form that the resource does not take. */
export async function patchFromBody(
  context: ApiContext,
  target: NamedTarget,
  caller: Caller,
  body: Body,
): Promise<Written> {
  const form = formOf(body);
  const plain = target.resource.custom === undefined ? PLAIN_FORMS : PLAIN_FORMS.filter((each) => each !== STRATEGIC);
  if (form === APPLY) return applyPatch(context, target, caller, body);
  if (!plain.includes(form)) throw unsupportedMediaType([...plain, APPLY], target.resource.custom !== undefined);
  return plainPatch(context, target, caller, body);
}

async function plainPatch(context: ApiContext, target: NamedTarget, caller: Caller, body: Body): Promise<Written> {
  const { options, change } = patchOf(target, caller, body);
  const request = writeRequestOf(context, target, options);
  const written = function* (live: JsonObject): Steps<JsonObject> {
    const changed = yield* change(live);
    yield;
    const completed = yield* completeInSteps(target.resource, changed, options.fieldValidation, caller.warn, (why) =>
      refusalOfPatched(changed, why),
    );
    yield;
    return yield* trackInSteps(live, completed, request);
  };
  const object = await updateObject(context, target, caller, options, (live) => inTurns(written(live), caller.turn));
  return { object, created: false };
}

/** What a patch that is none of an apply does to an object of the resource; the result is read as if it had been sent. */
export function patchOf(
  target: NamedTarget,
  caller: Caller,
  body: Body,
): { readonly options: WriteOptions; readonly change: (live: JsonObject) => Steps<JsonObject> } {
  const form = formOf(body);
  if (!PLAIN_FORMS.includes(form)) throw unsupportedMediaType(PLAIN_FORMS, false);
  const options = readWriteOptions("PatchOptions", caller);
  const patch = decodePatch(body.bytes, form as PatchForm);
  const change = function* (live: JsonObject): Steps<JsonObject> {
    const patched = applied(live, patch, target);
    yield;
    return yield* decoded(target, caller, options, patch, patched);
  };
  return { options, change };
}

/** The media type alone. */
export function formOf({ contentType = "" }: Body): string {
  return contentType.split(";")[0]?.trim() ?? "";
}

/** What the patch makes of the object. */
function applied(live: JsonObject, { form, patch }: Patch, { resource: { kind } }: NamedTarget): JsonObject {
  if (form === JSON_PATCH) return objectOf(jsonPatch(live, patch));
  if (form === MERGE_PATCH) return objectOf(mergePatch(live, patch));
  return strategicMergePatch(live, objectOf(patch), kindType(groupVersionOf(kind), kind.kind) ?? "any");
}

/** A patch that must be an object, or lead to one. */
export function objectOf(value: Json): JsonObject {
  if (!isObject(value)) throw badRequest("the patch does not lead to an object");
  return value;
}

/** The result is read as if it had been sent, as strictly as the client asks. */
function* decoded(
  { resource }: NamedTarget,
  caller: Caller,
  options: WriteOptions,
  patch: Patch,
  patched: JsonObject,
): Steps<JsonObject> {
  const { object, warnings } = yield* checkPatched(patched, patch, expectedOf(resource), options.fieldValidation);
  warnings.forEach(caller.warn);
  return object;
}

async function applyPatch(context: ApiContext, target: NamedTarget, caller: Caller, body: Body): Promise<Written> {
  const options = readWriteOptions("PatchOptions", caller, true);
  const { resource, namespace, name, subresource } = target;
  const patch = decodePatch(body.bytes, APPLY);
  const config = objectOf(patch.patch);
  checkNames(target, config);
  const request = writeRequestOf(context, target, options);
  const applied = function* (live: JsonObject | undefined): Steps<JsonObject> {
    const made = yield* applyInSteps(live, config, options.force, request);
    yield;
    return yield* decoded(target, caller, options, patch, made);
  };
  const { turn } = caller;
  if (turn !== undefined) await turn();
  if (context.objects.find(resource.kind, namespace, name) === undefined) {
    if (subresource !== undefined) throw notFound(resource.kind, name);
    const uid = textOf(config, "uid");
    if (uid !== "") {
      const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
      throw conflict(resource.kind, name, why);
    }
    if (textOf(config, "name") === "") {
      throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
    }
    const made = await inTurns(applied(undefined), turn);
    const created = await createObject(context, target, caller, options, made);
    return { object: created, created: true };
  }
  const written = function* (live: JsonObject): Steps<JsonObject> {
    const made = yield* applied(live);
    yield;
    return yield* completeInSteps(resource, made, "Ignore", caller.warn);
  };
  const object = await updateObject(context, target, caller, options, (live) => inTurns(written(live), turn));
  return { object, created: false };
}

/** What it says of its name and place must be what the path says. */
function checkNames({ name, namespace, resource: { kind } }: NamedTarget, config: JsonObject): void {
  const sentName = textOf(config, "name");
  if (sentName !== "" && sentName !== name) {
    throw badRequest(`the name of the object (${sentName}) does not match the name on the URL (${name})`);
  }
  const sentNamespace = textOf(config, "namespace");
  if (kind.namespaced && sentNamespace !== "" && sentNamespace !== namespace) {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
}
