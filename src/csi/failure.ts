/**
 * A failed call as grpc-js reports it, turned into a `CsiError`.
 *
 * What the driver said is kept word for word. What grpc-js says by itself carries times and durations, so that no two
 * failures read alike and every retry would be a new event; those are replaced by fixed words, Go's where Go has some.
 */
import type { ServiceError } from "@grpc/grpc-js";
import { CsiError, codeFromNumber } from "./error.ts";

/** Shorter values blot out half of a message when they are taken out of it, and protect nothing. */
const SHORTEST_SECRET = 4;
const STRIPPED = "***stripped***";

/**
 * What grpc-js says where no status came from the driver, or none that can be read. It then picks a code such as
 * Internal or Unknown, which from a driver would be final; but nobody has answered, and the work may have been done.
 */
const NO_ANSWER = new RegExp(
  "^(Received RST_STREAM with code|Received HTTP status code|No status information received|No message received$|" +
    "Call cancelled$|Protocol not secure enough$|Write error: |Response message parsing error|" +
    "Request message serialization failure)",
);
const LAST_ERROR = /Last error: (?:Error: )?(.*?)(?: \(\d{4}-\d\d-\d\dT[^)]*\))?\. Resolution note/;

export interface FailedCall {
  readonly socketPath: string;
  /** Values that were sent as secrets. A driver may repeat one; a claim's events are no place for it. */
  readonly secrets: readonly string[];
  /** The caller's signal, when there was one. */
  readonly signal: AbortSignal | undefined;
}

export function csiErrorFrom(error: ServiceError, call: FailedCall): CsiError {
  const code = codeFromNumber(error.code);
  const details = error.details ?? "";

  if (code === "Canceled" && call.signal?.aborted === true) return canceled(call.signal);
  if (NO_ANSWER.test(details)) {
    return new CsiError("Unavailable", `the driver did not answer: ${strip(details, call.secrets)}`);
  }
  if (code === "DeadlineExceeded" && /^Deadline exceeded( after [\d.]+s.*)?$/.test(details)) {
    return new CsiError(code, "context deadline exceeded");
  }
  if (code === "Unavailable" && details.startsWith("No connection established")) {
    const reason = LAST_ERROR.exec(details)?.[1] ?? "no connection";
    return new CsiError(code, `cannot reach the driver at ${call.socketPath}: ${reason}`);
  }
  return new CsiError(code, strip(details, call.secrets));
}

/** What a call ends with when its caller no longer wants it. The driver may go on with it, so this is in doubt. */
export function canceled(signal: AbortSignal): CsiError {
  return new CsiError("Canceled", "context canceled", { cause: signal.reason });
}

function strip(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .toSorted((a, b) => b.length - a.length)
    .reduce((stripped, secret) => stripped.replaceAll(secret, STRIPPED), text);
}
