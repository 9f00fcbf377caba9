import { parse } from "yaml";
import type { Json, JsonObject } from "../json.ts";
import { isObject } from "../json.ts";
import { decodeProtobuf } from "../protobuf/envelope.ts";
import type { FieldType } from "../schema/types.ts";
import { badRequest } from "../status-error.ts";

export type FieldValidation = "Strict" | "Warn" | "Ignore";
export interface Expected {
  readonly apiVersion: string;
  readonly kind: string;
  readonly type: FieldType;
  readonly custom: boolean;
}
export interface Decoded {
  readonly object: JsonObject;
  readonly warnings: readonly string[];
}
export function decodeBody(
  bytes: Buffer,
  contentType: string | undefined,
  expected: Expected,
  validation: FieldValidation,
): Decoded {
  const type = (contentType ?? "application/json").split(";")[0]?.trim();
  if (type === "application/vnd.kubernetes.protobuf") return { object: decodeProtobuf(bytes, expected), warnings: [] };
  const value = (type === "application/yaml" ? parse(bytes.toString()) : JSON.parse(bytes.toString())) as Json;
  if (!isObject(value)) throw badRequest("no object");
  return checkObject(value, expected, validation);
}
export function checkObject(object: JsonObject, expected: Expected, _validation: FieldValidation): Decoded {
  return { object: { kind: expected.kind, apiVersion: expected.apiVersion, ...object }, warnings: [] };
}
export function readPatch(bytes: Buffer, form: string): Json {
  return (form.endsWith("yaml") ? parse(bytes.toString()) : JSON.parse(bytes.toString())) as Json;
}
export function reportUnknown(paths: readonly string[], validation: FieldValidation): string[] {
  if (paths.length === 0 || validation === "Ignore") return [];
  if (validation === "Strict")
    throw badRequest(`strict decoding error: ${paths.map((p) => `unknown field "${p}"`).join(", ")}`);
  return paths.map((p) => `unknown field "${p}"`);
}
