/** Refusals as the API sends them: a `Status` object, with what it is about. */
import type { JsonObject } from "../json.ts";
import { type Kind, resourceName } from "../kinds/kind.ts";
import { type StatusCause, StatusError, type StatusSubject } from "../status-error.ts";

/** What a request was about, as far as its path tells. */
export interface Subject {
  readonly group?: string;
  readonly plural?: string;
  readonly name?: string | undefined;
}

export function toStatus(error: StatusError, subject: Subject): JsonObject {
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: error.continue === undefined ? {} : { continue: error.continue },
    status: "Failure",
    message: error.message,
    ...(error.reason === "" ? {} : { reason: error.reason }),
    ...detailsOf(error, subject),
    code: error.code,
  };
}

/** How the message of a failure inside begins; what follows is told again as its cause. */
const INSIDE = "Internal error occurred: ";

/** An empty one is shown where the refusal is about nothing in particular. */
function detailsOf(error: StatusError, subject: Subject): JsonObject {
  const { reason, about, message } = error;
  const inside = reason === "InternalError" && message.startsWith(INSIDE);
  const causes: readonly Partial<StatusCause>[] = inside ? [{ message: message.slice(INSIDE.length) }] : error.causes;
  const what = about ?? (reason === "Forbidden" ? subjectOf(subject) : undefined);
  if (what === undefined && causes.length === 0) return {};
  const { retryAfterSeconds = 0, ...names } = what ?? {};
  return {
    details: {
      ...filled(names),
      ...(causes.length === 0 ? {} : { causes: causes.map((cause) => ({ ...cause })) }),
      ...(retryAfterSeconds === 0 ? {} : { retryAfterSeconds }),
    },
  };
}

function subjectOf({ group = "", plural = "", name = "" }: Subject): StatusSubject {
  return { name, group, kind: plural };
}

/** What is empty is left out. */
function filled(names: Omit<StatusSubject, "retryAfterSeconds">): JsonObject {
  return Object.fromEntries(Object.entries(names).filter(([, text]) => text !== ""));
}

/** The path means nothing here: no such group, version or resource. kubectl tells it from an object that is not there. */
export function unknownPath(): StatusError {
  return new StatusError(404, "NotFound", "the server could not find the requested resource", [], {});
}

/** The same for custom resources. */
export function notSupported(kind: Pick<Kind, "group" | "plural">, verb: string): StatusError {
  const message = `${verb} is not supported on resources of kind ${JSON.stringify(resourceName(kind))}`;
  return new StatusError(405, "MethodNotAllowed", message, [], { group: kind.group, kind: kind.plural });
}

/** The resource is there, but does not do this. */
export function methodNotAllowed(): StatusError {
  const message = "the server does not allow this method on the requested resource";
  return new StatusError(405, "MethodNotAllowed", message, [], {});
}

const WHOLE = ["application/json", "application/yaml", "application/vnd.kubernetes.protobuf"];
const STREAMS = ["application/json;stream=watch", "application/vnd.kubernetes.protobuf;stream=watch"];

/** No form of the answer is one that the client takes. `known`: it takes some encoding that there is, but not for this. */
export function notAcceptable(of: "object" | "list" | "watch", known: boolean): StatusError {
  if (known) {
    const message = `only the following media types are accepted: ${(of === "watch" ? STREAMS : WHOLE).join(", ")}`;
    return new StatusError(406, "NotAcceptable", message);
  }
  const offered = of === "object" ? WHOLE : [...WHOLE, ...STREAMS];
  const message = `406: Not Acceptable\n\nAvailable representations: ${offered.join(", ")}`;
  return new StatusError(406, "NotAcceptable", message, [], {});
}

/** The form of one object was asked for, of a list. `type`: what the list is, as Kubernetes calls it. */
export function oneIsAsked(type: string): StatusError {
  const message = `you requested PartialObjectMetadata, but the requested object is a list (${type})`;
  return new StatusError(406, "NotAcceptable", message);
}

/** The form of a list was asked for, of one object. */
export function listIsAsked(type: string): StatusError {
  const message = `you requested PartialObjectMetadataList, but the requested object is not a list (${type})`;
  return new StatusError(406, "NotAcceptable", message);
}

/** The patch is in none of the forms that the resource takes: custom resources say which these are. */
export function unsupportedMediaType(taken: readonly string[], custom: boolean): StatusError {
  if (!custom) return new StatusError(415, "UnsupportedMediaType", "415: Unsupported Media Type", [], {});
  const message = `the body of the request was in an unknown format - accepted media types include: ${taken.join(", ")}`;
  return new StatusError(415, "UnsupportedMediaType", message);
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
