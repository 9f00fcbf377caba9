/** Whether matchConditions let a request come to a policy or a webhook (upstream webhook/matchconditions/matcher.go). */
import { aggregate } from "../../../admission/verdict.ts";
import { MATCH_CONDITIONS_BUDGET } from "../cel/index.ts";
import { environmentOf } from "./environments.ts";
import { beginEvaluation, OutOfBudget, type Scene } from "./evaluation.ts";
import { compile, type Expression, type NamedExpression, TRUTH } from "./expression.ts";

export type Verdict =
  | { readonly kind: "met" }
  | { readonly kind: "unmet" }
  /** Nobody knows; failurePolicy decides. */
  | { readonly kind: "failed"; readonly message: string };

const MET: Verdict = { kind: "met" };
const UNMET: Verdict = { kind: "unmet" };

/** Those of a webhook, which has no params and no variables. */
export function compileConditions(conditions: readonly NamedExpression[]): readonly Expression[] {
  const environment = environmentOf({ hasParams: false, hasAuthorizer: true });
  return conditions.map(({ expression }) => compile(environment, expression, TRUTH));
}

const NO_VARIABLES: ReadonlyMap<string, Expression> = new Map();

/** One that is false decides, whatever happens to the others. They do not see the namespace. */
export function meetsConditions(
  conditions: readonly Expression[],
  scene: Scene,
  variables: ReadonlyMap<string, Expression> = NO_VARIABLES,
): Verdict {
  if (conditions.length === 0) return MET;
  const evaluation = beginEvaluation({ ...scene, namespace: undefined }, variables, MATCH_CONDITIONS_BUDGET);
  try {
    const results = conditions.map((condition) => evaluation.evaluate(condition));
    if (results.some((result) => result.failure === undefined && result.value === false)) return UNMET;
    const failures = results.flatMap(({ failure }) => (failure === undefined ? [] : [failure]));
    return failures.length === 0 ? MET : { kind: "failed", message: aggregate(failures) };
  } catch (cause) {
    if (cause instanceof OutOfBudget) return { kind: "failed", message: cause.message };
    throw cause;
  }
}
