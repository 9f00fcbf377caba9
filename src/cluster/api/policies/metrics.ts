/** What policies did, by the names that Kubernetes gives it. */
import type { Metrics } from "../../../kube/metrics.ts";

export interface PolicyMetrics {
  /** A validation that was not met, or failed: what was said of it, and what came of it (`allow`, `deny`, `warn`, `audit`). */
  validated(policy: string, binding: string, message: string, action: string): void;
  /** A mutation was made; or failed, with this message. */
  mutated(policy: string, binding: string, failure?: string): void;
}

export function createPolicyMetrics(metrics: Metrics): PolicyMetrics {
  const validations = metrics.counter({
    name: "apiserver_validating_admission_policy_check_total",
    help: "Validations of ValidatingAdmissionPolicies that were not met or failed, by what came of it.",
    labels: ["policy", "policy_binding", "error_type", "enforcement_action"],
  });
  const mutations = metrics.counter({
    name: "apiserver_mutating_admission_policy_check_total",
    help: "Mutations of MutatingAdmissionPolicies.",
    labels: ["policy", "policy_binding", "error_type"],
  });
  return {
    validated: (policy, policy_binding, message, enforcement_action) =>
      validations.inc({ policy, policy_binding, error_type: errorType(message), enforcement_action }),
    mutated: (policy, policy_binding, failure) =>
      mutations.inc({ policy, policy_binding, error_type: failure === undefined ? "no_error" : errorType(failure) }),
  };
}

/** As upstream: what is not met counts as an error, and which it is stands at the beginning of the message. */
function errorType(message: string): string {
  if (message.startsWith("compilation")) return "compile_error";
  return message.startsWith("validation failed due to running out of cost budget") ? "out_of_budget" : "invalid_error";
}
