/** What is wrong with a text as a quantity, in upstream's words (apimachinery/pkg/api/resource). */
import { Quantity } from "../../../core/quantity.ts";

/** The common case, decided at once. */
const PLAIN = /^\d{1,18}(?:[EPTGMk]|[EPTGMK]i|m)?$/;

const SHAPE = /^[+-]?\d*(?:\.\d*)?([eEinumkKMGTP]*[+-]?\d*)$/;
const SUFFIX = /^(?:|[numkMGTPE]|[KMGTPE]i|[eE][+-]?\d+)$/;

const WRONG_FORMAT = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/** Undefined for what is a quantity. */
export function quantityProblem(text: string): string | undefined {
  if (PLAIN.test(text) || Quantity.tryParse(text) !== undefined) return undefined;
  const suffix = SHAPE.exec(text)?.[1];
  if (text === "" || suffix === undefined || SUFFIX.test(suffix)) return WRONG_FORMAT;
  return "unable to parse quantity's suffix";
}
