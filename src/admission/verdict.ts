/**
 * The words in which a change is refused: Kubernetes' own, so that whoever reads an answer of ours (kubectl, a
 * controller, a person) meets the texts they know. Rules return these values; an API server turns one into the answer
 * with `toStatus`.
 */

/** Which field is wrong, and how. `detail` may be empty. */
export interface FieldError {
  readonly type: FieldErrorType;
  /** `spec.resources.requests.storage` */
  readonly path: string;
  /** The value that is wrong; Required, Forbidden and TooLong do not show it. */
  readonly value?: unknown;
  readonly detail: string;
}

/** In the place of a value that is too large to be shown. */
export const OMITTED = Symbol("omitted");

export type FieldErrorType =
  | "Required"
  | "Invalid"
  | "NotSupported"
  | "Forbidden"
  | "Duplicate"
  | "NotFound"
  | "TooLong"
  | "TooMany"
  /** A value of another type than its schema says; the text is that of `Invalid`. */
  | "TypeInvalid"
  /** Nobody's fault that can be told. */
  | "InternalError";

export function required(path: string, detail = ""): FieldError {
  return { type: "Required", path, detail };
}

export function invalid(path: string, value: unknown, detail: string): FieldError {
  return { type: "Invalid", path, value, detail };
}

export function forbidden(path: string, detail: string): FieldError {
  return { type: "Forbidden", path, detail };
}

export function notSupported(path: string, value: unknown, supported: readonly string[]): FieldError {
  const detail = `supported values: ${supported.map((each) => JSON.stringify(each)).join(", ")}`;
  return { type: "NotSupported", path, value, detail };
}

export function internalField(path: string, detail: string): FieldError {
  return { type: "InternalError", path, detail };
}

export function duplicate(path: string, value: unknown): FieldError {
  return { type: "Duplicate", path, value, detail: "" };
}

/** The value names something that should be beside it and is not. */
export function notFound(path: string, value: unknown): FieldError {
  return { type: "NotFound", path, value, detail: "" };
}

export function tooLong(path: string, maxBytes: number): FieldError {
  return { type: "TooLong", path, detail: `may not be more than ${maxBytes} ${maxBytes === 1 ? "byte" : "bytes"}` };
}

/** `value` is how many there are. */
export function tooMany(path: string, value: number, max: number): FieldError {
  return { type: "TooMany", path, value, detail: `must have at most ${max} ${max === 1 ? "item" : "items"}` };
}

const TYPE_TEXT: Readonly<Record<FieldErrorType, string>> = {
  Required: "Required value",
  Invalid: "Invalid value",
  NotSupported: "Unsupported value",
  Forbidden: "Forbidden",
  Duplicate: "Duplicate value",
  NotFound: "Not found",
  TooLong: "Too long",
  TooMany: "Too many",
  TypeInvalid: "Invalid value",
  InternalError: "Internal error",
};

const HIDES_VALUE: ReadonlySet<FieldErrorType> = new Set(["Required", "Forbidden", "TooLong", "InternalError"]);

/** `spec.resources[storage]: Invalid value: "0": must be greater than zero` */
export function fieldErrorText(error: FieldError): string {
  return `${error.path}: ${bodyText(error)}`;
}

function bodyText({ type, value, detail }: FieldError): string {
  const shown = HIDES_VALUE.has(type) || value === OMITTED ? "" : `: ${valueText(value)}`;
  return `${TYPE_TEXT[type]}${shown}${detail === "" ? "" : `: ${detail}`}`;
}

function valueText(value: unknown): string {
  if (typeof value === "bigint") return value.toString();
  const text = JSON.stringify(value) ?? "null";
  // Go writes these as numbers in what is more than a text.
  return typeof value === "object" ? text.replaceAll(/[<>&]/g, (sign) => HTML_SIGNS[sign] ?? sign) : text;
}

const HTML_SIGNS: Readonly<Record<string, string>> = { "<": "\\u003c", ">": "\\u003e", "&": "\\u0026" };

/** Several messages as one, the way Kubernetes joins them: `[a, b]`, each only once, one alone without brackets. */
export function aggregate(messages: readonly string[]): string {
  const distinct = [...new Set(messages)];
  return distinct.length === 1 ? distinct.join() : `[${distinct.join(", ")}]`;
}

/** The object that somebody wanted to change. */
export interface Target {
  /** Empty for the core group. */
  readonly group: string;
  readonly kind: string;
  /** The plural: `persistentvolumeclaims`. */
  readonly resource: string;
  readonly name: string;
}

/** Why a change is refused. `invalid`: the object itself is wrong (422). `forbidden`: an admission check says no (403). */
export type Refusal =
  | { readonly kind: "invalid"; readonly target: Target; readonly errors: readonly FieldError[] }
  | { readonly kind: "forbidden"; readonly target: Target; readonly reason: string };

export function claimTarget(name: string): Target {
  return { group: "", kind: "PersistentVolumeClaim", resource: "persistentvolumeclaims", name };
}

export function statefulSetTarget(name: string): Target {
  return { group: "apps", kind: "StatefulSet", resource: "statefulsets", name };
}

/**
 * What the client is told:
 * `PersistentVolumeClaim "x" is invalid: spec.resources.requests.storage: Forbidden: field can not be less than status.capacity`
 * or `persistentvolumeclaims "x" is forbidden: exceeded quota: ...`.
 */
export function refusalText(refusal: Refusal): string {
  const { group, kind, resource, name } = refusal.target;
  const qualified = (word: string) => (group === "" ? word : `${word}.${group}`);
  return refusal.kind === "invalid"
    ? `${qualified(kind)} ${JSON.stringify(name)} is invalid: ${aggregate(refusal.errors.map(fieldErrorText))}`
    : `${qualified(resource)} ${JSON.stringify(name)} is forbidden: ${refusal.reason}`;
}

/** A `metav1.Status` that says no. */
export interface FailureStatus {
  readonly kind: "Status";
  readonly apiVersion: "v1";
  readonly metadata: Readonly<Record<string, never>>;
  readonly status: "Failure";
  readonly message: string;
  readonly reason: "Invalid" | "Forbidden";
  readonly details: {
    readonly name: string;
    readonly group?: string;
    /** For `Invalid` the kind, for `Forbidden` the plural: so it is upstream. */
    readonly kind: string;
    readonly causes?: readonly { readonly reason: string; readonly message: string; readonly field: string }[];
  };
  readonly code: 422 | 403;
}

/** The refusal as the API says it: reason, code and, for an invalid object, one cause per field. */
export function toStatus(refusal: Refusal): FailureStatus {
  const { group, kind, resource, name } = refusal.target;
  const common = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure" } as const;
  const message = refusalText(refusal);
  const details = group === "" ? { name } : { name, group };
  if (refusal.kind === "forbidden") {
    return { ...common, message, reason: "Forbidden", details: { ...details, kind: resource }, code: 403 };
  }
  const causes = refusal.errors.map((error) => ({
    reason: error.type === "InternalError" ? error.type : `FieldValue${error.type}`,
    message: bodyText(error),
    field: error.path,
  }));
  return { ...common, message, reason: "Invalid", details: { ...details, kind, causes }, code: 422 };
}
