/** From a verb and what it is about to the handler that does it, and its answer as text. */
import type { Resource } from "../catalog/resource.ts";
import { decodeBody, decodePatch } from "../decode/index.ts";
import type { Text } from "../encode/writer.ts";
import { methodNotAllowed, unknownPath } from "../http/status.ts";
import type { JsonObject } from "../json.ts";
import { resourceName } from "../kinds/kind.ts";
import { checkType } from "../lifecycle/create.ts";
import { textOf } from "../lifecycle/metadata.ts";
import { atOnce } from "../steps.ts";
import { type Form, itemsText, listText, objectText, readForm } from "./answer.ts";
import type { ApiContext, Body, Caller, Target } from "./context.ts";
import { createFromBody } from "./create.ts";
import { deleteMany, deleteOne } from "./delete.ts";
import { APPLY, formOf, objectOf, patchFromBody, patchOf } from "./patch.ts";
import { listItems, readObject } from "./read.ts";
import { applyScale, scaleOf, scaleResource, updateScale } from "./scale.ts";
import { expectedOf } from "./shape.ts";
import { withTurns } from "./turns.ts";
import { type NamedTarget, updateFromBody } from "./update.ts";
import { readWriteOptions } from "./write-options.ts";

export type Verb = "get" | "list" | "watch" | "create" | "update" | "patch" | "delete" | "deletecollection";

export interface Answer {
  readonly code: number;
  readonly text: Text;
  /** Undefined: JSON. */
  readonly contentType: string | undefined;
}

/** A request that is about no object of the kind in its path: reviews, evictions, bindings, tokens, logs. */
export type Action = (context: ApiContext, target: Target, caller: Caller, body: Body) => Promise<Acted>;

export interface Acted {
  readonly code: number;
  readonly object: JsonObject;
}

/** By the name that RBAC knows: `pods/eviction`, `selfsubjectaccessreviews.authorization.k8s.io`. */
export type Actions = ReadonlyMap<string, Action>;

export interface ApiRequest {
  readonly verb: Exclude<Verb, "watch">;
  readonly target: Target;
  readonly caller: Caller;
  readonly accept: string | undefined;
  /** Read only by the verbs that have one. */
  readonly body: () => Promise<Body>;
}

/** Throws `StatusError` for whatever is refused. */
export async function dispatch(context: ApiContext, actions: Actions, request: ApiRequest): Promise<Answer> {
  const { verb, target, caller, accept } = request;
  const form = readForm({ accept, caller, target });
  const { contentType } = form.writer;
  const say = (object: JsonObject, code = 200, resource: Resource = target.resource): Answer => ({
    code,
    text: objectText(context, resource, object, form),
    contentType,
  });
  const action = actions.get(actionName(target));
  if (action !== undefined) {
    const { object, code } = await action(context, target, caller, await request.body());
    return say(object, code);
  }
  if (target.subresource === "scale") return say(await scale(context, request), 200, scaleResource());

  switch (verb) {
    case "get":
      return say(readObject(context, named(target), caller.query));
    case "list":
      return list(context, target, caller, form);
    case "create": {
      if (target.name !== undefined) throw methodNotAllowed();
      warnWhenInert(target, caller);
      const body = await request.body();
      const writer = withTurns(context, target, caller, body);
      const created = await createFromBody(context, target, writer, body);
      if (writer.turn !== undefined) await writer.turn();
      return say(created, 201);
    }
    case "update":
    case "patch": {
      const write = verb === "update" ? updateFromBody : patchFromBody;
      warnWhenInert(target, caller);
      const body = await request.body();
      const writer = withTurns(context, target, caller, body);
      const { object, created } = await write(context, named(target), writer, body);
      if (writer.turn !== undefined) await writer.turn();
      return say(object, created ? 201 : 200);
    }
    case "delete":
      return say(await deleteOne(context, named(target), caller, await request.body()));
    case "deletecollection": {
      const { items, resourceVersion } = await deleteMany(context, target, caller, await request.body());
      return { code: 200, text: itemsText(context, target, { resourceVersion }, items, form), contentType };
    }
  }
}

function list(context: ApiContext, target: Target, caller: Caller, form: Form): Answer {
  const text = listText(context, target, listItems(context, target, caller), form);
  return { code: 200, text, contentType: form.writer.contentType };
}

export function actionName({ resource, subresource }: Target): string {
  const name = resourceName(resource.kind);
  return subresource === undefined ? name : `${name}/${subresource}`;
}

function named(target: Target): NamedTarget {
  const { name } = target;
  if (name === undefined) throw unknownPath();
  return { ...target, name };
}

async function scale(context: ApiContext, { verb, target, caller, body }: ApiRequest): Promise<JsonObject> {
  const { resource } = target;
  const of = named(target);
  if (verb === "get") return scaleOf(resource, readObject(context, of, caller.query));
  if (verb === "update") {
    const options = readWriteOptions("UpdateOptions", caller);
    const { bytes, contentType } = await body();
    const decoded = decodeBody(bytes, contentType, expectedOf(scaleResource()), options.fieldValidation);
    decoded.warnings.forEach(caller.warn);
    checkType(scaleResource().kind, decoded.object);
    const namesVersion = textOf(decoded.object, "resourceVersion") !== "";
    return updateScale(context, of, caller, options, () => decoded.object, namesVersion);
  }
  if (verb !== "patch") throw methodNotAllowed();
  const sent = await body();
  if (formOf(sent) === APPLY) {
    const options = readWriteOptions("PatchOptions", caller, true);
    return applyScale(context, of, caller, options, objectOf(decodePatch(sent.bytes, APPLY).patch));
  }
  const { options, change } = patchOf({ ...of, resource: scaleResource() }, caller, sent);
  return updateScale(context, of, caller, options, (scale) => atOnce(change(scale)), false);
}

/** Honest about what it is: nobody should wait for something that will never happen. */
function warnWhenInert({ resource: { kind }, subresource }: Target, { warn }: Caller): void {
  if (kind.acted === "acted" || subresource !== undefined) return;
  warn(`${resourceName(kind)} are stored in this cluster, and nothing acts on them`);
}
