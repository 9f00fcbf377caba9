/** matchConditions of policies and webhooks (upstream validateMatchConditions). */
import { duplicate, type FieldError, invalid, required, tooMany } from "../../../admission/verdict.ts";
import { labelKeyErrors } from "../selectors/label-syntax.ts";
import { trimSpace } from "../trim-space.ts";
import { environmentOf } from "./environments.ts";
import { compile, expressionErrors, type NamedExpression, TRUTH } from "./expression.ts";

const MAX_CONDITIONS = 64;

/** They do not know the variables of a policy. */
export function checkConditions(
  conditions: readonly Partial<NamedExpression>[],
  hasParams: boolean,
  path: string,
): FieldError[] {
  if (conditions.length === 0) return [];
  const environment = environmentOf({ hasParams, hasAuthorizer: true });
  const seen = new Set<string>();
  const errors = conditions.flatMap(({ name = "", expression = "" }, index) => {
    const at = `${path}[${index}]`;
    const text = trimSpace(expression);
    const again = name !== "" && seen.has(name);
    seen.add(name);
    return [
      ...(text === ""
        ? [required(`${at}.expression`)]
        : expressionErrors(compile(environment, text, TRUTH), `${at}.expression`, text)),
      ...(name === "" ? [required(`${at}.name`)] : labelKeyErrors(name).map((why) => invalid(`${at}.name`, name, why))),
      ...(again ? [duplicate(`${at}.name`, name)] : []),
    ];
  });
  return conditions.length > MAX_CONDITIONS ? [tooMany(path, conditions.length, MAX_CONDITIONS), ...errors] : errors;
}
