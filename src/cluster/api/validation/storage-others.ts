/** What drivers tell of their storage: capacities, and classes of attributes (upstream pkg/apis/storage/validation). */
import { type FieldError, forbidden, invalid } from "../../../admission/verdict.ts";
import { Quantity } from "../../../core/quantity.ts";
import { semanticallyEqual } from "../../../core/semantic-equal.ts";
import type { LabelSelector } from "../../../core/types.ts";
import { checkSelector, checkUnchanged } from "./checks.ts";
import { dnsSubdomain } from "./names.ts";
import { checkParameters, checkProvisioner } from "./volume.ts";

export interface CapacityToCheck {
  readonly nodeTopology?: LabelSelector;
  readonly storageClassName?: string;
  readonly capacity?: string;
}

export function validateCapacity({ nodeTopology, storageClassName = "", capacity }: CapacityToCheck): FieldError[] {
  const size = capacity === undefined ? undefined : Quantity.tryParse(capacity);
  return [
    ...checkSelector(nodeTopology, "nodeTopology"),
    ...dnsSubdomain(storageClassName).map((problem) => invalid("storageClassName", storageClassName, problem)),
    ...(size?.lessThan(Quantity.zero) === true
      ? [invalid("capacity", size.toString(), "must be greater than or equal to 0")]
      : []),
  ];
}

export function validateCapacityUpdate(old: CapacityToCheck, next: CapacityToCheck): FieldError[] {
  return [
    ...validateCapacity(next),
    ...checkUnchanged(old.nodeTopology, next.nodeTopology, "nodeTopology"),
    ...checkUnchanged(old.storageClassName, next.storageClassName ?? "", "storageClassName"),
  ];
}

export interface AttributesClassToCheck {
  readonly driverName?: string;
  readonly parameters?: Readonly<Record<string, string>>;
}

export function validateAttributesClass({ driverName, parameters = {} }: AttributesClassToCheck): FieldError[] {
  return [...checkProvisioner(driverName, "driverName"), ...checkParameters(parameters, false)];
}

export function validateAttributesClassUpdate(old: AttributesClassToCheck, next: AttributesClassToCheck): FieldError[] {
  return [
    ...((old.driverName ?? "") === (next.driverName ?? "")
      ? []
      : [forbidden("driverName", "updates to driverName are forbidden.")]),
    ...(semanticallyEqual(old.parameters, next.parameters)
      ? []
      : [forbidden("parameters", "updates to parameters are forbidden.")]),
    ...validateAttributesClass(next),
  ];
}
