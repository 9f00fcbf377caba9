/** Rules in CEL of a definition, as far as they can be judged without reading the expressions. */
import { type FieldError, invalid, notSupported, required } from "../../../../admission/verdict.ts";
import { isObject, type JsonObject } from "../../json.ts";
import { fieldPathOf } from "../rules/field-path.ts";
import { type Rule, readRule, readSchema } from "../schema/schema.ts";
import { listAt } from "./written-schema.ts";

const REASONS = ["FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"];

/** Of the rules of this schema alone, not of those inside. */
export function ruleFormErrors(schema: JsonObject, path: string): FieldError[] {
  return listAt(schema, "x-kubernetes-validations")
    .filter(isObject)
    .map(readRule)
    .flatMap((rule, index) => {
      const at = `${path}.x-kubernetes-validations[${index}]`;
      const { reason, messageExpression, fieldPath } = rule;
      return [
        ...messageErrors(at, rule),
        ...(messageExpression !== "" && messageExpression.trim() === ""
          ? [required(`${at}.messageExpression`, "messageExpression must be non-empty if specified")]
          : []),
        ...(reason === "" || REASONS.includes(reason) ? [] : [notSupported(`${at}.reason`, reason, REASONS)]),
        ...(fieldPath === "" ? [] : fieldPathErrors(schema, fieldPath, `${at}.fieldPath`)),
      ];
    });
}

function messageErrors(path: string, { rule, message }: Rule): FieldError[] {
  const text = message.trim();
  if (rule.trim() === "") return [required(`${path}.rule`, "rule is not specified")];
  if (message !== "" && text === "") return [invalid(`${path}.message`, message, "must be non-empty if specified")];
  if (/[\n\r]/.test(text)) return [invalid(`${path}.message`, message, "must not contain line breaks")];
  return /[\n\r]/.test(rule.trim()) && text === ""
    ? [required(`${path}.message`, "message must be specified if rule contains line breaks")]
    : [];
}

function fieldPathErrors(schema: JsonObject, fieldPath: string, path: string): FieldError[] {
  const isFound = fieldPathOf(fieldPath, readSchema(schema)) !== undefined;
  return [
    ...(fieldPath.trim() === "" ? [invalid(path, fieldPath, "must be non-empty if specified")] : []),
    ...(/[\n\r]/.test(fieldPath) ? [invalid(path, fieldPath, "must not contain line breaks")] : []),
    ...(isFound ? [] : [invalid(path, fieldPath, "must be a valid path")]),
  ];
}
