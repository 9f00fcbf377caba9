/** What ValidatingAdmissionPolicies say about a request (upstream policy/validating/{dispatcher,validator}.go). */
import type { AdmissionRequest } from "../admission/plugin.ts";
import { RUNTIME_BUDGET } from "../cel/index.ts";
import { meetsConditions } from "../expressions/conditions.ts";
import { beginEvaluation, type Evaluation, OutOfBudget, type Result, type Scene } from "../expressions/evaluation.ts";
import { namespaceOf, type Surroundings, sceneOf } from "../expressions/scene.ts";
import type { Kind } from "../kinds/kind.ts";
import { trimSpace } from "../trim-space.ts";
import { matchRequest } from "../webhooks/match.ts";
import { boundWarnings } from "../webhooks/warnings.ts";
import { type CompiledPolicy, type CompiledValidation, compiledPolicy } from "./compile-policy.ts";
import type { PolicyMetrics } from "./metrics.ts";
import { Misconfigured, type ParamSource, paramResource, paramsFor } from "./params.ts";
import type { Binding, BoundPolicy, Policy } from "./policy.ts";
import { type Denial, deniedByValidation } from "./refusal.ts";

export interface Judging extends Surroundings, ParamSource {
  readonly metrics: PolicyMetrics;
}

/** Why a policy is against it. `isError`: it could not be found out. */
interface Objection {
  readonly message: string;
  readonly reason: string;
  readonly isError: boolean;
}

/** Asks all policies. Throws `StatusError` with what the first of them that denies has to say. */
export function judge(policies: readonly BoundPolicy[], request: AdmissionRequest, judging: Judging): void {
  const denials: Denial[] = [];
  const warnings: string[] = [];
  for (const bound of policies) {
    const kind = matchRequest(bound.policy.match, request, judging);
    if (kind !== undefined) judgeBy(bound, kind, request, judging, { denials, warnings });
  }
  boundWarnings(warnings).forEach(request.warn);
  const [first] = denials;
  if (first !== undefined) throw deniedByValidation(request, first);
}

interface Findings {
  readonly denials: Denial[];
  readonly warnings: string[];
}

function judgeBy(
  { policy, bindings }: BoundPolicy,
  kind: Kind,
  request: AdmissionRequest,
  judging: Judging,
  findings: Findings,
): void {
  const resource = attempt(policy, undefined, findings, () => ({ found: paramResource(policy, judging) }));
  if (resource === undefined) return;
  let scene: Scene | undefined;
  for (const binding of bindings) {
    if (binding.match !== undefined && matchRequest(binding.match, request, judging) === undefined) continue;
    const params = attempt(policy, binding, findings, () =>
      paramsFor(resource.found, binding, request.namespace, judging),
    );
    for (const param of params ?? []) {
      scene ??= { ...sceneOf(request, kind, judging), namespace: namespaceOf(request, judging) };
      const objections = objectionsOf(policy, { ...scene, params: param });
      for (const objection of objections) enforce(policy, binding, objection, judging.metrics, findings);
    }
  }
}

/** Undefined where something is wrong with the policy or its binding, which is noted as its failurePolicy says. */
function attempt<T>(policy: Policy, binding: Binding | undefined, { denials }: Findings, act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof Misconfigured)) throw error;
    const what = binding === undefined ? "policy" : "binding";
    const message = `failed to configure ${what}: ${error.message}`;
    if (!policy.failsOpen) denials.push({ policy: policy.name, binding: binding?.name, message, reason: "" });
    return undefined;
  }
}

function enforce(
  policy: Policy,
  binding: Binding,
  objection: Objection & { readonly isFinal: boolean },
  metrics: PolicyMetrics,
  { denials, warnings }: Findings,
): void {
  const { message, reason, isError } = objection;
  const counted = (action: string) => metrics.validated(policy.name, binding.name, message, action);
  if (isError && policy.failsOpen) {
    if (!objection.isFinal) counted("allow");
    return;
  }
  for (const action of objection.isFinal ? ["Deny"] : (binding.spec.validationActions ?? [])) {
    if (action === "Deny") denials.push({ policy: policy.name, binding: binding.name, message, reason });
    if (action === "Warn") {
      const by = `ValidatingAdmissionPolicy '${policy.name}' with binding '${binding.name}'`;
      warnings.push(`Validation failed for ${by}: ${message}`);
    }
    counted(action.toLowerCase());
  }
}

/** `isFinal`: it counts as a denial whatever the binding does about others. */
function objectionsOf(policy: Policy, scene: Scene): readonly (Objection & { readonly isFinal: boolean })[] {
  const compiled = compiledPolicy(policy);
  const conditions = meetsConditions(compiled.conditions, scene, compiled.variables);
  switch (conditions.kind) {
    case "unmet":
      return [];
    case "failed":
      return [{ ...failed(conditions.message), isFinal: false }];
    case "met":
      try {
        return [
          ...validate(compiled, scene).map((objection) => ({ ...objection, isFinal: false })),
          ...annotate(compiled, scene).map((objection) => ({ ...objection, isFinal: true })),
        ];
      } catch (cause) {
        if (cause instanceof OutOfBudget) return [{ ...failed(cause.message), isFinal: false }];
        throw cause;
      }
  }
}

function failed(message: string): Objection {
  return { message, reason: "", isError: true };
}

/** Messages share the budget that validations have left over, and nothing else. Throws `OutOfBudget`. */
function validate({ validations, variables }: CompiledPolicy, scene: Scene): Objection[] {
  const evaluation = beginEvaluation(scene, variables, RUNTIME_BUDGET);
  const results = validations.map(({ expression }) => evaluation.evaluate(expression));
  const messages = messagesOf(validations, beginEvaluation(scene, variables, evaluation.budget));
  return validations.flatMap(({ validation }, index): Objection[] => {
    const result = results[index] as Result;
    if (result.failure !== undefined) return [failed(result.failure)];
    if (messages instanceof OutOfBudget) return [failed(`failed messageExpression: ${messages.message}`)];
    if (result.value === true) return [];
    const { message = "", expression, reason = "Invalid" } = validation;
    const text = messages[index] || trimSpace(message) || `failed expression: ${trimSpace(expression)}`;
    return [{ message: text, reason, isError: false }];
  });
}

const MAX_MESSAGE_BYTES = 5 * 1024;

/** The message of each validation; empty where its expression has none to give. */
function messagesOf(validations: readonly CompiledValidation[], evaluation: Evaluation): string[] | OutOfBudget {
  try {
    return validations.map(({ message }) => {
      const result = message === undefined ? undefined : evaluation.evaluate(message);
      if (result?.failure !== undefined || typeof result?.value !== "string") return "";
      const text = trimSpace(result.value);
      return Buffer.byteLength(text) > MAX_MESSAGE_BYTES || text.includes("\n") ? "" : text;
    });
  } catch (cause) {
    if (cause instanceof OutOfBudget) return cause;
    throw cause;
  }
}

/** There is no audit log that annotations could go to; an expression that fails is told all the same. Throws `OutOfBudget`. */
function annotate({ annotations, variables }: CompiledPolicy, scene: Scene): Objection[] {
  const evaluation = beginEvaluation(scene, variables, RUNTIME_BUDGET);
  return annotations.flatMap((annotation) => {
    const { failure } = evaluation.evaluate(annotation);
    return failure === undefined ? [] : [failed(failure)];
  });
}
