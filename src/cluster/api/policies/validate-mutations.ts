/** Mutations of a MutatingAdmissionPolicy (upstream validateMutation). */
import { type FieldError, invalid, notSupported, required } from "../../../admission/verdict.ts";
import type { Environment } from "../cel/index.ts";
import { compile, effortOf, expressionErrors } from "../expressions/expression.ts";
import type { Steps } from "../steps.ts";
import { trimSpace } from "../trim-space.ts";
import { MUTATION_RESULTS, mutationOf } from "./compile-policy.ts";
import type { Mutation } from "./policy.ts";

const REINVOCATION_POLICIES = ["IfNeeded", "Never"];
const PATCH_TYPES = ["ApplyConfiguration", "JSONPatch"];

export function* checkMutations(mutations: readonly Mutation[], environment: Environment): Steps<FieldError[]> {
  if (mutations.length === 0) return [required("spec.mutations", "mutations must contain at least one item")];
  const errors: FieldError[] = [];
  for (const [index, mutation] of mutations.entries()) {
    errors.push(...checkMutation(mutation, environment, `spec.mutations[${index}]`));
    yield effortOf(mutationOf(mutation)?.text ?? "");
  }
  return errors;
}

const FIELDS = { JSONPatch: "jsonPatch", ApplyConfiguration: "applyConfiguration" } as const;

function checkMutation(mutation: Mutation, environment: Environment, path: string): FieldError[] {
  const { patchType = "" } = mutation;
  if (patchType === "") return [required(`${path}.patchType`)];
  if (patchType !== "JSONPatch" && patchType !== "ApplyConfiguration") {
    return [notSupported(`${path}.patchType`, patchType, PATCH_TYPES)];
  }
  const [own, other] =
    patchType === "JSONPatch"
      ? [FIELDS.JSONPatch, FIELDS.ApplyConfiguration]
      : [FIELDS.ApplyConfiguration, FIELDS.JSONPatch];
  return [
    ...(mutation[own] === undefined
      ? [required(`${path}.${own}`, `must be specified when patchType is ${patchType}`)]
      : []),
    ...checkMutationExpression(mutation, environment, `${path}.${own}.expression`),
    ...(mutation[other] === undefined
      ? []
      : [invalid(`${path}.${other}`, `{${other}}`, `must not be specified when patchType is ${patchType}`)]),
  ];
}

function checkMutationExpression(mutation: Mutation, environment: Environment, path: string): FieldError[] {
  const found = mutationOf(mutation);
  if (found === undefined) return [];
  const text = trimSpace(found.text);
  if (text === "") return [required(path)];
  return expressionErrors(compile(environment, text, MUTATION_RESULTS[found.type]), path, text);
}

export function checkReinvocation(policy = ""): FieldError[] {
  const path = "spec.reinvocationPolicy";
  if (policy === "") return [required(path)];
  return REINVOCATION_POLICIES.includes(policy) ? [] : [notSupported(path, policy, REINVOCATION_POLICIES)];
}
