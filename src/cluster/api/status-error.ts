/** A request that is refused, in the words of Kubernetes: what a handler throws and the server sends as a Status. */

export interface StatusCause {
  readonly reason?: string;
  readonly message: string;
  readonly field?: string;
}

/** So many errors of one object are told. A body has room for a hundred thousand, which nobody reads. */
export const MOST_TOLD = 1000;

/** As the details of a Status have it; what is empty or left out is not shown. */
export interface StatusSubject {
  readonly name?: string;
  readonly group?: string;
  /** For an object that is wrong its kind, else the plural: so it is upstream. */
  readonly kind?: string;
  readonly retryAfterSeconds?: number;
}

export class StatusError extends Error {
  override readonly name = "StatusError";
  /** The HTTP status. */
  readonly code: number;
  /** `BadRequest`, `Conflict`, ...; empty where Kubernetes gives none. */
  readonly reason: string;
  readonly causes: readonly StatusCause[];
  /** What it is about. Undefined: nothing in particular, or, for a 403, what the path names. */
  readonly about: StatusSubject | undefined;
  /** Where a list that is refused can be taken up. */
  readonly continue: string | undefined;

  constructor(
    code: number,
    reason: string,
    message: string,
    causes: readonly StatusCause[] = [],
    about?: StatusSubject,
    continued?: string,
  ) {
    super(message);
    this.code = code;
    this.reason = reason;
    this.causes = causes;
    this.about = about;
    this.continue = continued;
  }
}

/** The request cannot be understood: 400. */
export function badRequest(message: string): StatusError {
  return new StatusError(400, "BadRequest", message);
}

/** A plain error inside Kubernetes' handlers; it reaches the client as it is, with 500 and no reason. */
export function internalError(message: string): StatusError {
  return new StatusError(500, "", message);
}

/** The request is understood but cannot be done: 422. Kubernetes keeps the details to itself here. */
export function unprocessable(): StatusError {
  return new StatusError(422, "Invalid", "the server rejected our request due to an error in our request", [], {});
}

/** The body asks for more work than is allowed: 413. */
export function tooLarge(message: string): StatusError {
  return new StatusError(413, "RequestEntityTooLarge", `Request entity too large: ${message}`);
}
