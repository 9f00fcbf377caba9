/** Refusals as the API sends them: a `Status` object, with what it is about. */
import type { JsonObject } from "../json.ts";
import type { Kind } from "../kinds/kind.ts";
import { StatusError, type StatusSubject } from "../status-error.ts";

/** What a request was about, as far as it is known. */
export interface Subject {
  readonly kind?: Pick<Kind, "group" | "plural" | "kind"> | undefined;
  readonly name?: string | undefined;
}

/** Reasons under which Kubernetes names the kind, not the resource. */
const BY_KIND: ReadonlySet<string> = new Set(["Invalid"]);

export function toStatus(error: StatusError, subject: Subject): JsonObject {
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: error.message,
    ...(error.reason === "" ? {} : { reason: error.reason }),
    ...detailsOf(error, subject),
    code: error.code,
  };
}

/** Only refusals of an object tell which one. */
function detailsOf(error: StatusError, subject: Subject): JsonObject {
  const { reason, causes } = error;
  const about = error.about === undefined ? subjectOf(error, subject) : filled(error.about);
  const more = {
    ...(causes.length === 0 ? {} : { causes: causes.map((cause) => ({ ...cause })) }),
    ...(reason === "Timeout" ? { retryAfterSeconds: 1 } : {}),
  };
  const details = { ...about, ...more };
  return Object.keys(details).length === 0 ? {} : { details };
}

function subjectOf({ code, reason }: StatusError, { kind, name }: Subject): JsonObject {
  if (kind === undefined || name === undefined || (code !== 404 && code !== 409 && code !== 422 && code !== 403))
    return {};
  return {
    name,
    ...(kind.group === "" ? {} : { group: kind.group }),
    kind: BY_KIND.has(reason) ? kind.kind : kind.plural,
  };
}

/** What is empty is left out. */
function filled(about: StatusSubject): JsonObject {
  return Object.fromEntries(Object.entries(about).filter((entry): entry is [string, string] => Boolean(entry[1])));
}

/** The path means nothing here: no such group, version or resource. kubectl tells it from an object that is not there. */
export function unknownPath(): StatusError {
  return new StatusError(404, "NotFound", "the server could not find the requested resource");
}

/** The resource is there, but does not do this. */
export function methodNotAllowed(): StatusError {
  return new StatusError(405, "MethodNotAllowed", "the server does not allow this method on the requested resource");
}

/** No form of the answer is one that the client takes. */
export function notAcceptable(): StatusError {
  return new StatusError(
    406,
    "NotAcceptable",
    "only the following media types are accepted: application/json, application/yaml",
  );
}

/** What was done, where no object tells it. */
export function success(kind: Pick<Kind, "group" | "plural">, name: string, uid: string): JsonObject {
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Success",
    details: { name, ...(kind.group === "" ? {} : { group: kind.group }), kind: kind.plural, uid },
  };
}
