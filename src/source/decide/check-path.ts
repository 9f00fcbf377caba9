/** A path of a source, read or refused. */
import { type FieldError, invalid } from "../../admission/verdict.ts";
import { messageOf } from "../../core/errors.ts";
import { type Path, parsePath } from "./path.ts";

/** Either a path or errors. The error says at which position the text stops to be a path. */
export function checkPath(
  field: string,
  text: string,
): { readonly path: Path | undefined; readonly errors: readonly FieldError[] } {
  try {
    return { path: parsePath(text), errors: [] };
  } catch (error) {
    // The text itself is in front of the message already.
    const detail = messageOf(error).replace(`${JSON.stringify(text)} is no path, `, "");
    return { path: undefined, errors: [invalid(field, text, detail)] };
  }
}
