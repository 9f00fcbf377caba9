/**
 * The annotation of client-side apply, and how an object moves from it to server-side apply: what `kubectl apply` wrote
 * and nobody changed since may be taken over by `kubectl apply --server-side` without a conflict.
 */
import { fromEntries, get, isObject, type Json, type JsonObject } from "../../json.ts";
import type { FieldType } from "../../schema/types.ts";
import { compare } from "./compare.ts";
import { difference, type FieldSet, NO_FIELDS } from "./field-set.ts";
import { goJson } from "./path-element.ts";
import { toFieldSet } from "./to-field-set.ts";
import { validate } from "./validate.ts";

export const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/** All annotations of an object together may take this many bytes. */
const MAX_ANNOTATION_BYTES = 256 * 1024;

/** The fields that client-side apply wrote and that still are as it wrote them; none if it cannot be told. */
export function fieldsLastApplied(live: JsonObject, apiVersion: string, type: FieldType): FieldSet {
  const config = parse(lastApplied(live));
  if (config === undefined || get(config, "apiVersion") !== apiVersion) return NO_FIELDS;
  if ([live, config].some((object) => validate(object, type) !== undefined)) {
    return NO_FIELDS;
  }
  const { added, modified, removed } = compare(config, live, type);
  return difference(difference(difference(toFieldSet(config, type), modified), added), removed);
}

/** The object with the annotation brought up to what was applied now, if it has one; too long a one is taken off. */
export function withLastApplied(object: JsonObject, config: JsonObject): JsonObject {
  if (lastApplied(object) === undefined) return object;
  const annotations = { ...annotationsOf(object), [LAST_APPLIED]: `${sortedJson(withoutAnnotation(config))}\n` };
  const bytes = Buffer.byteLength(Object.entries(annotations).flat().join(""));
  const kept = bytes > MAX_ANNOTATION_BYTES ? without(annotations, LAST_APPLIED) : annotations;
  return { ...object, metadata: { ...(get(object, "metadata") as JsonObject), annotations: kept } };
}

function annotationsOf(object: JsonObject): JsonObject | undefined {
  const metadata = get(object, "metadata");
  const annotations = isObject(metadata) ? get(metadata, "annotations") : undefined;
  return isObject(annotations) ? annotations : undefined;
}

function lastApplied(object: JsonObject): string | undefined {
  const text = get(annotationsOf(object) ?? {}, LAST_APPLIED);
  return typeof text === "string" && text !== "" ? text : undefined;
}

function parse(text: string | undefined): JsonObject | undefined {
  try {
    const value = text === undefined ? null : (JSON.parse(text) as Json);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function withoutAnnotation(config: JsonObject): JsonObject {
  const annotations = annotationsOf(config);
  if (annotations === undefined) return config;
  const metadata = get(config, "metadata") as JsonObject;
  return { ...config, metadata: { ...metadata, annotations: without(annotations, LAST_APPLIED) } };
}

function without(object: JsonObject, key: string): JsonObject {
  return fromEntries(Object.entries(object).filter(([name]) => name !== key));
}

/** JSON as Go writes it: keys sorted, safe to stand in HTML. */
function sortedJson(value: Json): string {
  return goJson(sorted(value));
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return fromEntries(entries.map(([key, inner]) => [key, sorted(inner)] as const));
}
