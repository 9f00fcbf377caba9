/** Validations and audit annotations of a ValidatingAdmissionPolicy (upstream validateValidation, validateAuditAnnotation). */
import { duplicate, type FieldError, invalid, notSupported, required } from "../../../admission/verdict.ts";
import type { Environment } from "../cel/index.ts";
import { compile, effortOf, expressionErrors, TEXT, TEXT_OR_NULL, TRUTH } from "../expressions/expression.ts";
import { labelKeyErrors } from "../selectors/label-syntax.ts";
import type { Steps } from "../steps.ts";
import { trimSpace } from "../trim-space.ts";
import { repeated } from "../validation/repeated.ts";
import type { AuditAnnotation, PolicySpec, Validation } from "./policy.ts";

const REASONS = ["Forbidden", "Invalid", "RequestEntityTooLarge"];
const MAX_ANNOTATIONS = 20;
const MAX_ANNOTATION_EXPRESSION = 5 * 1024;

/** `name` is that of the policy; messages have no authorizer. */
export function* checkValidations(
  { validations = [], auditAnnotations = [] }: PolicySpec,
  name: string,
  environment: (hasAuthorizer: boolean) => Environment,
): Steps<FieldError[]> {
  if (validations.length === 0 && auditAnnotations.length === 0) {
    return ["spec.validations", "spec.auditAnnotations"].map((path) =>
      required(path, "validations or auditAnnotations must contain at least one item"),
    );
  }
  const [full, forMessages] = [environment(true), environment(false)];
  const path = "spec.auditAnnotations";
  const again = repeated(auditAnnotations, ({ key }) => key);
  const errors: FieldError[] = [];
  for (const [index, each] of validations.entries()) {
    errors.push(...checkValidation(each, full, forMessages, `spec.validations[${index}]`));
    yield effortOf(each.expression ?? "") + effortOf(each.messageExpression ?? "");
  }
  if (auditAnnotations.length > MAX_ANNOTATIONS) {
    const why = `must not have more than ${MAX_ANNOTATIONS} auditAnnotations`;
    errors.push(invalid(path, auditAnnotations.map(inGo), why));
  }
  for (const [index, each] of auditAnnotations.entries()) {
    errors.push(
      ...checkAnnotation(each, name, full, `${path}[${index}]`),
      ...(again.has(index) ? [duplicate(`${path}[${index}].key`, each.key)] : []),
    );
    yield effortOf(each.valueExpression ?? "");
  }
  return errors;
}

/** As the server prints its own structures. */
function inGo({ key: Key, valueExpression: ValueExpression }: AuditAnnotation): object {
  return { Key, ValueExpression };
}

function checkValidation(
  { expression = "", messageExpression = "", message = "", reason }: Partial<Validation>,
  full: Environment,
  forMessages: Environment,
  path: string,
): FieldError[] {
  const blank = (text: string, name: string): FieldError[] =>
    text !== "" && trimSpace(text) === "" ? [invalid(`${path}.${name}`, text, "must be non-empty if specified")] : [];
  const compiled = (text: string, name: string, environment: Environment, type: typeof TRUTH): FieldError[] => {
    return trimSpace(text) === "" ? [] : expressionErrors(compile(environment, text, type), `${path}.${name}`, text);
  };
  return [
    ...(trimSpace(expression) === "" ? [required(`${path}.expression`, "expression is not specified")] : []),
    ...compiled(expression, "expression", full, TRUTH),
    ...blank(messageExpression, "messageExpression"),
    ...compiled(messageExpression, "messageExpression", forMessages, TEXT),
    ...blank(message, "message"),
    ...(/[\n\r]/.test(trimSpace(message)) ? [invalid(`${path}.message`, message, "must not contain line breaks")] : []),
    ...(reason === undefined || REASONS.includes(reason) ? [] : [notSupported(`${path}.reason`, reason, REASONS)]),
  ];
}

function checkAnnotation(
  { key = "", valueExpression = "" }: Partial<AuditAnnotation>,
  name: string,
  environment: Environment,
  path: string,
): FieldError[] {
  const trimmed = trimSpace(valueExpression);
  const at = `${path}.valueExpression`;
  const qualified = `${name}/${key}`;
  const errors = labelKeyErrors(qualified).map((message) => invalid(`${path}.key`, qualified, message));
  if (trimmed === "") return [...errors, required(at, "valueExpression is not specified")];
  if (Buffer.byteLength(trimmed) > MAX_ANNOTATION_EXPRESSION) {
    return [...errors, required(at, `must not exceed ${MAX_ANNOTATION_EXPRESSION} bytes in length`)];
  }
  return [...errors, ...expressionErrors(compile(environment, trimmed, TEXT_OR_NULL), at, valueExpression)];
}
