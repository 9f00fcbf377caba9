/**
 * The one error class of this boundary: whatever goes wrong between us and an API server, from reading a kubeconfig to a
 * conflict on a write. What an aborted signal stops is not an error of this kind: it rejects with the signal's reason.
 */
import { messageOf } from "../core/errors.ts";

/** `status.details` of a failure, as the API server sends it. */
export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly { readonly reason?: string; readonly message?: string; readonly field?: string }[];
  readonly retryAfterSeconds?: number;
}

/** A `Status` object, which is how the API server describes an outcome that is not an object. */
export interface Status {
  readonly kind?: string;
  readonly status?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly code?: number;
  readonly details?: StatusDetails;
}

/** Reasons of our own, beside the ones that Kubernetes gives (`Conflict`, `NotFound`, `Expired` ...). */
export type LocalReason =
  /** The kubeconfig, the service account or a credential plugin is not usable; the message names the file and the field. */
  | "ConfigInvalid"
  /** No answer came: refused, reset, closed, not resolved, or the certificate was not accepted. */
  | "Unreachable"
  /** An answer came that is not what an API server says. */
  | "BadResponse";

export interface KubeErrorFields {
  /** The HTTP status; 0 where no answer came. */
  readonly status?: number;
  readonly details?: StatusDetails;
  /** How long the server asks to wait before the next attempt, in milliseconds. */
  readonly retryAfter?: number;
  readonly cause?: unknown;
}

export class KubeError extends Error {
  override readonly name = "KubeError";
  /** Kubernetes' reason, or one of `LocalReason`; never empty. */
  readonly reason: string;
  readonly status: number;
  readonly details: StatusDetails | undefined;
  readonly retryAfter: number | undefined;

  constructor(reason: string, message: string, fields: KubeErrorFields = {}) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.reason = reason;
    this.status = fields.status ?? 0;
    this.details = fields.details;
    this.retryAfter = fields.retryAfter;
  }
}

/** Names for answers that carry no Status, for example from a proxy in between. */
const REASONS: Readonly<Record<number, string>> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  405: "MethodNotAllowed",
  406: "NotAcceptable",
  409: "Conflict",
  410: "Gone",
  413: "RequestEntityTooLarge",
  415: "UnsupportedMediaType",
  422: "Invalid",
  429: "TooManyRequests",
  500: "InternalError",
  503: "ServiceUnavailable",
  504: "Timeout",
};

/** The error for a Status, from a response or from within a watch. `context` says what was being done. */
export function errorFromStatus(status: Status, httpStatus: number, context: string, retryAfter?: number): KubeError {
  const code = status.code ?? httpStatus;
  const reason = status.reason || REASONS[code] || (code >= 500 ? "InternalError" : "Unknown");
  const seconds = status.details?.retryAfterSeconds;
  const wait = retryAfter ?? (seconds === undefined || seconds <= 0 ? undefined : seconds * 1000);
  return new KubeError(reason, `${context}: ${status.message || `${code} ${reason}`}`, {
    status: code,
    ...(status.details === undefined ? {} : { details: status.details }),
    ...(wait === undefined ? {} : { retryAfter: wait }),
  });
}

/** The error for a request that got no answer. */
export function unreachable(context: string, cause: unknown): KubeError {
  return new KubeError("Unreachable", `${context}: ${rootMessage(cause)}`, { cause });
}

/** Errors of several attempts (IPv4 and IPv6) come as one with an empty message; the attempts say what happened. */
function rootMessage(error: unknown): string {
  const inner = error instanceof AggregateError ? error.errors[0] : error;
  return messageOf(inner) || String((inner as { code?: unknown } | undefined)?.code ?? inner);
}

/** The object is not there; or, without `details.name`, the server does not know the resource at all. */
export function isNotFound(error: unknown): boolean {
  return has(error, 404);
}

/** Somebody else wrote the object first, or a precondition did not hold. Read again and decide again. */
export function isConflict(error: unknown): boolean {
  return error instanceof KubeError && error.status === 409 && error.reason !== "AlreadyExists";
}

export function isAlreadyExists(error: unknown): boolean {
  return error instanceof KubeError && error.reason === "AlreadyExists";
}

/** The resource version or the continue token is too old: list again. Says the server both ways, as Gone and as Expired. */
export function isGone(error: unknown): boolean {
  return error instanceof KubeError && (error.status === 410 || error.reason === "Expired" || error.reason === "Gone");
}

/** Refused by RBAC, by an admission check, by quota. */
export function isForbidden(error: unknown): boolean {
  return has(error, 403);
}

export function isUnauthorized(error: unknown): boolean {
  return has(error, 401);
}

/** The object does not pass validation; `details.causes` says where. */
export function isInvalid(error: unknown): boolean {
  return has(error, 422);
}

export function isTooManyRequests(error: unknown): boolean {
  return has(error, 429);
}

/** No answer came; for a write it is not known whether it was done. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof KubeError && error.reason === "Unreachable";
}

/** The server has not yet seen the resource version that was asked for, or lost it: it was restored or replaced. */
export function isResourceVersionTooLarge(error: unknown): boolean {
  return (
    error instanceof KubeError &&
    error.status === 504 &&
    error.details?.causes?.some((cause) => cause.reason === "ResourceVersionTooLarge") === true
  );
}

function has(error: unknown, status: number): boolean {
  return error instanceof KubeError && error.status === status;
}

/** Undefined for what is not there. */
export async function ifThere<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
