/** What a webhook answers, held to what Kubernetes holds it to. */
import { get, isList, isObject, type Json, type JsonObject } from "../json.ts";

export interface HookAnswer {
  readonly allowed: boolean;
  /** A Status, where it gave one. */
  readonly result: JsonObject | undefined;
  readonly warnings: readonly string[];
  /** JSON patch operations; undefined when there are none. */
  readonly patch: Json | undefined;
}

/** The answer cannot be taken for one. The message goes behind `failed calling webhook "x": `. */
export class BadAnswer extends Error {
  override readonly name = "BadAnswer";
}

interface Asked {
  readonly uid: string;
  readonly version: "v1" | "v1beta1";
  readonly mutating: boolean;
}

const INVALID = "received invalid webhook response: ";

/** Reads the body of a successful response. Throws `BadAnswer`. */
export function readAnswer(body: string, asked: Asked): HookAnswer {
  const review = parse(body);
  checkVersion(review, asked.version);
  const response = get(review, "response");
  if (!isObject(response)) throw new BadAnswer(`${INVALID}webhook response was absent`);
  if (asked.version === "v1") checkEnvelope(review, response, asked.uid);
  const patchText = text(response, "patch");
  checkPatch(asked, patchText, get(response, "patchType") ?? undefined);
  const allowed = get(response, "allowed");
  if (allowed !== undefined && typeof allowed !== "boolean") throw wrongType("response.allowed", "bool");
  const result = get(response, "status");
  const warnings = get(response, "warnings") ?? [];
  if (!isList(warnings) || !warnings.every((each) => typeof each === "string"))
    throw wrongType("response.warnings", "[]string");
  return {
    allowed: allowed ?? false,
    result: isObject(result) ? result : undefined,
    warnings,
    // A denial is one whatever else it says.
    patch: asked.mutating && allowed === true ? readPatch(patchText) : undefined,
  };
}

function parse(body: string): JsonObject {
  let parsed: Json;
  try {
    parsed = JSON.parse(body) as Json;
  } catch (error) {
    const why = error instanceof Error ? error.message : "";
    throw new BadAnswer(`failed to call webhook: couldn't get version/kind; json parse error: ${why}`);
  }
  if (!isObject(parsed)) throw wrongType("", "struct");
  return parsed;
}

/** Upstream knows both versions, and no way from one to the other. */
function checkVersion(review: JsonObject, asked: Asked["version"]): void {
  const answered = text(review, "apiVersion").replace("admission.k8s.io/", "");
  if (answered === asked || (answered !== "v1" && answered !== "v1beta1")) return;
  const conversion = `converting (${answered}.AdmissionReview) to (${asked}.AdmissionReview)`;
  throw new BadAnswer(`failed to call webhook: ${conversion}: unknown conversion`);
}

function checkEnvelope(review: JsonObject, response: JsonObject, uid: string): void {
  const answered = text(response, "uid");
  if (answered !== uid)
    throw new BadAnswer(`${INVALID}expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(answered)}`);
  const [apiVersion, kind] = [text(review, "apiVersion"), text(review, "kind")];
  if (apiVersion === "admission.k8s.io/v1" && kind === "AdmissionReview") return;
  const expected = "admission.k8s.io/v1, Kind=AdmissionReview";
  throw new BadAnswer(`${INVALID}expected webhook response of ${expected}, got ${apiVersion || "/"}, Kind=${kind}`);
}

function checkPatch({ version, mutating }: Asked, patch: string, type: Json | undefined): void {
  // v1beta1 never asked for a patchType, and took no notice of patches that make no sense.
  if (version === "v1beta1") return;
  if (!mutating) {
    if (patch !== "") throw new BadAnswer(`${INVALID}validating webhook may not return response.patch`);
    if (type !== undefined) throw new BadAnswer(`${INVALID}validating webhook may not return response.patchType`);
    return;
  }
  if (patch !== "" && type === undefined)
    throw new BadAnswer(`${INVALID}webhook returned response.patch but not response.patchType`);
  if (patch === "" && type !== undefined)
    throw new BadAnswer(`${INVALID}webhook returned response.patchType but not response.patch`);
  if (type === "") throw new BadAnswer(`${INVALID}webhook returned invalid response.patchType of ""`);
  if (type !== undefined && type !== "JSONPatch") throw new BadAnswer(`unsupported patch type ${JSON.stringify(type)}`);
}

const BASE64 = /^[A-Za-z0-9+/\r\n]*={0,2}[\r\n]*$/;

function readPatch(patch: string): Json | undefined {
  if (patch === "") return undefined;
  if (!BASE64.test(patch)) throw new BadAnswer("failed to call webhook: illegal base64 data in response.patch");
  let operations: Json;
  try {
    operations = JSON.parse(Buffer.from(patch, "base64").toString("utf8")) as Json;
  } catch (error) {
    const why = error instanceof Error ? error.message : "";
    throw new BadAnswer(`received undecodable patch in webhook response: ${why}`);
  }
  if (operations === null) return undefined;
  if (!isList(operations)) throw new BadAnswer("received undecodable patch in webhook response: it is not a list");
  return operations.length === 0 ? undefined : operations;
}

function text(object: JsonObject, field: string): string {
  const value = get(object, field) ?? "";
  if (typeof value !== "string") throw wrongType(field, "string");
  return value;
}

function wrongType(field: string, type: string): BadAnswer {
  const where = field === "" ? "value" : `struct field AdmissionReview.${field}`;
  return new BadAnswer(`failed to call webhook: json: cannot unmarshal the answer into Go ${where} of type ${type}`);
}
