/** A refusal of the rule core, as the error that handlers throw. */
import { type FieldError, fieldErrorText, type Refusal, toStatus } from "../../../admission/verdict.ts";
import type { Kind } from "../kinds/kind.ts";
import { MOST_TOLD, StatusError } from "../status-error.ts";

export function refusedWith(refusal: Refusal): StatusError {
  const { code, reason, message, details } = toStatus(refusal);
  const { causes = [], ...about } = details;
  return new StatusError(code, reason, message, causes, about);
}

/** So much text of theirs, but for the first: some show all of a list, each. */
const MOST_TEXT = 2 ** 20;

/** Throws 422 when there are any errors. What is stored as another kind is refused as one of these. */
export function refuseInvalid(
  row: Pick<Kind, "group" | "kind" | "plural" | "storedAs">,
  name: string,
  errors: readonly FieldError[],
): void {
  if (errors.length === 0) return;
  const { group, kind, plural } = row.storedAs ?? row;
  const target = { group, kind, resource: plural, name };
  throw refusedWith({ kind: "invalid", target, errors: told(errors) });
}

function told(errors: readonly FieldError[]): FieldError[] {
  let text = 0;
  return errors.slice(0, MOST_TOLD).filter((error, index) => {
    if (index > 0 && text > MOST_TEXT) return false;
    text += fieldErrorText(error).length;
    return index === 0 || text <= MOST_TEXT;
  });
}
