/** PriorityClasses (upstream pkg/apis/scheduling/validation). */
import { type FieldError, forbidden, invalid } from "../../../admission/verdict.ts";
import { checkOneOf } from "./checks.ts";

export interface PriorityClassToCheck {
  readonly metadata?: { readonly name?: string };
  readonly value?: number;
  readonly globalDefault?: boolean;
  readonly preemptionPolicy?: string;
}

const POLICIES = ["PreemptLowerPriority", "Never"];
/** What is above is the cluster's own. */
const MAX_VALUE = 1_000_000_000;
const SYSTEM: Readonly<Record<string, number>> = {
  "system-node-critical": 2_000_001_000,
  "system-cluster-critical": 2_000_000_000,
};

export function validatePriorityClass({
  metadata,
  value = 0,
  globalDefault,
  preemptionPolicy,
}: PriorityClassToCheck): FieldError[] {
  const name = metadata?.name ?? "";
  const own = `maximum allowed value of a user defined priority is ${MAX_VALUE}`;
  const isKnown = Object.hasOwn(SYSTEM, name) && SYSTEM[name] === value && globalDefault !== true;
  const reserved = "priority class names with 'system-' prefix are reserved for system use only";
  return [
    ...(name.startsWith("system-")
      ? isKnown
        ? []
        : [forbidden("metadata.name", `${reserved}. error: ${whyReserved(name, value, globalDefault)}`)]
      : value > MAX_VALUE
        ? [forbidden("value", own)]
        : []),
    ...(preemptionPolicy === undefined ? [] : checkOneOf(preemptionPolicy, POLICIES, "preemptionPolicy")),
  ];
}

function whyReserved(name: string, value: number, globalDefault: boolean | undefined): string {
  if (!Object.hasOwn(SYSTEM, name)) return `${name} is not a known system priority class`;
  if (SYSTEM[name] !== value) return `value of ${name} PriorityClass must be ${SYSTEM[name]}`;
  return globalDefault === true ? `globalDefault of ${name} PriorityClass must be false` : "";
}

export function validatePriorityClassUpdate(old: PriorityClassToCheck, next: PriorityClassToCheck): FieldError[] {
  const [before, after] = [old.preemptionPolicy ?? null, next.preemptionPolicy ?? null];
  return [
    ...((old.value ?? 0) === (next.value ?? 0) ? [] : [forbidden("value", "may not be changed in an update.")]),
    ...(before === after ? [] : [invalid("preemptionPolicy", after, "field is immutable")]),
  ];
}
