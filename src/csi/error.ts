/**
 * What a failed CSI call means for the volume.
 *
 * The one table below decides it, for every gRPC code, as every sidecar and kubelet of today does (KEP-1790; the
 * incumbent's `IsFinalError` and `IsInfeasibleError`). What it is asked for is safety: after a *final* answer the
 * expansion is known not to have happened, and a smaller size may be tried; while one is *in doubt* the recorded size
 * must be tried again, because the driver may have done it, or may still be at it.
 */

export interface Consequence {
  /** The driver is done with this call and did not do what it was asked for. False: nobody knows. */
  readonly final: boolean;
  /** Final, and asking for the same size again will not help. */
  readonly infeasible: boolean;
  /** Final, because the volume is in use and the driver grows it only while it is not. */
  readonly inUse: boolean;
}

const IN_DOUBT: Consequence = { final: false, infeasible: false, inUse: false };
const FINAL: Consequence = { final: true, infeasible: false, inUse: false };
const INFEASIBLE: Consequence = { final: true, infeasible: true, inUse: false };
const IN_USE: Consequence = { final: true, infeasible: false, inUse: true };

/** Code names are spelled as Go spells them: they show in messages, events and metrics that people search for. */
const CODES = {
  Canceled: { number: 1, consequence: IN_DOUBT },
  Unknown: { number: 2, consequence: FINAL },
  InvalidArgument: { number: 3, consequence: INFEASIBLE },
  DeadlineExceeded: { number: 4, consequence: IN_DOUBT },
  NotFound: { number: 5, consequence: INFEASIBLE },
  AlreadyExists: { number: 6, consequence: FINAL },
  PermissionDenied: { number: 7, consequence: FINAL },
  ResourceExhausted: { number: 8, consequence: IN_DOUBT },
  FailedPrecondition: { number: 9, consequence: IN_USE },
  Aborted: { number: 10, consequence: IN_DOUBT },
  OutOfRange: { number: 11, consequence: INFEASIBLE },
  Unimplemented: { number: 12, consequence: FINAL },
  Internal: { number: 13, consequence: FINAL },
  Unavailable: { number: 14, consequence: IN_DOUBT },
  DataLoss: { number: 15, consequence: FINAL },
  Unauthenticated: { number: 16, consequence: FINAL },
} as const satisfies Record<string, { number: number; consequence: Consequence }>;

/** A gRPC status other than OK. */
export type CsiCode = keyof typeof CODES;

/** Every code, in the order of their numbers. */
export const CSI_CODES = Object.keys(CODES) as readonly CsiCode[];

/**
 * A CSI call that failed, on either side of the socket: drivers throw it from a handler, the client throws it from a
 * call. The message has Go's form, `rpc error: code = OutOfRange desc = …`, which is what events and conditions show.
 */
export class CsiError extends Error implements Consequence {
  override readonly name = "CsiError";
  readonly code: CsiCode;
  /** What the driver said, without the form around it. */
  readonly description: string;

  constructor(code: CsiCode, description: string, options?: { cause?: unknown }) {
    super(`rpc error: code = ${code} desc = ${description}`, options);
    this.code = code;
    this.description = description;
  }

  /** The code as it travels. */
  get number(): number {
    return CODES[this.code].number;
  }
  get final(): boolean {
    return CODES[this.code].consequence.final;
  }
  get infeasible(): boolean {
    return CODES[this.code].consequence.infeasible;
  }
  get inUse(): boolean {
    return CODES[this.code].consequence.inUse;
  }
}

/**
 * What anything thrown on the way to the driver means. Only a driver's own answer can be final: whatever else goes wrong
 * (a secret that cannot be read, a bug of ours) leaves an earlier call as much in doubt as it was.
 */
export function consequenceOf(error: unknown): Consequence {
  return error instanceof CsiError ? CODES[error.code].consequence : IN_DOUBT;
}

/** The name of a code that came over the wire; one that gRPC does not know is `Unknown`. */
export function codeFromNumber(number: number): CsiCode {
  return CSI_CODES.find((name) => CODES[name].number === number) ?? "Unknown";
}
