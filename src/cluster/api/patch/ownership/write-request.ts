/** A request that writes an object, as field management sees it. */
import type { JsonObject } from "../../json.ts";
import { canonicalObject } from "../../protobuf/canonical.ts";
import { emptyObject, kindType } from "../../schema/schema.ts";
import type { FieldType } from "../../schema/types.ts";
import { type FieldSet, setOfPaths } from "./field-set.ts";
import type { Managed, Manager } from "./managed-fields.ts";
import type { Write } from "./ownership.ts";
import { field } from "./path-element.ts";
import { customResetFields, resetFields } from "./reset-fields.ts";

/** A kind that is defined in the cluster. */
export interface CustomKind {
  /** See `customResourceType`. */
  readonly type: FieldType;
  /** Whether its status is written through an endpoint of its own. */
  readonly hasStatus: boolean;
  /** Every version that is served: all have the same fields. Undefined: just the one. */
  readonly versions?: readonly string[];
}

/** What is written, by whom, through which endpoint, and when. */
export interface WriteRequest {
  readonly apiVersion: string;
  readonly kind: string;
  /** The `fieldManager` of the request, or what stands for it. Empty counts as `unknown`. */
  readonly manager: string;
  /** Empty for the main endpoint. */
  readonly subresource?: string;
  /** Milliseconds since the epoch; becomes the time of the writer's entry if it changes something. Undefined: it has none. */
  readonly now: number | undefined;
  /** What a custom resource is; built-in kinds are known. */
  readonly custom?: CustomKind;
}

/** Fields that identify or are kept by the server: nobody owns them. */
export const STRIPPED: FieldSet = setOfPaths([
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

/** The write that a request makes, as an update or as an apply. */
export function writeOf(request: WriteRequest, operation: Manager["operation"], managed: Managed): Write {
  const { apiVersion, kind, subresource = "" } = request;
  const [group = ""] = apiVersion.split("/");
  const name = request.manager === "" ? "unknown" : request.manager;
  return {
    type: typeOf(request),
    managed,
    manager: { name, operation, apiVersion, subresource },
    isServed: (version) =>
      version === apiVersion || (request.custom?.versions ?? []).some((each) => `${group}/${each}` === version),
    ignored:
      request.custom === undefined
        ? resetFields(apiVersion, kind, subresource)
        : customResetFields(request.custom, subresource),
  };
}

/** The type of what is written. A kind without a schema is merged key by key. */
export function typeOf({ apiVersion, kind, custom }: WriteRequest): FieldType {
  return custom?.type ?? kindType(apiVersion, kind) ?? "any";
}

/** An object of the kind that says nothing, as the server shows it: what a new object is compared with. */
export function emptyOf(request: WriteRequest): JsonObject {
  const { apiVersion, kind, custom } = request;
  if (custom !== undefined) return emptyObject(custom.type);
  const key = `${apiVersion}/${kind}`;
  const known = EMPTY.get(key);
  if (known !== undefined) return known;
  const made = canonicalObject({ apiVersion, kind });
  EMPTY.set(key, made);
  return made;
}

/** One per built-in kind. */
const EMPTY = new Map<string, JsonObject>();
