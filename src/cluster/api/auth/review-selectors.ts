/** Selectors in a review: what is refused, and what is ignored since it cannot be understood. */
import { type FieldError, forbidden, invalid, required } from "../../../admission/verdict.ts";
import { get, isList, isObject, type JsonObject } from "../json.ts";
import { fieldRequirements } from "../selectors/field-selector.ts";
import { parseLabelSelector } from "../selectors/label-selector.ts";
import { labelKeyErrors, labelValueErrors } from "../selectors/label-syntax.ts";
import { StatusError } from "../status-error.ts";

interface Selector {
  readonly raw: string;
  readonly requirements: readonly Requirement[];
}

interface Requirement {
  readonly key: string;
  readonly operator: string;
  readonly values: readonly string[];
}

/** The errors of `fieldSelector` and `labelSelector`, in upstream's order. Operators that nobody knows yet are none. */
export function validateSelectors(attributes: JsonObject, path: string): FieldError[] {
  const at = (name: string, check: (requirement: Requirement, path: string) => FieldError[]): FieldError[] => {
    const selector = readSelector(attributes, name);
    return selector === undefined ? [] : validateSelector(selector, `${path}.${name}`, check);
  };
  return [...at("fieldSelector", validateField), ...at("labelSelector", validateLabel)];
}

function validateSelector(
  { raw, requirements }: Selector,
  path: string,
  check: (requirement: Requirement, path: string) => FieldError[],
): FieldError[] {
  const both = raw !== "" && requirements.length > 0;
  const none = raw === "" && requirements.length === 0;
  return [
    ...(both ? [invalid(`${path}.rawSelector`, raw, "may not specified at the same time as requirements")] : []),
    ...(none
      ? [required(`${path}.requirements`, `when ${path} is specified, requirements or rawSelector is required`)]
      : []),
    ...requirements.flatMap((requirement, index) => check(requirement, `${path}.requirements[${index}]`)),
  ];
}

function validateField(requirement: Requirement, path: string): FieldError[] {
  const unnamed = requirement.key === "" ? [required(`${path}.key`, "must be specified")] : [];
  return [...unnamed, ...validateCount(requirement, path)];
}

function validateLabel(requirement: Requirement, path: string): FieldError[] {
  const { key, values } = requirement;
  return [
    ...validateCount(requirement, path),
    ...labelKeyErrors(key).map((detail) => invalid(`${path}.key`, key, detail)),
    ...values.flatMap((value, index) =>
      labelValueErrors(value).map((detail) => invalid(`${path}.values[${index}]`, value, detail)),
    ),
  ];
}

function validateCount({ operator, values }: Requirement, path: string): FieldError[] {
  if (takesValues(operator) && values.length === 0) {
    return [required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
  }
  if (takesNone(operator) && values.length > 0) {
    return [forbidden(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
  }
  return [];
}

const takesValues = (operator: string): boolean => operator === "In" || operator === "NotIn";
const takesNone = (operator: string): boolean => operator === "Exists" || operator === "DoesNotExist";

/** What the answer says about selectors that were ignored, whole or in part. Valid ones are looked at by nobody here. */
export function ignoredSelectors(attributes: JsonObject): string[] {
  const fields = readSelector(attributes, "fieldSelector");
  const labels = readSelector(attributes, "labelSelector");
  return [
    ...ignored("fieldSelector", fields, fieldRequirements, ({ operator, values }) => {
      return takesValues(operator) && values.length === 1;
    }),
    ...ignored("labelSelector", labels, parseLabelSelector, ({ operator }) => {
      return takesValues(operator) || takesNone(operator);
    }),
  ];
}

function ignored(
  name: string,
  selector: Selector | undefined,
  parse: (raw: string) => unknown,
  isUnderstood: (requirement: Requirement) => boolean,
): string[] {
  if (selector === undefined) return [];
  const { raw, requirements } = selector;
  const understood = requirements.filter(isUnderstood).length;
  const fine = understood === requirements.length && (raw === "" || isReadable(raw, parse));
  const part = understood > 0 ? "partially ignored" : "ignored";
  return fine ? [] : [`spec.resourceAttributes.${name} ${part} due to parse error`];
}

function isReadable(raw: string, parse: (raw: string) => unknown): boolean {
  try {
    parse(raw);
    return true;
  } catch (error) {
    if (error instanceof StatusError) return false;
    throw error;
  }
}

function readSelector(attributes: JsonObject, name: string): Selector | undefined {
  const selector = get(attributes, name);
  if (!isObject(selector)) return undefined;
  const raw = get(selector, "rawSelector");
  const requirements = get(selector, "requirements");
  return {
    raw: typeof raw === "string" ? raw : "",
    requirements: isList(requirements) ? requirements.filter(isObject).map(readRequirement) : [],
  };
}

function readRequirement(requirement: JsonObject): Requirement {
  const text = (key: string) => {
    const value = get(requirement, key);
    return typeof value === "string" ? value : "";
  };
  const values = get(requirement, "values");
  return {
    key: text("key"),
    operator: text("operator"),
    values: isList(values) ? values.filter((each) => typeof each === "string") : [],
  };
}
