/** What kinds that make pods have in common: whom they select, and that what they make is selected. */
import { type FieldError, forbidden, invalid, notSupported, required } from "../../../admission/verdict.ts";
import type { LabelSelector } from "../../../core/types.ts";
import { selectorFromObject } from "../selectors/label-selector.ts";
import { StatusError } from "../status-error.ts";
import { checkSelector } from "./checks.ts";
import type { PodSpecToCheck } from "./pod.ts";

/** A selector that must be there and select something; `kind` as upstream calls it. */
export function checkWorkloadSelector(selector: LabelSelector | null | undefined, kind: string): FieldError[] {
  if (selector === undefined || selector === null) return [required("spec.selector")];
  const selects = Object.keys(selector.matchLabels ?? {}).length + (selector.matchExpressions ?? []).length;
  return [
    ...checkSelector(selector, "spec.selector"),
    ...(selects === 0 ? [invalid("spec.selector", selector, `empty selector is invalid for ${kind}`)] : []),
  ];
}

/**
 * Whether pods of the template are selected. One that is missing selects nothing; one that makes no sense is refused in these words,
 * and whatever comes after it is not looked at.
 */
export function checkTemplateLabels(
  selector: LabelSelector | null | undefined,
  given: Readonly<Record<string, string>> | undefined,
  nonsense: string,
): { readonly errors: readonly FieldError[]; readonly isSelector: boolean } {
  const labels = given ?? {};
  try {
    if (selectorFromObject(selector ?? undefined).matches(labels)) return { errors: [], isSelector: true };
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return { errors: [invalid("spec.selector", selector, nonsense)], isSelector: false };
  }
  const shown = given ?? null;
  const why = "`selector` does not match template `labels`";
  return { errors: [invalid("spec.template.metadata.labels", shown, why)], isSelector: true };
}

/** Pods that are kept running are started again always, and have no end. */
export function checkAlwaysRuns(spec: PodSpecToCheck, kind: string, path: string): FieldError[] {
  const { restartPolicy = "", activeDeadlineSeconds } = spec;
  return [
    ...(restartPolicy === "Always" ? [] : [notSupported(`${path}.restartPolicy`, restartPolicy, ["Always"])]),
    ...(activeDeadlineSeconds === undefined
      ? []
      : [forbidden(`${path}.activeDeadlineSeconds`, `activeDeadlineSeconds in ${kind} is not Supported`)]),
  ];
}
