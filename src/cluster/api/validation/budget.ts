/** PodDisruptionBudgets (upstream pkg/apis/policy/validation). */
import { type FieldError, invalid, notSupported } from "../../../admission/verdict.ts";
import type { LabelSelector } from "../../../core/types.ts";
import { checkNotNegative, checkSelector } from "./checks.ts";

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
const NO_PERCENT =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

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
    ...checkShare(minAvailable, "spec.minAvailable"),
    ...checkShare(maxUnavailable, "spec.maxUnavailable"),
    ...checkSelector(selector, "spec.selector"),
    ...(policy === undefined || POLICIES.includes(policy)
      ? []
      : [notSupported("spec.unhealthyPodEvictionPolicy", policy, POLICIES)]),
  ];
}

/** A number, or a part of all in percent. */
function checkShare(share: Share | undefined, path: string): FieldError[] {
  if (share === undefined) return [];
  if (typeof share === "number") return checkNotNegative(share, path);
  if (!/^[0-9]+%$/.test(share)) return [invalid(path, share, NO_PERCENT)];
  return Number.parseInt(share, 10) > 100 ? [invalid(path, share, "must not be greater than 100%")] : [];
}
