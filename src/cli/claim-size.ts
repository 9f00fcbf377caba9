/** The size of a claim, as it is typed. */
import { OutgrowError } from "../core/errors.ts";
import { Quantity } from "../core/quantity.ts";

/** Undefined when nothing was typed. Throws `USAGE` for anything but one size above zero. */
export function readClaimSize(words: readonly string[]): Quantity | undefined {
  const [text, ...more] = words;
  if (text === undefined) return undefined;
  const size = Quantity.tryParse(text);
  if (size !== undefined && more.length === 0 && size.moreThan(Quantity.zero)) return size;
  throw new OutgrowError(
    "USAGE",
    `${JSON.stringify(words.join(" "))} is not a size for a claim; write one, for example 20Gi`,
  );
}
