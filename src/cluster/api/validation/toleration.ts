/** Which taints of nodes a pod puts up with (upstream ValidateTolerations). */
import { type FieldError, invalid, notSupported } from "../../../admission/verdict.ts";
import { labelKeyErrors, labelValueErrors } from "../selectors/label-syntax.ts";
import { EFFECTS } from "./node.ts";

export interface Toleration {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
  readonly tolerationSeconds?: number;
}

export function checkTolerations(tolerations: readonly Toleration[], path: string): FieldError[] {
  return tolerations.flatMap((toleration, index) => checkToleration(toleration, `${path}[${index}]`));
}

function checkToleration(toleration: Toleration, path: string): FieldError[] {
  const { key = "", operator = "", effect = "", tolerationSeconds } = toleration;
  const needsExists = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
  const needsNoExecute = "effect must be 'NoExecute' when `tolerationSeconds` is set";
  return [
    ...(key === "" ? [] : labelKeyErrors(key).map((problem) => invalid(`${path}.key`, key, problem))),
    ...(key === "" && operator !== "Exists" ? [invalid(`${path}.operator`, operator, needsExists)] : []),
    ...(tolerationSeconds !== undefined && effect !== "NoExecute"
      ? [invalid(`${path}.effect`, effect, needsNoExecute)]
      : []),
    ...checkValue(toleration, `${path}.operator`),
    ...(effect === "" || EFFECTS.includes(effect) ? [] : [notSupported(`${path}.effect`, effect, EFFECTS)]),
  ];
}

/** A value that is wrong is told of at the operator: so it is upstream. */
function checkValue({ operator = "", value = "" }: Toleration, path: string): FieldError[] {
  switch (operator) {
    case "":
    case "Equal": {
      const problems = labelValueErrors(value);
      return problems.length === 0 ? [] : [invalid(path, value, problems.join(";"))];
    }
    case "Exists":
      return value === "" ? [] : [invalid(path, value, "value must be empty when `operator` is 'Exists'")];
    case "Lt":
    case "Gt":
      // They are behind a gate; that there would be two more is said only to who asks for them.
      return [notSupported(path, operator, ["Equal", "Exists", "Lt", "Gt"])];
    default:
      return [notSupported(path, operator, ["Equal", "Exists"])];
  }
}
