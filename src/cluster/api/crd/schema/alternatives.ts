/** allOf, anyOf, oneOf and not: schemas that a value must fit beside its own (kube-openapi, `schemaPropsValidator`). */
import { add, isFine, merge, overall, type Tally } from "./result.ts";
import type { Schema } from "./schema.ts";

/**
 * Adds what is wrong. Of alternatives that all fail, the errors of the one that came furthest are told. `against` holds the
 * value against one of them.
 */
export function checkAlternatives(
  { allOf, anyOf, oneOf, not }: Schema,
  path: string,
  against: (alternative: Schema) => Tally,
  tally: Tally,
): void {
  const refuse = (what: string): void => add(tally, overall(`${JSON.stringify(path)} must ${what}`));

  if (anyOf.length > 0) {
    const tried = anyOf.map(against);
    const first = tried.find(isFine);
    if (first === undefined) refuse("validate at least one schema (anyOf)");
    merge(tally, first ?? mostChecked(tried));
  }
  if (oneOf.length > 0) {
    const tried = oneOf.map(against);
    const fits = tried.filter(isFine);
    const [first] = fits;
    if (fits.length !== 1) {
      const found = first === undefined ? "Found none valid" : `Found ${fits.length} valid alternatives`;
      refuse(`validate one and only one schema (oneOf). ${found}`);
    }
    if (fits.length < 2) merge(tally, first ?? mostChecked(tried));
  }
  if (allOf.length > 0) {
    const tried = allOf.map(against);
    for (const own of tried) merge(tally, own);
    if (!tried.every(isFine)) {
      refuse(`validate all the schemas (allOf)${tried.some(isFine) ? "" : ". None validated"}`);
    }
  }
  if (not !== undefined && isFine(against(not))) refuse("not validate the schema (not)");
}

function mostChecked(tried: readonly Tally[]): Tally {
  return tried.reduce((best, own) => (own.checks > best.checks ? own : best));
}
