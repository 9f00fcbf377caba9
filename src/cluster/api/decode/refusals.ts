/** How the API server says that a body is not what it should be (apiserver/pkg/endpoints/handlers/rest.go). */
import { badRequest, type StatusError } from "../status-error.ts";
import type { Expected } from "./expected.ts";

/** How much of a body that is not understood is shown. */
const SUMMARY_BYTES = 30;
const OPENING_BRACE = 0x7b;

export interface TypeMeta {
  readonly apiVersion: string;
  readonly kind: string;
}

/** A text that cannot be read as what it should be, in the words of who reads it; a refusal has more to say around them. */
export class UndecodableError extends Error {
  override readonly name = "UndecodableError";
  /** What it says it is; undefined where not even that can be read. */
  readonly said: TypeMeta | undefined;

  constructor(said: TypeMeta | undefined, why: string) {
    super(why);
    this.said = said;
  }
}

/** The refusal of a body: 400. */
export function refusalOf({ said, message }: UndecodableError, body: Uint8Array, expected: Expected): StatusError {
  if (said !== undefined) return cannotBeHandled(said, expected, message);
  return badRequest(
    `the object provided is unrecognized (must be of type ${expected.kind}): ${message} (${summaryOf(body)})`,
  );
}

/** The body says what it is, but cannot be read as what it should be: 400. */
export function cannotBeHandled({ apiVersion, kind }: TypeMeta, expected: Expected, why: string): StatusError {
  return badRequest(
    `${kind} in version ${JSON.stringify(versionOf(apiVersion))} cannot be handled as a ${expected.kind}: ${why}`,
  );
}

export function strictDecodingError(findings: readonly string[]): string {
  return `strict decoding error: ${findings.join(", ")}`;
}

/** `v1` of `apps/v1`. */
export function versionOf(apiVersion: string): string {
  return apiVersion.slice(apiVersion.indexOf("/") + 1);
}

/** As text where it looks like JSON. */
function summaryOf(body: Uint8Array): string {
  if (body.length === 0) return "<empty>";
  const shown = Buffer.from(body.subarray(0, SUMMARY_BYTES)).toString(body[0] === OPENING_BRACE ? "utf8" : "hex");
  return body.length > SUMMARY_BYTES ? `${shown} ...` : shown;
}
