/** The `scale` of an object: how many it asks for and has, in the same words for every kind that has one. */
import { invalid } from "../../../admission/verdict.ts";
import type { Resource, ScalePaths } from "../catalog/resource.ts";
import { get, isList, isObject, type Json, type JsonObject } from "../json.ts";
import { groupVersionOf, kindsOf } from "../kinds/kind.ts";
import { checkType } from "../lifecycle/create.ts";
import { metadataOf, textOf, withMetadata } from "../lifecycle/metadata.ts";
import { checkUid } from "../lifecycle/update.ts";
import { applyConfiguration, trackUpdate, type WriteRequest } from "../patch/ownership/index.ts";
import { selectorFromObject } from "../selectors/label-selector.ts";
import { AGE, column, INTEGER, NAME, printer } from "../table/printer.ts";
import type { ApiContext, Caller } from "./context.ts";
import { writeRequestOf } from "./create.ts";
import { refuseInvalid } from "./refusal.ts";
import { complete } from "./shape.ts";
import { type NamedTarget, type Spoken, updateObject } from "./update.ts";
import type { WriteOptions } from "./write-options.ts";

const [SCALE_KIND] = kindsOf("autoscaling/v1", [{ kind: "Scale", plural: "scales" }]);
const BUILT_IN_PATHS: ScalePaths = { specReplicas: ".spec.replicas", statusReplicas: ".status.replicas" };

const SCALE_PRINTER = printer([
  { ...NAME, format: "" },
  column("Desired", (scale) => numberAt(scale, ".spec.replicas"), INTEGER),
  column("Available", (scale) => numberAt(scale, ".status.replicas"), INTEGER),
  AGE,
]);

/** What the endpoint speaks, to decode and to print. */
export function scaleResource(): Resource {
  if (SCALE_KIND === undefined) throw new Error("no row for Scale");
  return { kind: SCALE_KIND, printer: SCALE_PRINTER };
}

/** The scale of an object. */
export function scaleOf({ custom }: Resource, object: JsonObject): JsonObject {
  const paths = custom?.scale ?? BUILT_IN_PATHS;
  const metadata = metadataOf(object);
  const kept = ["name", "namespace", "uid", "resourceVersion", "creationTimestamp"].flatMap((field) => {
    const value = get(metadata, field);
    return value === undefined ? [] : [[field, value] as const];
  });
  const replicas = numberAt(object, paths.specReplicas);
  const selector = selectorText(object, custom?.scale);
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: Object.fromEntries(kept),
    spec: replicas === 0 ? {} : { replicas },
    status: { replicas: numberAt(object, paths.statusReplicas), ...(selector === "" ? {} : { selector }) },
  };
}

/** Writes the wish of a scale into its object; gives the scale as it is then. */
export async function updateScale(
  context: ApiContext,
  target: NamedTarget,
  caller: Caller,
  options: WriteOptions,
  change: (scale: JsonObject) => JsonObject,
  namesVersion: boolean,
): Promise<JsonObject> {
  const { resource } = target;
  const request = scaleRequest(context, target, options);
  const write = (live: JsonObject): JsonObject => {
    const wanted = change(scaleOf(resource, live));
    checkUid(resource.kind, live, wanted);
    const replicas = readReplicas(target, wanted);
    const next = withPreconditions(setAt(live, pathOf(resource), replicas), wanted);
    const tracked = trackUpdate(live, next, request);
    // No replicas are none that a scale could show: nobody owns them through it.
    return replicas === 0 ? withoutEntry(tracked, request.manager) : tracked;
  };
  const of = { ...target, subresource: undefined };
  return scaleOf(resource, await updateObject(context, of, caller, options, write, namesVersion, asScale(target)));
}

/** Server-side apply: the wish of `config`, which is a Scale, belongs to whoever applies it. */
export async function applyScale(
  context: ApiContext,
  target: NamedTarget,
  caller: Caller,
  options: WriteOptions,
  config: JsonObject,
): Promise<JsonObject> {
  const { resource, name } = target;
  const { kind } = resource;
  checkType(scaleResource().kind, config);
  const own = { apiVersion: groupVersionOf(kind), kind: kind.kind, metadata: { name } };
  const wish = setAt(own, pathOf(resource), readReplicas(target, config));
  const request = scaleRequest(context, target, options);
  const write = (live: JsonObject): JsonObject =>
    complete(resource, applyConfiguration(live, wish, options.force, request), "Ignore", caller.warn);
  const of = { ...target, subresource: undefined };
  return scaleOf(resource, await updateObject(context, of, caller, options, write, false, asScale(target)));
}

/** Plugins, policies and webhooks see a Scale before and behind it, and may change that. */
function asScale(target: NamedTarget): Spoken {
  const { resource } = target;
  return {
    subresource: "scale",
    tell: (object) => scaleOf(resource, object),
    take: (object, scale) => setAt(object, pathOf(resource), readReplicas(target, scale)),
  };
}

/** Upstream notes who scales, and not when. */
function scaleRequest(context: ApiContext, target: NamedTarget, options: WriteOptions): WriteRequest {
  return { ...writeRequestOf(context, target, options), now: undefined };
}

function pathOf({ custom }: Resource): string[] {
  return stepsOf((custom?.scale ?? BUILT_IN_PATHS).specReplicas);
}

/** Throws 422 below nothing; a custom resource is asked itself. */
function readReplicas({ resource, name }: NamedTarget, scale: JsonObject): number {
  const replicas = numberAt(scale, ".spec.replicas");
  if (replicas < 0 && resource.custom === undefined) {
    const errors = [invalid("spec.replicas", replicas, "must be greater than or equal to 0")];
    refuseInvalid(scaleResource().kind, name, errors);
  }
  return replicas;
}

function withoutEntry(object: JsonObject, manager: string): JsonObject {
  const managed = get(metadataOf(object), "managedFields");
  if (!isList(managed)) return object;
  const left = managed.filter(
    (each) => !isObject(each) || each["manager"] !== manager || each["subresource"] !== "scale",
  );
  return withMetadata(object, { managedFields: left.length === 0 ? undefined : left });
}

/** A scale that names a version means that of its object. */
function withPreconditions(object: JsonObject, scale: JsonObject): JsonObject {
  const metadata = { ...metadataOf(object) };
  for (const field of ["resourceVersion", "name"]) {
    const named = textOf(scale, field);
    if (named !== "") metadata[field] = named;
  }
  return { ...object, metadata };
}

/** A custom resource shows it as text, at a path of its own. */
function selectorText(object: JsonObject, custom: ScalePaths | undefined): string {
  if (custom !== undefined) {
    const text = custom.labelSelector === undefined ? "" : at(object, stepsOf(custom.labelSelector));
    return typeof text === "string" ? text : "";
  }
  const found = at(object, ["spec", "selector"]);
  if (!isObject(found)) return "";
  // The selector of a ReplicationController is labels alone.
  const isPlain = Object.values(found).every((value) => typeof value === "string");
  return String(selectorFromObject(isPlain ? { matchLabels: found as Record<string, string> } : found));
}

function stepsOf(path: string): string[] {
  return path.split(".").filter((step) => step !== "");
}

function at(object: JsonObject, [step, ...rest]: readonly string[]): Json | undefined {
  const value = step === undefined ? undefined : get(object, step);
  if (rest.length === 0) return value;
  return isObject(value) ? at(value, rest) : undefined;
}

function numberAt(object: JsonObject, path: string): number {
  const value = at(object, stepsOf(path));
  return typeof value === "number" ? value : 0;
}

function setAt(object: JsonObject, [step, ...rest]: readonly string[], value: Json): JsonObject {
  if (step === undefined) return object;
  const inner = get(object, step);
  return { ...object, [step]: rest.length === 0 ? value : setAt(isObject(inner) ? inner : {}, rest, value) };
}
