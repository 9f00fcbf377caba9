/** How a request ends that a webhook denies, or that fails with it, in Kubernetes' words. */
import { get, isList, isObject, type Json, type JsonObject } from "../json.ts";
import { badRequest, type StatusCause, StatusError } from "../status-error.ts";

/** The webhook could not be asked, or its answer not taken: what failurePolicy is about. */
export class CallFailed extends Error {
  override readonly name = "CallFailed";

  constructor(webhook: string, reason: string) {
    super(`failed calling webhook ${JSON.stringify(webhook)}: ${reason}`);
  }
}

/** The webhook said no: its own code, reason and causes, with its name in front of its message. */
export function denied(webhook: string, result: JsonObject = {}): StatusError {
  const by = `admission webhook ${JSON.stringify(webhook)} denied the request`;
  const [message, reason] = [text(get(result, "message")), text(get(result, "reason"))];
  const why = message || reason;
  const code = get(result, "code");
  return new StatusError(
    typeof code === "number" && code >= 400 && code < 600 ? code : 400,
    reason,
    why === "" ? `${by} without explanation` : `${by}: ${why}`,
    causesOf(get(result, "details")),
  );
}

export function noDryRun(webhook: string): StatusError {
  return badRequest(`admission webhook ${JSON.stringify(webhook)} does not support dry run`);
}

/** 500, as Kubernetes wraps whatever went wrong. */
export function internal(message: string): StatusError {
  return new StatusError(500, "InternalError", `Internal error occurred: ${message}`);
}

/** 504: the webhooks of this request together took longer than a request may. */
export function outOfTime(): StatusError {
  return new StatusError(504, "Timeout", "Timeout: request did not complete within requested timeout");
}

function causesOf(details: Json | undefined): StatusCause[] {
  const causes = isObject(details) ? get(details, "causes") : undefined;
  if (!isList(causes)) return [];
  return causes.filter(isObject).map((cause) => {
    const field = text(get(cause, "field"));
    return {
      reason: text(get(cause, "reason")),
      message: text(get(cause, "message")),
      ...(field === "" ? {} : { field }),
    };
  });
}

function text(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
