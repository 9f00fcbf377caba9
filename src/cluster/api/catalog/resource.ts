/** A resource in one version that is served: its row of the table, and what is known of its objects beside it. */
import type { FieldError } from "../../../admission/verdict.ts";
import type { JsonObject } from "../json.ts";
import type { Kind } from "../kinds/kind.ts";
import type { CustomKind } from "../patch/ownership/index.ts";
import type { Printer } from "../table/printer.ts";

export interface Resource {
  readonly kind: Kind;
  readonly printer: Printer;
  /** Only for a kind that is defined in the cluster; built-in kinds are known by their schemas and rules. */
  readonly custom?: CustomResource;
}

/** What a CustomResourceDefinition says of the objects of one version. */
export interface CustomResource extends CustomKind {
  /** An object of this version as it is stored: all versions of a resource are one object, told in different words. */
  toStored(object: JsonObject): JsonObject;
  /** A stored object as this version has it by now. Undefined where whatever is stored is served as it is. */
  readonly fromStored?: (stored: JsonObject) => JsonObject;
  /** The object as the schema has it: defaults filled in, and what the schema does not know taken away. */
  conform(object: JsonObject): Conformed;
  /**
   * Every error of an object that has its defaults; `old` is what it replaces. Through `status`, only the status is looked at.
   * What is wrong in `old` already and was not touched is no error; of a rule in CEL that it breaks, `warn` is told.
   */
  validate(
    next: JsonObject,
    old: JsonObject | undefined,
    subresource?: string,
    warn?: (text: string) => void,
  ): FieldError[];
  /** Fields that a field selector may ask for beside name and namespace, `spec.color`. */
  readonly selectableFields?: readonly string[];
  /** Where its scale is, if it has one. JSON paths of fields, `.spec.replicas`. */
  readonly scale?: ScalePaths;
  /** What every request is told: the version should not be used any more. */
  readonly deprecation?: string;
  /** Its definition is being deleted: nothing new may be created. */
  readonly terminating: boolean;
  /** The definition's own `openAPIV3Schema`, for whoever asks what the fields are; undefined where it has none. */
  readonly openApiSchema?: JsonObject;
}

export interface Conformed {
  readonly object: JsonObject;
  /** Paths of the fields that were taken away, `spec.sizes[0].unknown`, in the order of the object. */
  readonly unknown: readonly string[];
}

export interface ScalePaths {
  readonly specReplicas: string;
  readonly statusReplicas: string;
  readonly labelSelector?: string;
}
