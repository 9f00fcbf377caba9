/** The body of a POST that makes no object of the kind in its path. */

import { decodeBody } from "../decode/index.ts";
import type { Body, Caller } from "../handlers/context.ts";
import { readWriteOptions, type WriteOptions } from "../handlers/write-options.ts";
import type { JsonObject } from "../json.ts";
import { kindType } from "../schema/schema.ts";
import { badRequest } from "../status-error.ts";

/** Reads what the endpoint speaks. Throws `StatusError`. */
export function readActionBody(
  apiVersion: string,
  kind: string,
  caller: Caller,
  { bytes, contentType }: Body,
): { readonly object: JsonObject; readonly options: WriteOptions } {
  const options = readWriteOptions("CreateOptions", caller);
  const expected = { apiVersion, kind, type: kindType(apiVersion, kind) ?? "any", custom: false } as const;
  const { object, warnings } = decodeBody(bytes, contentType, expected, options.fieldValidation);
  warnings.forEach(caller.warn);
  const said = object["kind"];
  if (said !== undefined && said !== "" && said !== kind) {
    throw badRequest(`${JSON.stringify(said)} cannot be handled as a ${kind}`);
  }
  return { object, options };
}

/** It was done, and there is no more to say. */
export const DONE: JsonObject = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 };
