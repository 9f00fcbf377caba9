/** What an object is given from what the cluster has only once, and gives back when it is gone: addresses and ports of services. */
import type { JsonObject } from "../json.ts";
import type { Kind } from "../kinds/kind.ts";
import type { ApiContext } from "./context.ts";

export interface Reserved {
  readonly object: JsonObject;
  /** It is stored. */
  commit(): void;
  /** It is not stored. */
  revert(): void;
}

/**
 * The object with what it is given, which is held until `commit` or `revert`, one of which must follow. `old` is what it
 * replaces. Throws 422 for what cannot be had.
 */
export function reserve(
  { services }: ApiContext,
  kind: Kind,
  object: JsonObject,
  old: JsonObject | undefined,
  dryRun: boolean,
  subresource?: string,
): Reserved {
  if (!isService(kind) || subresource !== undefined) return { object, commit: nothing, revert: nothing };
  const reservation = services.reserve(object, old, dryRun);
  return {
    object: reservation.service,
    commit: () => reservation.commit(),
    revert: () => reservation.revert(),
  };
}

/** The object is gone: what it had may go to others. */
export function release({ services }: ApiContext, kind: Kind, object: JsonObject): void {
  if (isService(kind)) services.release(object);
}

function isService({ kind, group }: Kind): boolean {
  return kind === "Service" && group === "";
}

function nothing(): void {}
