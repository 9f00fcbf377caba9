/** What is told of a place where a size should stand and none does: at admission, in the condition, and in the policies in CEL. */
import { type FieldError, invalid, required } from "../../admission/verdict.ts";
import { isGiven } from "../../core/semantic-equal.ts";

/** After the text that stands there. */
export const NOT_A_SIZE = "is not a size; write a number and its unit, for example 10Gi";

/** Whether something is said there. An empty text is as good as none: operators take both for their default. */
export function isSaid(written: unknown): boolean {
  return isGiven(written) && written !== "";
}

/** `written`: what stands there instead. */
export function notASize(path: string, written: unknown): FieldError {
  if (!isSaid(written)) return required(path, "a size, for example 10Gi");
  return invalid(path, typeof written === "string" ? written : JSON.stringify(written), NOT_A_SIZE);
}
