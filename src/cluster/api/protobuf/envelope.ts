/**
 * Request bodies of `application/vnd.kubernetes.protobuf`: four bytes, then a `runtime.Unknown` with the kind and the
 * object's own message. kubectl, client-go and every controller built on it send these, and do not fall back to JSON.
 */
import type { JsonObject } from "../json.ts";
import { badRequest, type StatusError } from "../status-error.ts";
import { decodeMessage } from "./decode.ts";
import { bytesOf } from "./scalars.ts";
import { kindMessage } from "./table.ts";
import { readFields, toText, WireError } from "./wire.ts";

/** `k8s` and a zero. */
const PREFIX = [0x6b, 0x38, 0x73, 0x00] as const;

const UNKNOWN = { typeMeta: 1, raw: 2 } as const;
const TYPE_META = { apiVersion: 1, kind: 2 } as const;

/** How much of a body that is not understood is shown. */
const SUMMARY_BYTES = 30;

const OPENING_BRACE = 0x7b;

export interface TypeMeta {
  readonly apiVersion: string;
  readonly kind: string;
}

/**
 * The object in a request body, as the JSON that the same client would have sent. It has the apiVersion and kind that the
 * body names, or those expected where it names none; whether they are the ones that the path asks for is the handler's
 * to say. Throws a `StatusError` of 400 for everything else, whatever the bytes are.
 */
export function decodeProtobuf(body: Uint8Array, expected: TypeMeta): JsonObject {
  const { named, raw } = openEnvelope(body, expected);
  const apiVersion = named.apiVersion === "" ? expected.apiVersion : named.apiVersion;
  const kind = named.kind === "" ? expected.kind : named.kind;
  const version = apiVersion.slice(apiVersion.indexOf("/") + 1);
  const refusal = (cause: string) =>
    badRequest(`${kind} in version ${JSON.stringify(version)} cannot be handled as a ${expected.kind}: ${cause}`);

  const message = kindMessage(apiVersion, kind);
  if (message === undefined) {
    throw refusal(`no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)}`);
  }
  return { kind, apiVersion, ...orRefuse(refusal, () => decodeMessage(message, raw)) };
}

function openEnvelope(body: Uint8Array, expected: TypeMeta): { named: TypeMeta; raw: Uint8Array } {
  const refusal = (cause: string) =>
    badRequest(`the object provided is unrecognized (must be of type ${expected.kind}): ${cause} (${summaryOf(body)})`);
  if (body.length === 0) throw refusal("empty data");
  if (PREFIX.some((byte, index) => body[index] !== byte)) {
    throw refusal(`provided data does not appear to be a protobuf message, expected prefix [${PREFIX.join(" ")}]`);
  }
  if (body.length === PREFIX.length) throw refusal("empty body");
  return orRefuse(refusal, () => {
    let named: TypeMeta = { apiVersion: "", kind: "" };
    let raw: Uint8Array = new Uint8Array();
    for (const field of readFields(body.subarray(PREFIX.length))) {
      if (field.number === UNKNOWN.typeMeta) named = readTypeMeta(bytesOf(field));
      if (field.number === UNKNOWN.raw) raw = bytesOf(field);
    }
    return { named, raw };
  });
}

function readTypeMeta(bytes: Uint8Array): TypeMeta {
  let [apiVersion, kind] = ["", ""];
  for (const field of readFields(bytes)) {
    if (field.number === TYPE_META.apiVersion) apiVersion = toText(bytesOf(field));
    if (field.number === TYPE_META.kind) kind = toText(bytesOf(field));
  }
  return { apiVersion, kind };
}

function orRefuse<T>(refusal: (cause: string) => StatusError, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof WireError ? refusal(error.message) : error;
  }
}

/** As text where it looks like JSON that was sent as something else. */
function summaryOf(body: Uint8Array): string {
  if (body.length === 0) return "<empty>";
  const shown = Buffer.from(body.subarray(0, SUMMARY_BYTES)).toString(body[0] === OPENING_BRACE ? "utf8" : "hex");
  return body.length > SUMMARY_BYTES ? `${shown} ...` : shown;
}
