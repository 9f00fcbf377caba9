/** What an object says it is, and whether that is what it should be. */
import { get, type JsonObject } from "../json.ts";
import { badRequest, StatusError } from "../status-error.ts";
import type { Expected } from "./expected.ts";
import { FIND_KIND, goType } from "./go-types.ts";
import { type TypeMeta, UndecodableError, versionOf } from "./refusals.ts";
import { MisfitError } from "./report.ts";
import { readTyped } from "./typed-reader.ts";

/** What the text says it is; empty where it says nothing. Throws `MisfitError` with upstream's words. */
export function findTypeMeta(text: string): TypeMeta {
  return typeMetaOf(readTypeMeta(text));
}

function readTypeMeta(text: string): JsonObject {
  try {
    return (readTyped(text, FIND_KIND, false).value ?? {}) as JsonObject;
  } catch (error) {
    if (!(error instanceof MisfitError)) throw error;
    throw new MisfitError(`couldn't get version/kind; json parse error: ${error.message}`);
  }
}

/** What the object says it is. Throws `MisfitError` for what cannot be an apiVersion or a kind. */
export function typeMetaOf(object: JsonObject): TypeMeta {
  const [apiVersion, kind] = [textAt(object, "apiVersion"), textAt(object, "kind")];
  if (apiVersion.indexOf("/") !== apiVersion.lastIndexOf("/"))
    throw new MisfitError(`unexpected GroupVersion string: ${apiVersion}`);
  return { apiVersion, kind };
}

function textAt(object: JsonObject, name: string): string {
  const value = get(object, name) ?? "";
  if (typeof value !== "string") throw new MisfitError(`${name} is no text`);
  return value;
}

/** What is not said is what is expected. */
export function withExpected({ apiVersion, kind }: TypeMeta, expected: Expected): TypeMeta {
  const saysNoVersion = apiVersion === "" || (apiVersion !== "/" && apiVersion === `${groupOf(expected)}/`);
  return {
    apiVersion: saysNoVersion ? expected.apiVersion : apiVersion,
    kind: kind === "" ? expected.kind : kind,
  };
}

/** The options of a DELETE come in the version of what is to be deleted, and are the same in all of them. */
export function isExpected(said: TypeMeta, expected: Expected): boolean {
  if (said.kind !== expected.kind) return false;
  return said.apiVersion === expected.apiVersion || said.kind === "DeleteOptions";
}

/** Refuses an object of another kind than the path asks for, or of another version of it. */
export function wrongType(said: TypeMeta, expected: Expected): UndecodableError | StatusError {
  const isOtherVersion =
    said.kind === expected.kind &&
    groupOf(said) === groupOf(expected) &&
    goType(said.apiVersion, said.kind) !== undefined;
  return isOtherVersion ? otherVersion(said, expected) : new UndecodableError(said, whyWrongType(said, expected));
}

function otherVersion(said: TypeMeta, expected: Expected): StatusError {
  return badRequest(
    `the API version in the data (${said.apiVersion}) does not match the expected API version (${expected.apiVersion})`,
  );
}

function whyWrongType(said: TypeMeta, expected: Expected): string {
  const known = goType(said.apiVersion, said.kind) ?? goType(said.apiVersion, said.kind.replace(/List$/, ""));
  if (known === undefined) {
    return `no kind ${JSON.stringify(said.kind)} is registered for version ${JSON.stringify(said.apiVersion)}`;
  }
  const from = `${versionOf(said.apiVersion)}.${said.kind}`;
  return `converting (${from}) to (${groupOf(expected) || "core"}.${expected.kind}): unknown conversion`;
}

/**
 * Refuses a custom resource of another kind: they are told apart by their version first (400), and by their kind when they
 * are validated (422).
 */
export function wrongCustomType(said: TypeMeta, name: string, expected: Expected): StatusError {
  if (said.apiVersion !== expected.apiVersion) return otherVersion(said, expected);
  const message = `Invalid value: ${JSON.stringify(said.kind)}: must be ${expected.kind}`;
  const what = `${said.kind}.${groupOf(expected)} ${JSON.stringify(name)}`;
  const cause = { reason: "FieldValueInvalid", message, field: "kind" };
  return new StatusError(422, "Invalid", `${what} is invalid: kind: ${message}`, [cause]);
}

/** Empty for the core group. */
function groupOf({ apiVersion }: TypeMeta): string {
  return apiVersion.slice(0, Math.max(0, apiVersion.indexOf("/")));
}
