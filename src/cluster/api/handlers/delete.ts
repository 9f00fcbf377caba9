/** DELETE: of one object, and of all that a selector finds. */

import { type FieldError, invalid, notSupported } from "../../../admission/verdict.ts";
import { runValidating } from "../admission/run.ts";
import { decodeBody } from "../decode/index.ts";
import { success } from "../http/status.ts";
import { get, isObject, type JsonObject } from "../json.ts";
import { type DeleteOptions, type Propagation, prepareDelete } from "../lifecycle/delete.ts";
import { textOf } from "../lifecycle/metadata.ts";
import { StatusError } from "../status-error.ts";
import type { ApiContext, Body, Caller, Target } from "./context.ts";
import { isNamespace } from "./create.ts";
import { listItems } from "./read.ts";
import { release } from "./reserve.ts";
import { inVersion, toStored } from "./shape.ts";
import { strategyOf } from "./strategies.ts";
import type { NamedTarget } from "./update.ts";
import { checkDryRun, refuse } from "./write-options.ts";

export interface Options extends DeleteOptions {
  readonly dryRun: boolean;
  readonly asObject: JsonObject;
}

/** The answer: the object while it waits for its end, or what is left to say. Throws `StatusError`. */
export async function deleteOne(
  context: ApiContext,
  target: NamedTarget,
  caller: Caller,
  body: Body,
): Promise<JsonObject> {
  const options = readDeleteOptions(caller, body);
  const { kind } = target.resource;
  const { deletionWarning } = strategyOf(kind);
  if (deletionWarning !== undefined && options.propagationPolicy === undefined) caller.warn(deletionWarning);
  const { object, gone } = await deleteObject(context, target, caller, options);
  return gone && kind.deleteAnswers === "status" ? success(kind, target.name, textOf(object, "uid")) : object;
}

/** The answer: a list of what was deleted, as it was. */
export async function deleteMany(
  context: ApiContext,
  target: Target,
  caller: Caller,
  body: Body,
): Promise<{ readonly items: readonly JsonObject[]; readonly resourceVersion: string }> {
  const options = readDeleteOptions(caller, body);
  const { items, metadata } = listItems(context, target, caller);
  const deleted: JsonObject[] = [];
  for (const item of items) {
    const one = { ...target, namespace: textOf(item, "namespace") || undefined, name: textOf(item, "name") };
    try {
      deleted.push((await deleteObject(context, one, caller, options)).object);
    } catch (error) {
      // Somebody else was quicker.
      if (!(error instanceof StatusError) || error.code !== 404) throw error;
    }
  }
  return { items: deleted, resourceVersion: metadata.resourceVersion };
}

const ATTEMPTS = 20;

/** Deletes as the options say, whoever asks. `gone`: it is there no longer; else it waits for its end. */
export async function deleteObject(
  context: ApiContext,
  { resource, namespace, name, subresource }: NamedTarget,
  caller: Caller,
  options: Options,
): Promise<{ readonly object: JsonObject; readonly gone: boolean }> {
  const { kind } = resource;
  const { prepareDelete: prepareKind, isHeld } = strategyOf(kind);
  for (let attempt = 1; ; attempt++) {
    const live = inVersion(resource, context.objects.get(kind, namespace, name));
    await runValidating(context.plugins, {
      operation: "DELETE",
      resource,
      subresource,
      namespace: isNamespace(kind) ? name : namespace,
      name,
      object: undefined,
      old: live,
      options: options.asObject,
      user: caller.user,
      dryRun: options.dryRun,
      warn: caller.warn,
    });
    const held = isHeld?.(live) === true;
    const deletion = prepareDelete(kind, live, options, context.clock.now(), held);
    try {
      if (deletion.kind === "remove") {
        const { last = live } = deletion;
        if (options.dryRun) return { object: last, gone: true };
        const removed = await context.objects.remove(kind, await context.objects.replace(kind, live, last));
        release(context, kind, removed);
        return { object: inVersion(resource, removed), gone: true };
      }
      const marked = deletion.object === live ? live : (prepareKind?.(deletion.object) ?? deletion.object);
      if (options.dryRun) return { object: marked, gone: false };
      const stored = await context.objects.replace(kind, live, marked === live ? live : toStored(resource, marked));
      return { object: inVersion(resource, stored), gone: false };
    } catch (error) {
      const lost = error instanceof StatusError && error.reason === "Conflict";
      if (!lost || attempt === ATTEMPTS) throw error;
    }
  }
}

const POLICIES: readonly string[] = ["Orphan", "Background", "Foreground"];
const EXPECTED = {
  apiVersion: "v1",
  kind: "DeleteOptions",
  type: { ref: "meta.v1.DeleteOptions" },
  custom: false,
} as const;

/** From the body, or from the query when there is none. */
export function readDeleteOptions({ query }: Pick<Caller, "query">, { bytes, contentType }: Body): Options {
  const given = bytes.length === 0 ? fromQuery(query) : decodeBody(bytes, contentType, EXPECTED, "Ignore").object;
  return deleteOptionsOf(given, query);
}

/** Throws 422 for what makes no sense. */
export function deleteOptionsOf(given: JsonObject, query: URLSearchParams): Options {
  const policy = get(given, "propagationPolicy");
  const orphan = get(given, "orphanDependents");
  const dryRun = [...listOf(get(given, "dryRun")), ...query.getAll("dryRun")];
  const seconds = get(given, "gracePeriodSeconds");
  refuse("DeleteOptions", [...checkPolicy(policy, orphan), ...checkDryRun(dryRun)]);
  const preconditions = get(given, "preconditions");
  const propagation = policy ?? (typeof orphan === "boolean" ? (orphan ? "Orphan" : "Background") : undefined);
  return {
    dryRun: dryRun.length > 0,
    asObject: { kind: "DeleteOptions", apiVersion: "meta.k8s.io/v1", ...given },
    ...(typeof propagation === "string" ? { propagationPolicy: propagation as Propagation } : {}),
    ...(typeof seconds === "number" ? { gracePeriodSeconds: seconds } : {}),
    ...(isObject(preconditions) ? { preconditions } : {}),
  };
}

function checkPolicy(policy: unknown, orphan: unknown): FieldError[] {
  if (policy === undefined || policy === null) return [];
  if (orphan !== undefined && orphan !== null) {
    return [invalid("propagationPolicy", policy, "orphanDependents and deletionPropagation cannot be both set")];
  }
  return POLICIES.includes(policy as string)
    ? []
    : [notSupported("propagationPolicy", policy, ["Foreground", "Background", "Orphan", "nil"])];
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function fromQuery(query: URLSearchParams): JsonObject {
  const seconds = query.get("gracePeriodSeconds");
  const policy = query.get("propagationPolicy");
  const orphan = query.get("orphanDependents");
  return {
    ...(seconds === null ? {} : { gracePeriodSeconds: Number(seconds) }),
    ...(policy === null ? {} : { propagationPolicy: policy }),
    ...(orphan === null ? {} : { orphanDependents: orphan === "true" }),
  };
}
