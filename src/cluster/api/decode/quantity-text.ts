/** What is wrong with a text as a quantity, in upstream's words (apimachinery/pkg/api/resource). */
import { Quantity } from "../../../core/quantity.ts";

/** The common case, decided at once. */
const PLAIN = /^\d{1,18}(?:[EPTGMk]|[EPTGMK]i|m)?$/;

const SHAPE = /^[+-]?\d*(?:\.\d*)?([eEinumkKMGTP]*[+-]?\d*)$/;
const SUFFIX = /^(?:|[numkMGTPE]|[KMGTPE]i|[eE][+-]?\d+)$/;

const WRONG_FORMAT = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/** Longer texts are none to ours; so they are not looked at closely either. */
const MAX_LENGTH = 2000;

/** Undefined for what is a quantity. */
export function quantityProblem(text: string): string | undefined {
  if (PLAIN.test(text)) return undefined;
  if (text.length > MAX_LENGTH) return WRONG_FORMAT;
  if (Quantity.tryParse(text) !== undefined) return undefined;
  const suffix = SHAPE.exec(text)?.[1];
  if (text === "" || suffix === undefined || SUFFIX.test(suffix)) return WRONG_FORMAT;
  return "unable to parse quantity's suffix";
}
