/** Request bodies into objects, as strictly as the client asks, refused in Kubernetes' words. */
import type { JsonObject } from "../json.ts";
import { decodeProtobuf } from "../protobuf/envelope.ts";
import type { StatusError } from "../status-error.ts";
import { bodyForm } from "./body-form.ts";
import { type DecodedText, decodeText } from "./decode-text.ts";
import type { Decoded, Expected, FieldValidation } from "./expected.ts";
import { goQuote } from "./go-quote.ts";
import { cannotBeHandled, refusalOf, strictDecodingError, UndecodableError } from "./refusals.ts";
import { isExpected, typeMetaOf, wrongType } from "./type-meta.ts";
import { YamlError } from "./yaml-error.ts";
import { duplicatesMessage, yamlToJson } from "./yaml-text.ts";

/**
 * The object in a body of JSON, YAML or protobuf, with the kind and the apiVersion that are expected, and without fields
 * that the kind does not have (those of a custom resource stay, but for its metadata). Throws a `StatusError` for
 * everything else, whatever the bytes are: 415 for a form that is not read, 400 for what cannot be read, 422 for a custom
 * resource of another kind.
 */
export function decodeBody(
  body: Uint8Array,
  contentType: string | undefined,
  expected: Expected,
  validation: FieldValidation,
): Decoded {
  const form = bodyForm(contentType, expected.custom);
  try {
    switch (form) {
      case "json":
        return judged(decodeText(textOf(body), expected, validation !== "Ignore"), expected, validation);
      case "yaml":
        return judged(decodeYaml(body, expected, validation), expected, validation);
      case "protobuf":
        return { object: fromProtobuf(body, expected), warnings: [] };
    }
  } catch (error) {
    throw error instanceof UndecodableError ? refusalOf(error, body, expected) : error;
  }
}

/** An object that is there already, read as if it had been sent as a body: the same is dropped, and the same refused. */
export function checkObject(object: JsonObject, expected: Expected, validation: FieldValidation): Decoded {
  return decodeBody(Buffer.from(JSON.stringify(object)), undefined, expected, validation);
}

/**
 * The same for an object that no client sent: the reason why it is no object of its kind, or has fields that the kind does
 * not have, stands alone in the message of the error.
 */
export function readStrictly(object: JsonObject, expected: Expected): JsonObject {
  const decoded = decodeText(JSON.stringify(object), expected, true);
  if (decoded.findings.length > 0) throw new Error(strictDecodingError(decoded.findings));
  return decoded.object;
}

/**
 * What to say of fields that a custom resource's definition does not know, by their paths: the warnings. Throws 400 where
 * the client wants them refused, or what `refuse` makes of the reason.
 */
export function reportUnknown(
  paths: readonly string[],
  expected: Expected,
  validation: FieldValidation,
  refuse?: (why: string) => StatusError,
): readonly string[] {
  if (validation === "Ignore") return [];
  const findings = paths.map((path) => `unknown field ${goQuote(path)}`);
  return judged({ object: {}, findings }, expected, validation, refuse).warnings;
}

/** Refuses what was found, or gives it as warnings. */
function judged(
  { object, findings }: DecodedText,
  expected: Expected,
  validation: FieldValidation,
  refuse = (why: string) => cannotBeHandled(expected, expected, why),
): Decoded {
  if (validation === "Strict" && findings.length > 0) throw refuse(strictDecodingError(findings));
  return { object, warnings: findings };
}

function textOf(body: Uint8Array): string {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8");
}

function decodeYaml(body: Uint8Array, expected: Expected, validation: FieldValidation): DecodedText {
  const { text, duplicates } = fromYaml(body);
  const { object, findings } = decodeText(text, expected, validation !== "Ignore");
  if (validation === "Ignore" || duplicates.length === 0) return { object, findings };
  // One error where it refuses, one line each where it warns.
  const found = validation === "Strict" ? [duplicatesMessage(duplicates)] : duplicates;
  return { object, findings: [...found, ...findings] };
}

function fromYaml(body: Uint8Array) {
  try {
    return yamlToJson(body);
  } catch (error) {
    throw error instanceof YamlError ? new UndecodableError(undefined, error.message) : error;
  }
}

function fromProtobuf(body: Uint8Array, expected: Expected): JsonObject {
  const object = decodeProtobuf(body, expected);
  const said = typeMetaOf(object);
  if (isExpected(said, expected)) return object;
  throw wrongType(said, expected);
}
