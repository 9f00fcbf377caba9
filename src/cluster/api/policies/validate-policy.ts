/** ValidatingAdmissionPolicies and MutatingAdmissionPolicies (upstream pkg/apis/admissionregistration/validation). */
import { type FieldError, invalid, notSupported, required } from "../../../admission/verdict.ts";
import { semanticallyEqual } from "../../../core/semantic-equal.ts";
import type { Environment } from "../cel/index.ts";
import { environmentOf } from "../expressions/environments.ts";
import {
  type Composition,
  compose,
  effortOf,
  expressionErrors,
  type NamedExpression,
} from "../expressions/expression.ts";
import { checkConditions } from "../expressions/validate-conditions.ts";
import type { JsonObject } from "../json.ts";
import { textOf } from "../lifecycle/metadata.ts";
import type { Steps } from "../steps.ts";
import { trimSpace } from "../trim-space.ts";
import { dnsLabel1035, dnsSubdomain } from "../validation/names.ts";
import { type ParamKind, type PolicySpec, type PolicyType, policySpec } from "./policy.ts";
import { checkMatch, checkMutatingOperations } from "./validate-match.ts";
import { checkMutations, checkReinvocation } from "./validate-mutations.ts";
import { checkValidations } from "./validate-validations.ts";

const FAILURE_POLICIES = ["Fail", "Ignore"];

/**
 * Every error of a policy that has its defaults, in Kubernetes' order; its metadata is looked at elsewhere. Conditions that
 * `old` has already are not looked at again. Each expression is a step.
 */
export function* validatePolicy(
  type: PolicyType,
  policy: JsonObject,
  old: JsonObject | undefined,
): Steps<FieldError[]> {
  const spec = policySpec(policy);
  const { failurePolicy = "", paramKind, matchConstraints, variables = [] } = spec;
  const hasParams = paramKind !== undefined;
  const composition = compose((variables) => environmentOf({ hasParams, hasAuthorizer: true, variables }));
  const variableErrors: FieldError[] = [];
  for (const [index, each] of variables.entries()) {
    variableErrors.push(...checkVariable(each, composition, `spec.variables[${index}]`));
    yield effortOf(each.expression ?? "");
  }
  const composed = type === "Mutating" || variables.length > 0;
  const environment = (hasAuthorizer: boolean): Environment =>
    environmentOf({
      hasParams,
      hasAuthorizer,
      hasPatches: type === "Mutating",
      ...(composed ? { variables: composition.type } : {}),
    });
  return [
    ...(FAILURE_POLICIES.includes(failurePolicy)
      ? []
      : [notSupported("spec.failurePolicy", failurePolicy, FAILURE_POLICIES)]),
    ...checkParamKind(paramKind, "spec.paramKind"),
    ...(matchConstraints === undefined ? [required("spec.matchConstraints")] : []),
    ...checkMatch(matchConstraints, "spec.matchConstraints"),
    ...(matchConstraints !== undefined && (matchConstraints.resourceRules ?? []).length === 0
      ? [required("spec.matchConstraints.resourceRules")]
      : []),
    ...(type === "Mutating" ? checkMutatingOperations(matchConstraints, "spec.matchConstraints") : []),
    ...(sameConditions(spec, old)
      ? []
      : yield* checkConditions(spec.matchConditions ?? [], hasParams, "spec.matchConditions")),
    ...variableErrors,
    ...(type === "Mutating"
      ? [
          ...(yield* checkMutations(spec.mutations ?? [], environment(true))),
          ...checkReinvocation(spec.reinvocationPolicy),
        ]
      : yield* checkValidations(spec, textOf(policy, "name"), environment)),
  ];
}

function sameConditions(spec: PolicySpec, old: JsonObject | undefined): boolean {
  if (old === undefined) return false;
  const before = policySpec(old);
  return (
    semanticallyEqual(before.paramKind, spec.paramKind) &&
    semanticallyEqual(before.matchConditions, spec.matchConditions)
  );
}

function checkParamKind(paramKind: ParamKind | undefined, path: string): FieldError[] {
  if (paramKind === undefined) return [];
  const { apiVersion = "", kind = "" } = paramKind;
  const kindErrors = dnsLabel1035(kind.toLowerCase());
  return [
    ...checkApiVersion(apiVersion, `${path}.apiVersion`),
    ...(kind === "" ? [required(`${path}.kind`)] : []),
    ...(kind === "" || kindErrors.length === 0
      ? []
      : [invalid(`${path}.kind`, kind, `may have mixed case, but should otherwise match: ${kindErrors.join(",")}`)]),
  ];
}

function checkApiVersion(apiVersion: string, path: string): FieldError[] {
  if (apiVersion === "") return [required(path)];
  const parts = apiVersion === "/" ? ["", ""] : apiVersion.split("/");
  if (parts.length > 2) return [invalid(path, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)];
  const [group = "", version = ""] = parts.length === 1 ? ["", apiVersion] : parts;
  const [groupErrors, versionErrors] = [dnsSubdomain(group), dnsLabel1035(version)];
  return [
    ...(group === "" || groupErrors.length === 0 ? [] : [invalid(path, group, groupErrors.join(","))]),
    ...(version === "" ? [invalid(path, apiVersion, "version must be specified")] : []),
    ...(version === "" || versionErrors.length === 0 ? [] : [invalid(path, version, versionErrors.join(","))]),
  ];
}

const IDENTIFIER = /^[_a-zA-Z][_a-zA-Z0-9]*$/;
const RESERVED: ReadonlySet<string> = new Set(
  "true false null in as break const continue else for function if import let loop package namespace return var void while".split(
    " ",
  ),
);

function checkVariable(variable: NamedExpression, composition: Composition, path: string): FieldError[] {
  const { name = "", expression = "" } = variable as Partial<NamedExpression>;
  const isIdentifier = IDENTIFIER.test(name) && !RESERVED.has(name);
  const errors = [
    ...(trimSpace(name) === "" ? [required(`${path}.name`, "name is not specified")] : []),
    ...(trimSpace(name) === "" || isIdentifier
      ? []
      : [invalid(`${path}.name`, name, "must be a valid CEL identifier")]),
  ];
  if (trimSpace(expression) === "") {
    return [...errors, required(`${path}.expression`, "expression is not specified")];
  }
  return [...errors, ...expressionErrors(composition.add({ name, expression }), `${path}.expression`, expression)];
}
