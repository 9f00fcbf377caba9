/**
 * May this write to a claim's status be stored? Upstream's rules are few: the right words in the right fields, no
 * negative sizes. Sizes are related to nothing and any state may follow any other; who writes what when is the
 * business of the resizer and the node.
 */
import { TODAY } from "../core/dialect.ts";
import type { Gates } from "../core/gates.ts";
import { Quantity } from "../core/quantity.ts";
import { isGiven, tryReadSize } from "../core/semantic-equal.ts";
import { type PersistentVolumeClaim, type ResourceList, STORAGE } from "../core/types.ts";
import { type FieldError, invalid, notSupported, required } from "./verdict.ts";

type RecoveryGate = Pick<Gates, "RecoverExpansionFailure">;

/**
 * Whether the rules of recovery apply to a claim: the gate is on, or the claim still carries the record of a time when
 * it was. So whoever began to recover can finish after the gate was switched off.
 */
export function recoveryApplies(gates: RecoveryGate, stored: PersistentVolumeClaim): boolean {
  return (
    gates.RecoverExpansionFailure ||
    isGiven(stored.status?.allocatedResources) ||
    isGiven(stored.status?.allocatedResourceStatuses)
  );
}

/**
 * The claim as an update of the status leaves it: its spec is the stored one, whatever was sent; metadata that was
 * sent is kept (so are annotations written). With the gate off a record that the claim did not have is dropped.
 */
export function prepareClaimStatusUpdate(
  old: PersistentVolumeClaim,
  next: PersistentVolumeClaim,
  gates: RecoveryGate,
): PersistentVolumeClaim {
  const prepared = { ...next, spec: old.spec };
  if (gates.RecoverExpansionFailure || next.status === undefined) return prepared;
  const status = { ...next.status };
  for (const field of ["allocatedResources", "allocatedResourceStatuses"] as const) {
    if (!isGiven(old.status?.[field])) delete status[field];
  }
  return { ...prepared, status };
}

/** Every error of a status write that was prepared; none when it may be stored. */
export function validateClaimStatusUpdate(
  old: PersistentVolumeClaim,
  next: PersistentVolumeClaim,
  gates: RecoveryGate,
): FieldError[] {
  const errors: FieldError[] = [];
  if ((next.metadata.resourceVersion ?? "") === "") errors.push(required("resourceVersion"));
  // Spelled like this upstream.
  if ((next.spec.accessModes ?? []).length === 0) errors.push(required("Spec.accessModes"));
  errors.push(...checkSizes(next.status?.capacity, "status.capacity"));
  if (recoveryApplies(gates, old)) errors.push(...checkStates(next), ...checkAllocated(next));
  return errors;
}

const STATES: readonly string[] = Object.values(TODAY.states).sort();

function checkStates(claim: PersistentVolumeClaim): FieldError[] {
  const path = "status.allocatedResourceStatuses";
  return Object.entries(claim.status?.allocatedResourceStatuses ?? {}).flatMap(([name, state]) => {
    const errors = checkResourceName(name, path);
    // Upstream shows the key as the wrong value, not the state.
    if (!STATES.includes(state)) errors.push(notSupported(path, name, STATES));
    return errors;
  });
}

function checkAllocated(claim: PersistentVolumeClaim): FieldError[] {
  const path = "status.allocatedResources";
  const list = claim.status?.allocatedResources;
  const misnamed = names(list).flatMap((name) => checkResourceName(name, path));
  return [...misnamed, ...checkSizes(list, path)];
}

const NAME_PART = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const QUALIFIED_NAME = new RegExp(`^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?${NAME_PART}$`);
// Upstream says label key: qualified names and label keys have one form.
const NOT_QUALIFIED =
  "a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an " +
  "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is " +
  `'${NAME_PART}') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`;

/** Of Kubernetes' own resources only storage; anybody else's under their own prefix. */
function checkResourceName(name: string, path: string): FieldError[] {
  if (!QUALIFIED_NAME.test(name)) return [invalid(path, name, NOT_QUALIFIED)];
  const native = !name.includes("/") || name.includes("kubernetes.io/");
  return native && name !== STORAGE ? [notSupported(path, name, [STORAGE])] : [];
}

function checkSizes(list: ResourceList | undefined, path: string): FieldError[] {
  return names(list).flatMap((name) => {
    const size = tryReadSize(list?.[name]);
    if (size?.atLeast(Quantity.zero) === true) return [];
    return [invalid(`${path}[${name}]`, size?.toBytes() ?? list?.[name], "must be a valid resource quantity")];
  });
}

function names(list: ResourceList | undefined): string[] {
  return Object.keys(list ?? {}).sort();
}
