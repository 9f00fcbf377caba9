/** Admission policies: what the server needs of them. */
export { createPolicies, type Policies, type PolicyOptions } from "./create-policies.ts";
export { createPolicyMetrics, type PolicyMetrics } from "./metrics.ts";
export { bindingRules, policyErrors } from "./rules.ts";
export { startPolicyStatus } from "./status.ts";
