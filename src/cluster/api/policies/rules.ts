/** What policies and bindings are held to when they are written. */
import type { FieldError } from "../../../admission/verdict.ts";
import type { JsonObject } from "../json.ts";
import { engine } from "./lazy-engine.ts";
import type { PolicyType } from "./policy.ts";
import { validateBinding } from "./validate-binding.ts";

interface KindRules {
  readonly create: (object: JsonObject) => FieldError[];
  readonly update: (old: JsonObject, next: JsonObject) => FieldError[];
}

/** The plugin `ready` has seen to it that CEL is loaded. */
export function policyRules(type: PolicyType): KindRules {
  return {
    create: (policy) => engine.loaded().validatePolicy(type, policy, undefined),
    update: (old, next) => engine.loaded().validatePolicy(type, next, old),
  };
}

export function bindingRules(type: PolicyType): KindRules {
  return { create: (binding) => validateBinding(type, binding), update: (_, next) => validateBinding(type, next) };
}
