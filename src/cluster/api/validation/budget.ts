/** PodDisruptionBudgets (upstream pkg/apis/policy/validation). */
import { type FieldError, invalid, notSupported } from "../../../admission/verdict.ts";
import type { LabelSelector } from "../../../core/types.ts";
import { checkSelector, checkShare, shareOver100 } from "./checks.ts";

type Share = number | string;

export interface BudgetToCheck {
  readonly spec: {
    readonly minAvailable?: Share;
    readonly maxUnavailable?: Share;
    readonly selector?: LabelSelector;
    readonly unhealthyPodEvictionPolicy?: string;
  };
}

const POLICIES = ["AlwaysAllow", "IfHealthyBudget"];
export function validateBudget({ spec }: BudgetToCheck): FieldError[] {
  const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy: policy } = spec;
  const both = minAvailable !== undefined && maxUnavailable !== undefined;
  // As the server holds it.
  const shown = {
    MinAvailable: minAvailable ?? null,
    Selector: selector ?? null,
    MaxUnavailable: maxUnavailable ?? null,
    UnhealthyPodEvictionPolicy: policy ?? null,
  };
  return [
    ...(both ? [invalid("spec", shown, "minAvailable and maxUnavailable cannot be both set")] : []),
    ...checkPart(minAvailable, "spec.minAvailable"),
    ...checkPart(maxUnavailable, "spec.maxUnavailable"),
    ...checkSelector(selector, "spec.selector"),
    ...(policy === undefined || POLICIES.includes(policy)
      ? []
      : [notSupported("spec.unhealthyPodEvictionPolicy", policy, POLICIES)]),
  ];
}

function checkPart(share: Share | undefined, path: string): FieldError[] {
  return [...checkShare(share, path), ...shareOver100(share, path)];
}
