/** ValidatingAdmissionPolicyBindings and MutatingAdmissionPolicyBindings (upstream pkg/apis/admissionregistration/validation). */
import { duplicate, type FieldError, forbidden, invalid, notSupported, required } from "../../../admission/verdict.ts";
import type { JsonObject } from "../json.ts";
import { checkRequiredName, checkSelector } from "../validation/checks.ts";
import { dnsSubdomain, pathSegment } from "../validation/names.ts";
import { repeated } from "../validation/repeated.ts";
import { bindingSpec, type ParamRef, type PolicyType } from "./policy.ts";
import { checkMatch, checkMutatingOperations } from "./validate-match.ts";

const ACTIONS = ["Audit", "Deny", "Warn"];
const NOT_FOUND_ACTIONS = ["Deny", "Allow"];
const EXCLUSIVE = "name and selector are mutually exclusive";
const BOTH =
  "must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)";

/** Every error of a binding that has its defaults, in Kubernetes' order; its metadata is looked at elsewhere. */
export function validateBinding(type: PolicyType, binding: JsonObject): FieldError[] {
  const spec = bindingSpec(binding);
  return [
    ...checkRequiredName(spec.policyName, dnsSubdomain, "spec.policyName"),
    ...checkParamRef(spec.paramRef, "spec.paramRef"),
    ...checkMatch(spec.matchResources, "spec.matchResources"),
    ...(type === "Mutating"
      ? checkMutatingOperations(spec.matchResources, "spec.matchResources")
      : checkActions(spec.validationActions ?? [], "spec.validationActions")),
  ];
}

function checkParamRef(ref: ParamRef | undefined, path: string): FieldError[] {
  if (ref === undefined) return [];
  const { name = "", selector, parameterNotFoundAction: action = "" } = ref;
  const both = name !== "" && selector !== undefined;
  return [
    ...(name === "" ? [] : pathSegment(name).map((message) => invalid(`${path}.name`, name, message))),
    ...(both ? [forbidden(`${path}.name`, EXCLUSIVE)] : []),
    ...checkSelector(selector, `${path}.selector`),
    ...(both ? [forbidden(`${path}.selector`, EXCLUSIVE)] : []),
    ...(name === "" && selector === undefined ? [required(path, "one of name or selector must be specified")] : []),
    ...(action === "" ? [required(`${path}.parameterNotFoundAction`)] : []),
    ...(action === "" || NOT_FOUND_ACTIONS.includes(action)
      ? []
      : [notSupported(`${path}.parameterNotFoundAction`, action, NOT_FOUND_ACTIONS)]),
  ];
}

function checkActions(actions: readonly string[], path: string): FieldError[] {
  const again = repeated(actions, (action) => action);
  const each = actions.flatMap((action, index) => [
    ...(ACTIONS.includes(action) ? [] : [notSupported(`${path}[${index}]`, action, ACTIONS)]),
    ...(again.has(index) ? [duplicate(`${path}[${index}]`, action)] : []),
  ]);
  return [
    ...each,
    ...(actions.includes("Deny") && actions.includes("Warn") ? [invalid(path, actions, BOTH)] : []),
    ...(actions.length === 0 ? [required(path, "at least one validation action is required")] : []),
  ];
}
