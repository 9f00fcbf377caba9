/** Whether an operator was told to keep its hands off a resource: then so do we. */
import { isGiven } from "../../core/semantic-equal.ts";
import type { KubeObject } from "../../core/types.ts";
import type { ExpansionSourceSpec } from "../types.ts";
import { parsePath, readAt } from "./path.ts";

/**
 * With `equals`: when what stands there, written out, is that text. Without: when something stands there that is not false, as
 * a value or as the text that annotations have. Throws `PATH_MALFORMED` for a path that `checkSource` refuses.
 */
export function isPaused({ paused }: Pick<ExpansionSourceSpec, "paused">, resource: KubeObject): boolean {
  if (paused === undefined) return false;
  const value = readAt(resource, parsePath(paused.path))[0]?.value;
  if (!isGiven(value)) return false;
  const written = typeof value === "string" ? value : JSON.stringify(value);
  return paused.equals === undefined ? written !== "false" : written === paused.equals;
}
