/** A whole object from JSON text, checked and pruned: what every form of a body comes down to. */
import { get, isObject, type Json, type JsonObject } from "../json.ts";
import { textOf } from "../lifecycle/metadata.ts";
import type { StatusError } from "../status-error.ts";
import type { Expected } from "./expected.ts";
import { ANY, ANY_MAP, goType, OBJECT_META } from "./go-types.ts";
import { JsonSyntaxError } from "./json-scanner.ts";
import { type TypeMeta, UndecodableError } from "./refusals.ts";
import { MisfitError } from "./report.ts";
import { findTypeMeta, isExpected, typeMetaOf, withExpected, wrongCustomType, wrongType } from "./type-meta.ts";
import { readTyped } from "./typed-reader.ts";

export interface DecodedText {
  /** With the kind and the apiVersion that are expected. */
  readonly object: JsonObject;
  /** Fields that are unknown or stand twice; none when not `strict`. */
  readonly findings: readonly string[];
}

/** Throws `UndecodableError`, or the `StatusError` for a custom resource of another kind. */
export function decodeText(text: string, expected: Expected, strict: boolean): DecodedText {
  try {
    return expected.custom ? decodeCustom(text, expected, strict) : decodeBuiltIn(text, expected, strict);
  } catch (error) {
    throw explained(error, text, expected);
  }
}

function decodeBuiltIn(text: string, expected: Expected, strict: boolean): DecodedText {
  const { apiVersion, kind } = expected;
  const { value = {}, findings } = readTyped(text, goType(apiVersion, kind) ?? ANY, strict);
  const object = objectOf(value);
  const said = withExpected(typeMetaOf(object), expected);
  if (!isExpected(said, expected)) throw otherType(said, text, expected);
  return { object: { ...object, kind, apiVersion }, findings };
}

/** Only what all objects have in common is checked: the rest is up to the definition of the kind. */
function decodeCustom(text: string, expected: Expected, strict: boolean): DecodedText {
  const { value = {}, findings } = readTyped(text, ANY, strict);
  const object = objectOf(value);
  const said = typeMetaOf(object);
  if (said.kind === "") {
    // Upstream has two readers here, and only the strict one holds against the object that it says nothing of itself.
    throw new UndecodableError(strict ? undefined : expected, `Object 'Kind' is missing in '${text}'`);
  }
  const metadata = readTyped(JSON.stringify(get(object, "metadata") ?? null), OBJECT_META, strict, ["metadata"]);
  const { metadata: _, ...rest } = object;
  const known = metadata.value === undefined ? rest : { ...rest, metadata: metadata.value };
  if (!isExpected(said, expected)) throw wrongCustomType(said, textOf(known, "name"), expected);
  return { object: known, findings: [...findings, ...metadata.findings] };
}

/** What keeps a text from being an object in JSON, in the words of Go's decoder; undefined when it is one. */
export function notAnObject(text: string): string | undefined {
  try {
    readTyped(text, ANY_MAP, false);
    return undefined;
  } catch (error) {
    if (error instanceof JsonSyntaxError || error instanceof MisfitError) return error.message;
    throw error;
  }
}

/** Null says as much as an object that says nothing. */
function objectOf(value: Json): JsonObject {
  if (value === null) return {};
  if (isObject(value)) return value;
  throw new MisfitError("it is no object");
}

/** First comes what an object says it is, and only then what does not fit. */
function explained(error: unknown, text: string, expected: Expected): unknown {
  if (error instanceof JsonSyntaxError) {
    return new UndecodableError(undefined, `couldn't get version/kind; json parse error: ${error.message}`);
  }
  if (!(error instanceof MisfitError)) return error;
  let said: TypeMeta;
  try {
    said = withExpected(findTypeMeta(text), expected);
  } catch (earlier) {
    return earlier instanceof MisfitError ? new UndecodableError(undefined, earlier.message) : earlier;
  }
  if (expected.custom || isExpected(said, expected)) return new UndecodableError(said, error.message);
  return otherType(said, text, expected);
}

/** Upstream reads an object of any kind that it knows, before it sees that it is the wrong one. */
function otherType(said: TypeMeta, text: string, expected: Expected): UndecodableError | StatusError {
  const type = goType(said.apiVersion, said.kind);
  try {
    if (type !== undefined) readTyped(text, type, false);
  } catch (error) {
    if (error instanceof MisfitError) return new UndecodableError(said, error.message);
    throw error;
  }
  return wrongType(said, expected);
}
