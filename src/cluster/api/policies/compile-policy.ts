/** A policy with all of its expressions compiled. What does not compile fails when it is evaluated. */
import { JSON_PATCH, listOf, mutationTypes, type Type } from "../cel/index.ts";
import { environmentOf } from "../expressions/environments.ts";
import { compile, compose, type Expression, effortOf, TEXT, TEXT_OR_NULL, TRUTH } from "../expressions/expression.ts";
import { atOnce, inTurns, type Steps } from "../steps.ts";
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

const COMPILED = new WeakMap<Policy, CompiledPolicy>();
const COMPILING = new WeakMap<Policy, Promise<void>>();

/** Compiled once; at once if nobody has had it compiled before. */
export function compiledPolicy(policy: Policy): CompiledPolicy {
  return COMPILED.get(policy) ?? keep(policy, atOnce(compileInSteps(policy.spec)));
}

export function isCompiled(policy: Policy): boolean {
  return COMPILED.has(policy);
}

/** Undefined: it is small, and compiled. Resolves when it is, after turns for others: a large one takes seconds. */
export function compilePolicy(policy: Policy, turn: () => Promise<void>): Promise<void> | undefined {
  const begun = COMPILING.get(policy);
  if (begun !== undefined) return begun;
  const compiled = inTurns(compileInSteps(policy.spec), turn);
  if (!(compiled instanceof Promise)) {
    keep(policy, compiled);
    return undefined;
  }
  const compiling = compiled.then((made) => void keep(policy, made));
  COMPILING.set(policy, compiling);
  return compiling;
}

function keep(policy: Policy, compiled: CompiledPolicy): CompiledPolicy {
  COMPILED.set(policy, compiled);
  return compiled;
}

function* compileInSteps(spec: PolicySpec): Steps<CompiledPolicy> {
  const hasParams = spec.paramKind !== undefined;
  const composition = compose((variables) => environmentOf({ hasParams, hasAuthorizer: true, variables }));
  for (const variable of spec.variables ?? []) {
    composition.add(variable);
    yield effortOf(variable.expression);
  }
  const common = { hasParams, variables: composition.type };
  const plain = environmentOf({ ...common, hasAuthorizer: true });
  const messages = environmentOf({ ...common, hasAuthorizer: false });
  const mutating = environmentOf({ ...common, hasAuthorizer: true, hasPatches: true });
  const conditions: Expression[] = [];
  for (const { expression } of spec.matchConditions ?? []) {
    conditions.push(compile(plain, expression, TRUTH));
    yield effortOf(expression);
  }
  const validations: CompiledValidation[] = [];
  for (const validation of spec.validations ?? []) {
    const { expression, messageExpression = "" } = validation;
    validations.push({
      validation,
      expression: compile(plain, expression, TRUTH),
      message: messageExpression === "" ? undefined : compile(messages, messageExpression, TEXT),
    });
    yield effortOf(expression) + effortOf(messageExpression);
  }
  const annotations = (spec.auditAnnotations ?? []).map(({ valueExpression }) =>
    compile(plain, valueExpression, TEXT_OR_NULL),
  );
  const mutations: CompiledMutation[] = [];
  for (const mutation of spec.mutations ?? []) {
    const found = mutationOf(mutation);
    if (found === undefined) continue;
    mutations.push({ type: found.type, expression: compile(mutating, found.text, MUTATION_RESULTS[found.type]) });
    yield effortOf(found.text);
  }
  return { variables: composition.variables, conditions, validations, annotations, mutations };
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
