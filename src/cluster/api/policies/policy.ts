/** Policies and bindings as they are stored, read once and kept for as long as they stay as they are. */
import type { LabelSelector as LabelSelectorObject } from "../../../core/types.ts";
import type { NamedExpression } from "../expressions/expression.ts";
import type { JsonObject } from "../json.ts";
import { textOf } from "../lifecycle/metadata.ts";
import { selectorFromObject } from "../selectors/label-selector.ts";
import type { HookRule } from "../webhooks/hook.ts";
import type { RequestMatch } from "../webhooks/match.ts";

export const POLICY_GROUP = "admissionregistration.k8s.io";

/** Policies that change objects, or those that only judge. */
export type PolicyType = "Mutating" | "Validating";

export interface MatchResources {
  readonly matchPolicy?: string;
  readonly namespaceSelector?: LabelSelectorObject;
  readonly objectSelector?: LabelSelectorObject;
  readonly resourceRules?: readonly HookRule[] | null;
  readonly excludeResourceRules?: readonly HookRule[] | null;
}

export interface ParamKind {
  readonly apiVersion?: string;
  readonly kind?: string;
}

export interface ParamRef {
  readonly name?: string;
  readonly namespace?: string;
  readonly selector?: LabelSelectorObject;
  readonly parameterNotFoundAction?: string;
}

export interface Validation {
  readonly expression: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
}

export interface AuditAnnotation {
  readonly key: string;
  readonly valueExpression: string;
}

export interface Mutation {
  readonly patchType?: string;
  readonly jsonPatch?: { readonly expression?: string };
  readonly applyConfiguration?: { readonly expression?: string };
}

/** The spec of a policy, as the API has it; each type has only some of it. */
export interface PolicySpec {
  readonly paramKind?: ParamKind;
  readonly matchConstraints?: MatchResources;
  readonly matchConditions?: readonly NamedExpression[];
  readonly variables?: readonly NamedExpression[];
  readonly failurePolicy?: string;
  readonly validations?: readonly Validation[];
  readonly auditAnnotations?: readonly AuditAnnotation[];
  readonly mutations?: readonly Mutation[];
  readonly reinvocationPolicy?: string;
}

export interface BindingSpec {
  readonly policyName?: string;
  readonly paramRef?: ParamRef;
  readonly matchResources?: MatchResources;
  readonly validationActions?: readonly string[] | null;
}

export interface Policy {
  readonly name: string;
  readonly spec: PolicySpec;
  readonly match: RequestMatch;
  /** What cannot be evaluated counts as allowed. */
  readonly failsOpen: boolean;
}

export interface Binding {
  readonly name: string;
  readonly spec: BindingSpec;
  /** Undefined: whatever the policy is for. */
  readonly match: RequestMatch | undefined;
}

/** A policy that counts: one without a binding does nothing. */
export interface BoundPolicy {
  readonly policy: Policy;
  readonly bindings: readonly Binding[];
}

/** Both were validated, and have their defaults. */
export function readPolicy(object: JsonObject): Policy {
  const spec = policySpec(object);
  return {
    name: textOf(object, "name"),
    spec,
    match: readMatch(spec.matchConstraints ?? {}),
    failsOpen: spec.failurePolicy === "Ignore",
  };
}

export function readBinding(object: JsonObject): Binding {
  const spec = bindingSpec(object);
  const { matchResources } = spec;
  return {
    name: textOf(object, "name"),
    spec,
    match: matchResources === undefined ? undefined : readMatch(matchResources),
  };
}

/** The schema has seen to its types. */
export function policySpec(policy: JsonObject): PolicySpec {
  return (policy["spec"] ?? {}) as PolicySpec;
}

export function bindingSpec(binding: JsonObject): BindingSpec {
  return (binding["spec"] ?? {}) as BindingSpec;
}

function readMatch(resources: MatchResources): RequestMatch {
  const rules = resources.resourceRules ?? [];
  return {
    rules: rules.length === 0 ? undefined : rules,
    excluded: resources.excludeResourceRules ?? [],
    equivalent: resources.matchPolicy !== "Exact",
    namespaces: selectorFromObject(resources.namespaceSelector ?? {}),
    objects: selectorFromObject(resources.objectSelector ?? {}),
  };
}
