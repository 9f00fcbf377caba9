/**
 * May this edit of a claim be stored? Upstream's ValidatePersistentVolumeClaimUpdate as a list of rules: a bound claim
 * may ask for more, or for less as long as that is more than it has (KEP-1790); everything else is fixed.
 */

import { readClaim, readSize } from "../core/claim.ts";
import { SIZE_PATH, type SpecDifference, specDifferences } from "../core/claim-spec.ts";
import type { Gates } from "../core/gates.ts";
import { BETA_STORAGE_CLASS } from "../core/names.ts";
import { Quantity } from "../core/quantity.ts";
import { isGiven } from "../core/semantic-equal.ts";
import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from "../core/types.ts";
import { validateClaim } from "./claim-rules.ts";
import { recoveryApplies } from "./claim-status-update.ts";
import { type FieldError, forbidden, invalid } from "./verdict.ts";

/**
 * The claim as an update of the main resource leaves it: its status is the stored one, whatever was sent, and a data
 * source that was given in one of its two fields is in both (older clients leave one out).
 */
export function prepareClaimUpdate(old: PersistentVolumeClaim, next: PersistentVolumeClaim): PersistentVolumeClaim {
  const { status: _, ...rest } = next;
  const prepared = { ...rest, spec: withBothDataSources(next.spec) };
  return old.status === undefined ? prepared : { ...prepared, status: old.status };
}

interface Update {
  readonly old: PersistentVolumeClaim;
  readonly next: PersistentVolumeClaim;
  readonly recovery: boolean;
  readonly bound: boolean;
}

type Rule = (update: Update) => FieldError[];

const RULES: readonly Rule[] = [
  ({ next }) => validateClaim(next),
  classAnnotationStays,
  restOfSpecStays,
  sizeStaysAboveCapacity,
  volumeModeStays,
  attributesClassIsNotTakenAway,
];

/**
 * Every error of the edit, in upstream's order; none when it may be stored. Phase and capacity are those of `old`: the
 * status in `next` does not count. Throws `OBJECT_MALFORMED` for a size that cannot be read.
 */
export function validateClaimUpdate(
  old: PersistentVolumeClaim,
  next: PersistentVolumeClaim,
  gates: Pick<Gates, "RecoverExpansionFailure">,
): FieldError[] {
  const update: Update = {
    old,
    next,
    recovery: recoveryApplies(gates, old),
    bound: old.status?.phase === "Bound",
  };
  return RULES.flatMap((rule) => rule(update));
}

function classAnnotationStays({ old, next }: Update): FieldError[] {
  const [before, after] = [annotatedClass(old) ?? "", annotatedClass(next) ?? ""];
  if (before === after || movesClassFromAnnotation(old, next)) return [];
  return [invalid(`metadata.annotations.${BETA_STORAGE_CLASS}`, after, "field is immutable")];
}

function restOfSpecStays(update: Update): FieldError[] {
  const { old, next } = update;
  const fixed = specDifferences(withBothDataSources(old.spec), withBothDataSources(next.spec)).filter(
    ({ path }) => !mayChange(path, update),
  );
  if (fixed.length === 0) return [];
  return [
    forbidden(
      "spec",
      "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n" +
        fixed.map(differenceText).join("\n"),
    ),
  ];
}

function mayChange(path: string, { old, next, bound }: Update): boolean {
  switch (path) {
    case SIZE_PATH:
      return bound && next.spec.resources?.requests !== undefined;
    case "volumeAttributesClassName":
      return bound;
    case "volumeName":
      // The binder writes it, once.
      return (old.spec.volumeName ?? "") === "";
    case "storageClassName":
      return movesClassFromAnnotation(old, next) || namesClassAtLast(old, next);
    default:
      return false;
  }
}

/** The class moves from the beta annotation to the field, under the same name. */
function movesClassFromAnnotation(old: PersistentVolumeClaim, next: PersistentVolumeClaim): boolean {
  const annotated = annotatedClass(old);
  return (
    annotated !== undefined &&
    !namesClass(old) &&
    next.spec.storageClassName === annotated &&
    (annotatedClass(next) ?? annotated) === annotated
  );
}

/** A claim that named no class is given one: the cluster's default, set after the claim was made. */
function namesClassAtLast(old: PersistentVolumeClaim, next: PersistentVolumeClaim): boolean {
  const annotated = annotatedClass(old);
  return !namesClass(old) && namesClass(next) && (annotated === undefined || next.spec.storageClassName === annotated);
}

/** An empty name is a name too: it asks for no provisioning. JSON's null is none. */
function namesClass(claim: PersistentVolumeClaim): boolean {
  return isGiven(claim.spec.storageClassName);
}

function sizeStaysAboveCapacity({ old, next, recovery }: Update): FieldError[] {
  const before = requestOf(old);
  const after = requestOf(next);
  if (after.atLeast(before)) return [];
  const path = "spec.resources.requests.storage";
  if (!recovery || grewWithoutRecord(old)) return [forbidden(path, "field can not be less than previous value")];
  const capacity = readSize(old, old.status?.capacity, "status.capacity.storage") ?? Quantity.zero;
  return after.moreThan(capacity) ? [] : [forbidden(path, "field can not be less than status.capacity")];
}

/**
 * An expansion that began while the recovery gate was off is under way: nothing records its size, so with the gate on
 * again a lower request would make quota forget what the backend may already hold. The old rule applies until it is done.
 * (A server of today cannot come here: its gate cannot be switched off.)
 */
function grewWithoutRecord(old: PersistentVolumeClaim): boolean {
  if (old.status?.allocatedResources !== undefined) return false;
  const { conditions } = readClaim(old);
  return conditions.has("resizing") || conditions.has("file-system-pending");
}

function volumeModeStays({ old, next }: Update): FieldError[] {
  const [before, after] = [old.spec.volumeMode ?? "Filesystem", next.spec.volumeMode ?? "Filesystem"];
  return before === after ? [] : [invalid("volumeMode", after, "field is immutable")];
}

function attributesClassIsNotTakenAway({ old, next }: Update): FieldError[] {
  const current = old.status?.currentVolumeAttributesClassName ?? undefined;
  const [before, after] = [
    old.spec.volumeAttributesClassName ?? undefined,
    next.spec.volumeAttributesClassName ?? undefined,
  ];
  if (before === after || current === undefined || (after !== undefined && after !== "")) return [];
  const what = after === undefined ? "nil" : "empty string";
  return [
    forbidden(
      "spec.volumeAttributesClassName",
      `update to ${what} is forbidden when status.currentVolumeAttributesClassName is not nil`,
    ),
  ];
}

function annotatedClass(claim: PersistentVolumeClaim): string | undefined {
  return claim.metadata.annotations?.[BETA_STORAGE_CLASS];
}

function requestOf(claim: PersistentVolumeClaim): Quantity {
  return readSize(claim, claim.spec.resources?.requests, "spec.resources.requests.storage") ?? Quantity.zero;
}

/** A data source that was given in one of its two fields is in both. The same spec where there is nothing to add. */
export function withBothDataSources(spec: PersistentVolumeClaimSpec): PersistentVolumeClaimSpec {
  const { dataSource, dataSourceRef } = spec;
  if (isGiven(dataSource) && !isGiven(dataSourceRef)) return { ...spec, dataSourceRef: dataSource };
  // The old field cannot name another namespace.
  const elsewhere = isGiven((dataSourceRef as { namespace?: unknown } | undefined)?.namespace);
  if (isGiven(dataSourceRef) && !isGiven(dataSource) && !elsewhere) return { ...spec, dataSource: dataSourceRef };
  return spec;
}

/** One line out, one line in, as in a diff. */
function differenceText({ path, from, to }: SpecDifference): string {
  const lines = [];
  if (isGiven(from)) lines.push(`-  ${path}: ${JSON.stringify(from)}`);
  if (isGiven(to)) lines.push(`+  ${path}: ${JSON.stringify(to)}`);
  return lines.join("\n");
}
