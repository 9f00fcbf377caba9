/** Our engine's answers, in the form of those that `main.go` gives. */
import { fieldErrorText } from "../../../src/admission/verdict.ts";
import { shownType } from "../../../src/cluster/api/cel/check/types.ts";
import {
  asResource,
  createEnvironment,
  DYN,
  estimateCost,
  fromJson,
  isError,
  sizesOf,
} from "../../../src/cluster/api/cel/index.ts";
import { compileRules, selfType } from "../../../src/cluster/api/crd/rules/compile-rules.ts";
import { rulesOf } from "../../../src/cluster/api/crd/rules/validate-rules.ts";
import { readSchema } from "../../../src/cluster/api/crd/schema/schema.ts";
import type { Json, JsonObject } from "../../../src/cluster/api/json.ts";
import { atOnce } from "../../../src/cluster/api/steps.ts";
import { shownValue } from "./shown.ts";

export interface Answer {
  readonly issues?: string;
  readonly program?: string;
  readonly type?: string;
  readonly error?: string;
  readonly value?: unknown;
  readonly cost?: number;
  readonly estimates?: readonly number[];
  readonly refusals?: readonly string[];
}

const environment = createEnvironment({ variables: { self: DYN } });

export function evaluateHere(expression: string, self: Json): Answer {
  const compiled = environment.compile(expression);
  if (compiled.program === undefined)
    return { [compiled.failure.kind === "issues" ? "issues" : "program"]: compiled.failure.text, cost: 0 };
  const { value, cost } = compiled.program.evaluate((name) => (name === "self" ? fromJson(self) : undefined));
  const type = shownType(compiled.checked.type);
  return { type, cost, ...(isError(value) ? { error: value.message } : { value: shownValue(value) }) };
}

export function validateHere(written: JsonObject, object: JsonObject | undefined, old: JsonObject | undefined): Answer {
  const read = readSchema(written);
  const schema = asResource(read);
  const type = selfType(read, true);
  const compiled = type === undefined ? [] : compileRules(read, type);
  const complaints = compiled.flatMap(({ error, messageError }) =>
    [error, messageError].filter((each) => each !== undefined),
  );
  const validate = complaints.length === 0 && object !== undefined ? atOnce(rulesOf(read)) : undefined;
  const errors = validate?.(object ?? {}, old, () => {}) ?? [];
  return {
    estimates: compiled.map(({ checked }) => (checked === undefined ? 0 : estimateCost(checked, sizesOf(schema)))),
    refusals: [...complaints, ...errors.map(fieldErrorText)],
  };
}
