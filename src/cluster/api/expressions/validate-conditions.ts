/** matchConditions of policies and webhooks (upstream validateMatchConditions). */
import { duplicate, type FieldError, invalid, required, tooMany } from "../../../admission/verdict.ts";
import { labelKeyErrors } from "../selectors/label-syntax.ts";
import type { Steps } from "../steps.ts";
import { trimSpace } from "../trim-space.ts";
import { environmentOf } from "./environments.ts";
import { compile, effortOf, expressionErrors, type NamedExpression, TRUTH } from "./expression.ts";

const MAX_CONDITIONS = 64;

/** They do not know the variables of a policy. */
export function* checkConditions(
  conditions: readonly Partial<NamedExpression>[],
  hasParams: boolean,
  path: string,
): Steps<FieldError[]> {
  if (conditions.length === 0) return [];
  const environment = environmentOf({ hasParams, hasAuthorizer: true });
  const seen = new Set<string>();
  const errors = conditions.length > MAX_CONDITIONS ? [tooMany(path, conditions.length, MAX_CONDITIONS)] : [];
  for (const [index, { name = "", expression = "" }] of conditions.entries()) {
    const at = `${path}[${index}]`;
    const text = trimSpace(expression);
    errors.push(
      ...(text === ""
        ? [required(`${at}.expression`)]
        : expressionErrors(compile(environment, text, TRUTH), `${at}.expression`, text)),
      ...(name === "" ? [required(`${at}.name`)] : labelKeyErrors(name).map((why) => invalid(`${at}.name`, name, why))),
      ...(name !== "" && seen.has(name) ? [duplicate(`${at}.name`, name)] : []),
    );
    seen.add(name);
    yield effortOf(text);
  }
  return errors;
}
