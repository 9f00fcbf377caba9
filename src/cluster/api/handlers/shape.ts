/** From an object as a client wrote it to the object as the server means it, and the rules that it must keep. */

import type { FieldError } from "../../../admission/verdict.ts";
import type { Resource } from "../catalog/resource.ts";
import { type Expected, type FieldValidation, reportUnknown } from "../decode/index.ts";
import { withDefaults } from "../defaults/defaults.ts";
import { withoutGatedFields } from "../defaults/gated-fields.ts";
import type { JsonObject } from "../json.ts";
import { groupVersionOf } from "../kinds/kind.ts";
import { oncePer } from "../once-per.ts";
import { canonicalObject } from "../protobuf/canonical.ts";
import { kindType } from "../schema/schema.ts";
import type { StatusError } from "../status-error.ts";
import { atOnce, type Steps } from "../steps.ts";
import { warningsOfFinalizers } from "../validation/finalizer-warnings.ts";
import {
  validateCommonUpdate,
  validateCreate,
  validateSubresourceUpdate,
  validateUpdate,
} from "../validation/validate.ts";
import type { ApiContext, Caller } from "./context.ts";
import { asServed, asStored } from "./retell.ts";
import { strategyOf } from "./strategies.ts";

/** What a body of this resource is expected to be. */
export const expectedOf: (resource: Resource) => Expected = oncePer(({ kind, custom }) => {
  const apiVersion = groupVersionOf(kind);
  const type = custom?.type ?? kindType(apiVersion, kind.kind) ?? "any";
  return { apiVersion, kind: kind.kind, type, custom: custom !== undefined };
});

/**
 * The object with its defaults, in the one form that is stored. What a custom resource's schema does not know is taken away,
 * and reported as strictly as the client asks; `refuse` has other words for it than those for a body.
 */
export function complete(
  resource: Resource,
  object: JsonObject,
  validation: FieldValidation,
  warn: Caller["warn"],
  refuse?: (why: string) => StatusError,
): JsonObject {
  return atOnce(completeInSteps(resource, object, validation, warn, refuse));
}

/** The same, one walk over the object after the other. */
export function* completeInSteps(
  resource: Resource,
  object: JsonObject,
  validation: FieldValidation,
  warn: Caller["warn"],
  refuse?: (why: string) => StatusError,
): Steps<JsonObject> {
  if (resource.custom === undefined) {
    const filled = withDefaults(withoutGatedFields(object));
    yield;
    return canonicalObject(filled);
  }
  const conformed = resource.custom.conform(object);
  reportUnknown(conformed.unknown, expectedOf(resource), validation, refuse).forEach(warn);
  return conformed.object;
}

/** The object in the version that is stored. */
export function toStored({ kind, custom }: Resource, object: JsonObject): JsonObject {
  if (kind.storedAs !== undefined) return asStored(kind, kind.storedAs, object);
  return custom === undefined ? object : custom.toStored(object);
}

/** A stored object as it is served; the same object when it is stored so. */
export function inVersion({ kind, custom }: Resource, object: JsonObject): JsonObject {
  if (kind.storedAs !== undefined) {
    const served = object["apiVersion"] === groupVersionOf(kind);
    return served ? object : asServed(kind, kind.storedAs, object);
  }
  return custom?.fromStored === undefined ? object : custom.fromStored(object);
}

/** What to tell the client about an object that is fine; `old` is what it replaces. */
export function warningsOfWrite(
  { kind, custom }: Resource,
  next: JsonObject,
  old: JsonObject | undefined,
): readonly string[] {
  return custom === undefined ? (strategyOf(kind).warnings?.(next, old) ?? []) : warningsOfFinalizers(next, old);
}

/** Every error of a new object. */
export function* errorsOfNew({ kind, custom }: Resource, object: JsonObject): Steps<FieldError[]> {
  const { validate } = strategyOf(kind);
  const errors = [
    ...validateCreate(kind, object),
    ...(validate === undefined ? [] : yield* validate(object, undefined)),
  ];
  return custom === undefined ? errors : [...errors, ...custom.validate(object, undefined)];
}

/** Every error of an object that is to replace another. */
export function* errorsOfUpdate(
  context: ApiContext,
  { kind, custom }: Resource,
  stored: JsonObject,
  next: JsonObject,
  subresource: string | undefined,
  warn: Caller["warn"],
): Steps<FieldError[]> {
  const { validate, validateSubresource } = strategyOf(kind);
  const errors =
    subresource === undefined
      ? [
          ...validateUpdate(kind, stored, next, context),
          ...(validate === undefined ? [] : yield* validate(next, stored)),
        ]
      : [
          ...validateSubresourceUpdate(kind, stored, next, subresource),
          ...(validateSubresource?.(stored, next, subresource, context.gates) ?? []),
        ];
  const common = validateCommonUpdate(kind, stored, next, subresource);
  return [...common, ...errors, ...(custom?.validate(next, stored, subresource, warn) ?? [])];
}
