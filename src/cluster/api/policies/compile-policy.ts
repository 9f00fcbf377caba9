/** A policy with all of its expressions compiled. What does not compile fails when it is evaluated. */
import { JSON_PATCH, listOf, mutationTypes, type Type } from "../cel/index.ts";
import { environmentOf } from "../expressions/environments.ts";
import { compile, compose, type Expression, TEXT, TEXT_OR_NULL, TRUTH } from "../expressions/expression.ts";
import { oncePer } from "../once-per.ts";
import type { Mutation, Policy, PolicySpec, Validation } from "./policy.ts";

export interface CompiledPolicy {
  readonly variables: ReadonlyMap<string, Expression>;
  readonly conditions: readonly Expression[];
  readonly validations: readonly CompiledValidation[];
  readonly annotations: readonly Expression[];
  readonly mutations: readonly CompiledMutation[];
}

export interface CompiledValidation {
  readonly validation: Validation;
  readonly expression: Expression;
  readonly message: Expression | undefined;
}

export interface CompiledMutation {
  readonly type: "JSONPatch" | "ApplyConfiguration";
  readonly expression: Expression;
}

const PATCHES: readonly Type[] = [listOf(JSON_PATCH)];
const CONFIGURATION: readonly Type[] = [mutationTypes("Object")].filter((type) => type !== undefined);

/** What a mutation of this type must come to. */
export const MUTATION_RESULTS: Readonly<Record<CompiledMutation["type"], readonly Type[]>> = {
  JSONPatch: PATCHES,
  ApplyConfiguration: CONFIGURATION,
};

export const compiledPolicy: (policy: Policy) => CompiledPolicy = oncePer(({ spec }) => compilePolicy(spec));

function compilePolicy(spec: PolicySpec): CompiledPolicy {
  const hasParams = spec.paramKind !== undefined;
  const composition = compose((variables) => environmentOf({ hasParams, hasAuthorizer: true, variables }));
  for (const variable of spec.variables ?? []) composition.add(variable);
  const common = { hasParams, variables: composition.type };
  const plain = environmentOf({ ...common, hasAuthorizer: true });
  const messages = environmentOf({ ...common, hasAuthorizer: false });
  const mutating = environmentOf({ ...common, hasAuthorizer: true, hasPatches: true });
  return {
    variables: composition.variables,
    conditions: (spec.matchConditions ?? []).map(({ expression }) => compile(plain, expression, TRUTH)),
    validations: (spec.validations ?? []).map((validation) => {
      const { expression, messageExpression = "" } = validation;
      return {
        validation,
        expression: compile(plain, expression, TRUTH),
        message: messageExpression === "" ? undefined : compile(messages, messageExpression, TEXT),
      };
    }),
    annotations: (spec.auditAnnotations ?? []).map(({ valueExpression }) =>
      compile(plain, valueExpression, TEXT_OR_NULL),
    ),
    mutations: (spec.mutations ?? []).flatMap((mutation) => {
      const found = mutationOf(mutation);
      if (found === undefined) return [];
      return [{ type: found.type, expression: compile(mutating, found.text, MUTATION_RESULTS[found.type]) }];
    }),
  };
}

/** Undefined where it does not say what it is: such a policy is not stored. */
export function mutationOf({
  patchType,
  jsonPatch,
  applyConfiguration,
}: Mutation): { readonly type: CompiledMutation["type"]; readonly text: string } | undefined {
  if (patchType === "JSONPatch" && jsonPatch !== undefined) {
    return { type: patchType, text: jsonPatch.expression ?? "" };
  }
  if (patchType === "ApplyConfiguration" && applyConfiguration !== undefined) {
    return { type: patchType, text: applyConfiguration.expression ?? "" };
  }
  return undefined;
}
