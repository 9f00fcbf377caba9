/** Checks of single values that several kinds share, with Kubernetes' texts. */
import { isIP } from "node:net";
import { type FieldError, forbidden, invalid, notSupported, required } from "../../../admission/verdict.ts";
import { semanticallyEqual } from "../../../core/semantic-equal.ts";
import type { LabelSelector } from "../../../core/types.ts";
import { labelKeyErrors, labelValueErrors } from "../selectors/label-syntax.ts";
import { validateLabels } from "./metadata.ts";
import { type NameRule, portName } from "./names.ts";

/** A name that must be there and follow the rule. */
export function checkRequiredName(name: string | undefined, rule: NameRule, path: string): FieldError[] {
  return (name ?? "") === "" ? [required(path)] : checkName(name, rule, path);
}

/** A name that follows the rule where it is given. */
export function checkName(name: string | undefined, rule: NameRule, path: string): FieldError[] {
  if (name === undefined || name === null || name === "") return [];
  return rule(name).map((message) => invalid(path, name, message));
}

/** One of a few words; missing is `Required`. */
export function checkOneOf(value: string | undefined, supported: readonly string[], path: string): FieldError[] {
  if ((value ?? "") === "") return [required(path)];
  return supported.includes(value ?? "") ? [] : [notSupported(path, value, supported)];
}

export function checkNotNegative(value: number | undefined, path: string): FieldError[] {
  return (value ?? 0) >= 0 ? [] : [invalid(path, value, "must be greater than or equal to 0")];
}

export function checkPort(port: number | undefined, path: string): FieldError[] {
  const value = port ?? 0;
  return value >= 1 && value <= 65_535 ? [] : [invalid(path, value, "must be between 1 and 65535, inclusive")];
}

/** A port by its number, or by the name that a container gives it. */
export function checkPortNumberOrName(port: number | string | undefined, path: string): FieldError[] {
  if (typeof port !== "string") return checkPort(port, path);
  return portName(port).map((problem) => invalid(path, port, problem));
}

const ADDRESS_RULE = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";

export function checkAddress(address: string | undefined, path: string): FieldError[] {
  return isIP(address ?? "") === 0 ? [invalid(path, address ?? "", ADDRESS_RULE)] : [];
}

/** A key of labels, or a name of that form. */
export function checkQualifiedName(name: string | undefined, path: string): FieldError[] {
  return labelKeyErrors(name ?? "").map((problem) => invalid(path, name ?? "", problem));
}

/** A number of a user or a group. */
export function checkId(id: number | undefined, path: string): FieldError[] {
  if (id === undefined || (id >= 0 && id <= MAX_ID)) return [];
  return [invalid(path, id, `must be between 0 and ${MAX_ID}, inclusive`)];
}

const MAX_ID = 2 ** 31 - 1;

/** A field that no update may change. */
export function checkUnchanged(before: unknown, after: unknown, path: string): FieldError[] {
  return semanticallyEqual(before, after) ? [] : [invalid(path, after ?? null, "field is immutable")];
}

const NO_PERCENT =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

/** A number, or a part of all in percent. */
export function checkShare(share: number | string | undefined, path: string): FieldError[] {
  if (typeof share !== "string") return checkNotNegative(share, path);
  return /^[0-9]+%$/.test(share) ? [] : [invalid(path, share, NO_PERCENT)];
}

/** There is no more than all. */
export function shareOver100(share: number | string | undefined, path: string): FieldError[] {
  if (typeof share !== "string" || !/^[0-9]+%$/.test(share) || Number.parseInt(share, 10) <= 100) return [];
  return [invalid(path, share, "must not be greater than 100%")];
}

/** A selector, wherever it stands; one that is missing has no errors. */
export function checkSelector(selector: LabelSelector | undefined, path: string): FieldError[] {
  if (!selector) return [];
  const expressions = (selector.matchExpressions ?? []).flatMap((expression, index) =>
    checkExpression(expression, `${path}.matchExpressions[${index}]`),
  );
  return [...validateLabels(selector.matchLabels ?? {}, `${path}.matchLabels`), ...expressions];
}

type Expression = NonNullable<LabelSelector["matchExpressions"]>[number];

function checkExpression({ key, operator, values: given }: Expression, path: string): FieldError[] {
  const values = given ?? [];
  return [
    ...checkOperator(operator, values, path),
    ...labelKeyErrors(key).map((message) => invalid(`${path}.key`, key, message)),
    ...values.flatMap((value, index) =>
      labelValueErrors(value).map((message) => invalid(`${path}.values[${index}]`, value, message)),
    ),
  ];
}

export const NO_OPERATOR = "not a valid selector operator";

/** Whether there are values, and whether there may be. */
export function checkOperator(operator: string, values: readonly string[], path: string): FieldError[] {
  switch (operator) {
    case "In":
    case "NotIn":
      if (values.length > 0) return [];
      return [required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
    case "Exists":
    case "DoesNotExist":
      if (values.length === 0) return [];
      return [forbidden(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    default:
      return [invalid(`${path}.operator`, operator, NO_OPERATOR)];
  }
}
