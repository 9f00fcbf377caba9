/** The bodies of patches, and the objects that patches lead to (apiserver/pkg/endpoints/handlers/patch.go). */
import type { Json, JsonObject } from "../json.ts";
import { goText } from "../patch/go-text.ts";
import { badRequest, StatusError } from "../status-error.ts";
import type { Steps } from "../steps.ts";
import { misfitOf } from "./converter-words.ts";
import { decodeText } from "./decode-text.ts";
import type { Decoded, Expected, FieldValidation } from "./expected.ts";
import { goQuote } from "./go-quote.ts";
import { ANY_MAP, type GoType, goType, JSON_PATCH } from "./go-types.ts";
import { JsonSyntaxError } from "./json-scanner.ts";
import { strictDecodingError, UndecodableError } from "./refusals.ts";
import { MisfitError } from "./report.ts";
import { type Reading, readTyped } from "./typed-reader.ts";
import type { ConvertedYaml } from "./yaml-convert.ts";
import { YamlError } from "./yaml-error.ts";
import { duplicatesMessage, yamlToJson } from "./yaml-text.ts";

export type PatchForm =
  | "application/json-patch+json"
  | "application/merge-patch+json"
  | "application/strategic-merge-patch+json"
  | "application/apply-patch+yaml";

export interface Patch {
  readonly form: PatchForm;
  /** A list of operations or an object; null for a patch in which nothing is, where upstream tells it from an empty one. */
  readonly patch: Json;
  /** Fields that stand twice, and members that an operation does not have. */
  readonly findings: readonly string[];
}

const DECODING_YAML = "error decoding YAML: ";
const CONVERTING_YAML = "error converting YAML to JSON: ";

/** Reads the body of a PATCH. Throws 400. */
export function decodePatch(body: Uint8Array, form: PatchForm): Patch {
  const text = Buffer.from(body).toString("utf8");
  switch (form) {
    case "application/json-patch+json": {
      const { value = [], findings } = reading(text, JSON_PATCH, "error decoding patch: ");
      return { form, patch: value, findings: findings.map((finding) => `json patch ${finding}`) };
    }
    case "application/merge-patch+json": {
      const { value = null, findings } = reading(text, ANY_MAP, "error decoding patch: ");
      return { form, patch: value, findings };
    }
    case "application/strategic-merge-patch+json": {
      const { value = {}, findings } = reading(text, ANY_MAP, "");
      return { form, patch: value, findings };
    }
    case "application/apply-patch+yaml": {
      const converted = fromYaml(body);
      const { value = {} } = reading(
        converted.text,
        ANY_MAP,
        `${DECODING_YAML}error unmarshaling JSON: while decoding JSON: `,
      );
      return { form, patch: value, findings: converted.duplicates };
    }
  }
}

/**
 * The object that a patch led to, read as if it had been sent. Throws 422 with the patch, or what it led to, in its message,
 * as upstream does; for an apply, whose fields are known to fit, 400 for fields that stand twice.
 */
export function* checkPatched(
  object: JsonObject,
  { form, patch, findings }: Patch,
  expected: Expected,
  validation: FieldValidation,
): Steps<Decoded> {
  const strategic = form === "application/strategic-merge-patch+json";
  const text = JSON.stringify(strategic ? { ...object, apiVersion: expected.apiVersion, kind: expected.kind } : object);
  yield;
  const refuse = (why: string) =>
    strategic ? invalidPatch(goText(patch), converterWords(object, expected) ?? why) : invalidPatch(text, why);
  const decoded = orRefuse(refuse, () => decodeText(text, expected, validation !== "Ignore"));
  const found = validation === "Ignore" ? [] : [...findings, ...decoded.findings];
  if (validation !== "Strict" || found.length === 0) return { object: decoded.object, warnings: found };
  if (form === "application/apply-patch+yaml" && findings.length > 0) {
    throw badRequest(`error strict decoding YAML: ${CONVERTING_YAML}${duplicatesMessage(findings)}`);
  }
  throw refuse(strictDecodingError(found));
}

/** The refusal of the object that a patch other than a strategic one led to, for this reason. */
export function refusalOfPatched(object: JsonObject, why: string): StatusError {
  return invalidPatch(JSON.stringify(object), why);
}

/** Looked for once something is wrong: what the converter has against the object. */
function converterWords(object: JsonObject, { apiVersion, kind }: Expected): string | undefined {
  const type = goType(apiVersion, kind);
  return type === undefined ? undefined : misfitOf(object, type);
}

function fromYaml(body: Uint8Array): ConvertedYaml {
  try {
    return yamlToJson(body);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw badRequest(`${DECODING_YAML}${CONVERTING_YAML}${error.message}`);
  }
}

function reading(text: string, type: GoType, prefix: string): Reading {
  try {
    return readTyped(text, type, true);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError) && !(error instanceof MisfitError)) throw error;
    throw badRequest(`${prefix}${error.message}`);
  }
}

function orRefuse<T>(refuse: (why: string) => StatusError, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    throw error instanceof UndecodableError ? refuse(error.message) : error;
  }
}

/** Upstream names neither kind nor object here. */
function invalidPatch(shown: string, why: string): StatusError {
  const message = `Invalid value: ${goQuote(shown)}: ${why}`;
  return new StatusError(422, "Invalid", ` "" is invalid: patch: ${message}`, [
    { reason: "FieldValueInvalid", message, field: "patch" },
  ]);
}
