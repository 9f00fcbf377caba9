/** What policies and bindings are held to when they are written. */
import type { FieldError } from "../../../admission/verdict.ts";
import type { JsonObject } from "../json.ts";
import type { Steps } from "../steps.ts";
import { engine } from "./lazy-engine.ts";
import type { PolicyType } from "./policy.ts";
import { validateBinding } from "./validate-binding.ts";

interface KindRules {
  readonly create: (object: JsonObject) => FieldError[];
  readonly update: (old: JsonObject, next: JsonObject) => FieldError[];
}

/** The plugin `ready` has seen to it that CEL is loaded. `old` is what it replaces. */
export function policyErrors(
  type: PolicyType,
): (policy: JsonObject, old: JsonObject | undefined) => Steps<FieldError[]> {
  return (policy, old) => engine.loaded().validatePolicy(type, policy, old);
}

export function bindingRules(type: PolicyType): KindRules {
  return { create: (binding) => validateBinding(type, binding), update: (_, next) => validateBinding(type, next) };
}
