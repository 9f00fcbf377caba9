/** What may become of a request for a certificate: a decision is made once, and the certificate is given once (upstream certificates/validation). */
import { duplicate, type FieldError, forbidden, invalid, notSupported, required } from "../../../admission/verdict.ts";
import { get, isList, isObject, type JsonObject, jsonEqual } from "../json.ts";

const PATH = "status.conditions";
const DECISIONS: readonly string[] = ["Approved", "Denied"];
/** They are there, or not: there is no other way to say it. */
const ONLY_TRUE: readonly string[] = [...DECISIONS, "Failed"];

/** Every error of a change through `status` or `approval`. */
export function validateSigningRequestStatus(old: JsonObject, next: JsonObject, subresource: string): FieldError[] {
  const given = statusOf(next)["certificate"] ?? "";
  const had = statusOf(old)["certificate"] ?? "";
  return [
    ...conditionErrors(conditionsOf(next)),
    ...ONLY_TRUE.flatMap((type) =>
      ofType(next, type).length < ofType(old, type).length
        ? [forbidden(PATH, `updates may not remove a condition of type ${JSON.stringify(type)}`)]
        : [],
    ),
    ...(subresource === "approval" ? [] : DECISIONS.flatMap((type) => decisionErrors(old, next, type))),
    ...(had !== "" && given !== had
      ? [forbidden("status.certificate", "updates may not modify existing certificate content")]
      : []),
  ];
}

function decisionErrors(old: JsonObject, next: JsonObject, type: string): FieldError[] {
  const [before, after] = [ofType(old, type), ofType(next, type)];
  const shown = JSON.stringify(type);
  if (after.length > before.length) return [forbidden(PATH, `updates may not add a condition of type ${shown}`)];
  if (after.length < before.length || jsonEqual(before, after)) return [];
  return [forbidden(PATH, `updates may not modify a condition of type ${shown}`)];
}

function conditionErrors(conditions: readonly JsonObject[]): FieldError[] {
  const seen = new Set<string>();
  return conditions.flatMap((condition, index) => {
    const at = `${PATH}[${index}]`;
    const [type, status] = [textIn(condition, "type"), textIn(condition, "status")];
    const allowed = ONLY_TRUE.includes(type) ? ["True"] : ["False", "True", "Unknown"];
    const contrary = DECISIONS.includes(type) && DECISIONS.some((each) => each !== type && seen.has(each));
    const errors = [
      ...(type === "" ? [required(`${at}.type`)] : []),
      ...(status === "" ? [required(`${at}.status`)] : []),
      ...(status === "" || allowed.includes(status) ? [] : [notSupported(`${at}.status`, status, allowed)]),
      ...(contrary ? [invalid(PATH, type, "Approved and Denied conditions are mutually exclusive")] : []),
      ...(seen.has(type) ? [duplicate(`${at}.type`, type)] : []),
    ];
    seen.add(type);
    return errors;
  });
}

function ofType(request: JsonObject, type: string): JsonObject[] {
  return conditionsOf(request).filter((condition) => get(condition, "type") === type);
}

function conditionsOf(request: JsonObject): JsonObject[] {
  const conditions = get(statusOf(request), "conditions");
  return isList(conditions) ? conditions.filter(isObject) : [];
}

function statusOf(request: JsonObject): JsonObject {
  const status = get(request, "status");
  return isObject(status) ? status : {};
}

function textIn(object: JsonObject, field: string): string {
  const value = get(object, field);
  return typeof value === "string" ? value : "";
}
