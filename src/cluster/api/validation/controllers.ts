/** What controllers write for themselves: leases and revisions (upstream pkg/apis/coordination and pkg/apis/apps). */
import { type FieldError, forbidden, invalid, required } from "../../../admission/verdict.ts";
import { checkNotNegative, checkUnchanged } from "./checks.ts";

export interface LeaseToCheck {
  readonly spec?: {
    readonly leaseDurationSeconds?: number;
    readonly leaseTransitions?: number;
    readonly strategy?: string;
    readonly preferredHolder?: string;
  };
}

export function validateLease({ spec = {} }: LeaseToCheck): FieldError[] {
  const { leaseDurationSeconds: seconds, leaseTransitions, strategy = "", preferredHolder = "" } = spec;
  return [
    ...(seconds !== undefined && seconds <= 0
      ? [invalid("spec.leaseDurationSeconds", seconds, "must be greater than 0")]
      : []),
    ...checkNotNegative(leaseTransitions, "spec.leaseTransitions"),
    ...(preferredHolder !== "" && strategy === ""
      ? [forbidden("spec.preferredHolder", "may only be specified if `strategy` is defined")]
      : []),
  ];
}

export interface RevisionToCheck {
  readonly data?: unknown;
  readonly revision?: number;
}

export function validateRevision({ data, revision }: RevisionToCheck): FieldError[] {
  const isObject = typeof data === "object" && data !== null && !Array.isArray(data);
  const none = data === undefined || data === null;
  return [
    ...checkNotNegative(revision, "revision"),
    ...(none ? [required("data", "data is mandatory")] : []),
    ...(none || isObject ? [] : [required("data", "data must be a valid JSON object")]),
  ];
}

/** A revision is a record: it gets another number, and nothing else. */
export function validateRevisionUpdate(old: RevisionToCheck, next: RevisionToCheck): FieldError[] {
  return [...checkNotNegative(next.revision, "revision"), ...checkUnchanged(old.data, next.data, "data")];
}
