/** Definitions that every document has and no kind: lists, and what writes and deletions speak. */
import type { JsonObject } from "../json.ts";
import { definitionName, reference } from "./names.ts";

export const LIST_META = definitionName("meta.v1.ListMeta");
export const OBJECT_META = definitionName("meta.v1.ObjectMeta");
export const STATUS = definitionName("meta.v1.Status");
export const PATCH = definitionName("meta.v1.Patch");
export const DELETE_OPTIONS = definitionName("meta.v1.DeleteOptions");
const STATUS_DETAILS = definitionName("meta.v1.StatusDetails");
const STATUS_CAUSE = definitionName("meta.v1.StatusCause");

const TEXT = { type: "string" };
const IDENTITY = { apiVersion: TEXT, kind: TEXT };

function object(properties: JsonObject, more: JsonObject = {}): JsonObject {
  return { type: "object", properties, ...more };
}

function gvk(group: string, version: string, kind: string): JsonObject {
  return { "x-kubernetes-group-version-kind": [{ group, kind, version }] };
}

export const SHARED: Readonly<Record<string, JsonObject>> = {
  [LIST_META]: object({
    continue: TEXT,
    remainingItemCount: { type: "integer", format: "int64" },
    resourceVersion: TEXT,
    selfLink: TEXT,
  }),
  [PATCH]: { type: "object" },
  [STATUS]: object(
    {
      ...IDENTITY,
      code: { type: "integer", format: "int32" },
      details: { allOf: [reference(STATUS_DETAILS)] },
      message: TEXT,
      metadata: { default: {}, allOf: [reference(LIST_META)] },
      reason: TEXT,
      status: TEXT,
    },
    gvk("", "v1", "Status"),
  ),
  [STATUS_DETAILS]: object({
    causes: {
      type: "array",
      items: { default: {}, allOf: [reference(STATUS_CAUSE)] },
      "x-kubernetes-list-type": "atomic",
    },
    group: TEXT,
    kind: TEXT,
    name: TEXT,
    retryAfterSeconds: { type: "integer", format: "int32" },
    uid: TEXT,
  }),
  [STATUS_CAUSE]: object({ field: TEXT, message: TEXT, reason: TEXT }),
};

/** The list of what is defined as `item`. */
export function listSchema(item: string, group: string, version: string, listKind: string): JsonObject {
  return object(
    {
      ...IDENTITY,
      items: { type: "array", items: { default: {}, allOf: [reference(item)] } },
      metadata: { default: {}, allOf: [reference(LIST_META)] },
    },
    { required: ["items"], ...gvk(group, version, listKind) },
  );
}
