/** A refusal of the rule core, as the error that handlers throw. */
import { type FieldError, type Refusal, toStatus } from "../../../admission/verdict.ts";
import type { Kind } from "../kinds/kind.ts";
import { StatusError } from "../status-error.ts";

export function refusedWith(refusal: Refusal): StatusError {
  const { code, reason, message, details } = toStatus(refusal);
  const { causes = [], ...about } = details;
  return new StatusError(code, reason, message, causes, about);
}

/** So many errors of an object are told. A body has room for a hundred thousand, which nobody reads. */
const MOST_TOLD = 1000;

/** Throws 422 when there are any errors. What is stored as another kind is refused as one of these. */
export function refuseInvalid(
  row: Pick<Kind, "group" | "kind" | "plural" | "storedAs">,
  name: string,
  errors: readonly FieldError[],
): void {
  if (errors.length === 0) return;
  const { group, kind, plural } = row.storedAs ?? row;
  const target = { group, kind, resource: plural, name };
  throw refusedWith({ kind: "invalid", target, errors: errors.slice(0, MOST_TOLD) });
}
