/** What every claim must satisfy by itself, at creation and at every update (upstream ValidatePersistentVolumeClaimSpec). */

import { readSize } from "../core/claim.ts";
import { BETA_STORAGE_CLASS } from "../core/names.ts";
import { Quantity } from "../core/quantity.ts";
import { type PersistentVolumeClaim, STORAGE } from "../core/types.ts";
import { type FieldError, forbidden, invalid, notSupported, required } from "./verdict.ts";

const ACCESS_MODES = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];
const VOLUME_MODES = ["Block", "Filesystem"];

/** The text for a size of zero or less, here and in templates. */
export const NOT_POSITIVE = "must be greater than zero";

/**
 * Access modes, size and volume mode, with Kubernetes' texts. The form of names, selectors and data sources is left to
 * the API server: none of them can change after creation. Throws `OBJECT_MALFORMED` for a size that cannot be read.
 */
export function validateClaim(claim: PersistentVolumeClaim): FieldError[] {
  return [...checkAccessModes(claim), ...checkSize(claim), ...checkVolumeMode(claim)];
}

function checkAccessModes({ spec }: PersistentVolumeClaim): FieldError[] {
  const path = "spec.accessModes";
  const modes = spec.accessModes ?? [];
  if (modes.length === 0) return [required(path, "at least 1 access mode is required")];
  const errors = modes
    .filter((mode) => !ACCESS_MODES.includes(mode))
    .map((mode) => notSupported(path, mode, ACCESS_MODES));
  const alone = modes.filter((mode) => mode === "ReadWriteOncePod").length;
  if (alone > 0 && modes.some((mode) => mode !== "ReadWriteOncePod" && ACCESS_MODES.includes(mode))) {
    errors.push(forbidden(path, "may not use ReadWriteOncePod with other access modes"));
  }
  return errors;
}

function checkSize(claim: PersistentVolumeClaim): FieldError[] {
  const path = `spec.resources[${STORAGE}]`;
  const size = readSize(claim, claim.spec.resources?.requests, "spec.resources.requests.storage");
  if (size === undefined) return [required(path)];
  return size.moreThan(Quantity.zero) ? [] : [invalid(path, size.toString(), NOT_POSITIVE)];
}

function checkVolumeMode({ spec }: PersistentVolumeClaim): FieldError[] {
  const mode = spec.volumeMode ?? "Filesystem";
  return VOLUME_MODES.includes(mode) ? [] : [notSupported("spec.volumeMode", mode, VOLUME_MODES)];
}

/** What is taken but frowned upon: fractions of a byte, and the old annotation for the class. */
export function claimWarnings(claim: PersistentVolumeClaim): string[] {
  const warnings: string[] = [];
  if (claim.metadata.annotations?.[BETA_STORAGE_CLASS] !== undefined) {
    warnings.push(
      `metadata.annotations[${BETA_STORAGE_CLASS}]: deprecated since v1.8; use "storageClassName" attribute instead`,
    );
  }
  for (const list of ["requests", "limits"] as const) {
    const size = readSize(claim, claim.spec.resources?.[list], `spec.resources.${list}.storage`);
    if (size === undefined || size.equals(size.roundUp())) continue;
    const value = JSON.stringify(size);
    warnings.push(`spec.resources.${list}[${STORAGE}]: fractional byte value ${value} is invalid, must be an integer`);
  }
  return warnings;
}
