/** Claims, volumes and storage classes: upstream pkg/apis/core/validation and pkg/apis/storage/validation. */
import { validateClaim } from "../../../admission/claim-rules.ts";
import { type FieldError, forbidden, invalid, notSupported, required, tooLong } from "../../../admission/verdict.ts";
import { Quantity } from "../../../core/quantity.ts";
import { semanticallyEqual } from "../../../core/semantic-equal.ts";
import { type PersistentVolume, type PersistentVolumeClaim, STORAGE, type StorageClass } from "../../../core/types.ts";
import { BESIDES_SOURCE } from "../../../core/volume.ts";
import { labelKeyErrors } from "../selectors/label-syntax.ts";
import { checkName, checkSelector, checkUnchanged } from "./checks.ts";
import { dnsSubdomain } from "./names.ts";

const ACCESS_MODES = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];
const RECLAIM_POLICIES = ["Delete", "Recycle", "Retain"];
const CLASS_RECLAIM_POLICIES = ["Delete", "Retain"];
const VOLUME_MODES = ["Block", "Filesystem"];
const BINDING_MODES = ["Immediate", "WaitForFirstConsumer"];

/** Every error of a new claim; the rules of its size and modes are those of admission/. */
export function validateNewClaim(claim: PersistentVolumeClaim): FieldError[] {
  return [
    ...validateClaim(claim),
    ...checkSelector(claim.spec.selector, "spec.selector"),
    ...checkName(claim.spec.storageClassName, dnsSubdomain, "spec.storageClassName"),
    ...checkName(claim.spec.volumeAttributesClassName, dnsSubdomain, "spec.volumeAttributesClassName"),
  ];
}

/** Every error of a volume, new or changed. */
export function validateVolume({ spec }: PersistentVolume): FieldError[] {
  const reclaim = (spec as { readonly persistentVolumeReclaimPolicy?: string }).persistentVolumeReclaimPolicy;
  return [
    ...checkAccessModes(spec.accessModes ?? []),
    ...checkCapacity(spec.capacity ?? {}),
    ...(reclaim === undefined || RECLAIM_POLICIES.includes(reclaim)
      ? []
      : [notSupported("spec.persistentVolumeReclaimPolicy", reclaim, RECLAIM_POLICIES)]),
    ...checkSource(spec),
    ...checkHostPath((spec as { readonly hostPath?: { readonly path?: string } }).hostPath?.path),
    ...checkName(spec.storageClassName, dnsSubdomain, "spec.storageClassName"),
    ...(spec.volumeMode === undefined || VOLUME_MODES.includes(spec.volumeMode)
      ? []
      : [notSupported("spec.volumeMode", spec.volumeMode, VOLUME_MODES)]),
  ];
}

/** Every error of a volume that replaces `old`: its source stays, but the secret for expansion may be added. */
export function validateVolumeUpdate(old: PersistentVolume, next: PersistentVolume): FieldError[] {
  const errors = validateVolume(next);
  const mayAddSecret = old.spec.csi !== undefined && old.spec.csi.controllerExpandSecretRef === undefined;
  if (!semanticallyEqual(sourceOf(old, false), sourceOf(next, mayAddSecret))) {
    errors.push(forbidden("spec.persistentvolumesource", "spec.persistentvolumesource is immutable after creation"));
  }
  return [...errors, ...checkUnchanged(old.spec.volumeMode, next.spec.volumeMode, "volumeMode")];
}

function checkHostPath(path: string | undefined): FieldError[] {
  if (path === undefined || !path.split("/").includes("..")) return [];
  return [invalid("spec.hostPath.path", path, "must not contain '..'")];
}

function sourceOf({ spec }: PersistentVolume, withoutExpandSecret: boolean): unknown {
  const source = Object.fromEntries(Object.entries(spec).filter(([name]) => !BESIDES_SOURCE.has(name)));
  if (!withoutExpandSecret || spec.csi === undefined) return source;
  const { controllerExpandSecretRef: _, ...csi } = spec.csi;
  return { ...source, csi };
}

function checkAccessModes(modes: readonly string[]): FieldError[] {
  const path = "spec.accessModes";
  if (modes.length === 0) return [required(path)];
  const unknown = modes.filter((mode) => !ACCESS_MODES.includes(mode));
  const errors = unknown.map((mode) => notSupported(path, mode, ACCESS_MODES));
  const isMixed = modes.includes("ReadWriteOncePod") && modes.length - unknown.length > 1;
  return isMixed ? [...errors, forbidden(path, "may not use ReadWriteOncePod with other access modes")] : errors;
}

function checkCapacity(capacity: Readonly<Record<string, string>>): FieldError[] {
  const path = "spec.capacity";
  const names = Object.keys(capacity);
  const errors = names.length === 0 ? [required(path)] : [];
  if (names.length !== 1 || names[0] !== STORAGE) {
    errors.push(notSupported(path, names.length === 0 ? null : sorted(capacity), [STORAGE]));
  }
  for (const [name, text] of Object.entries(capacity)) {
    const size = Quantity.tryParse(text);
    if (size !== undefined && !size.moreThan(Quantity.zero)) {
      errors.push(invalid(`${path}[${name}]`, size.toString(), "must be greater than zero"));
    }
  }
  return errors;
}

/** As Go prints a map. */
function sorted(map: Readonly<Record<string, string>>): unknown {
  return Object.fromEntries(Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function checkSource(spec: PersistentVolume["spec"]): FieldError[] {
  const sources = Object.entries(spec).filter(([name, source]) => !BESIDES_SOURCE.has(name) && isPresent(source));
  if (sources.length === 0) return [required("spec", "must specify a volume type")];
  const [, ...others] = sources;
  const { csi } = spec;
  return [
    ...(csi === undefined || sources[0]?.[0] !== "csi" ? [] : checkCsi(csi)),
    ...others.map(([name]) => forbidden(`spec.${name}`, "may not specify more than 1 volume type")),
  ];
}

function checkCsi({ driver, volumeHandle }: NonNullable<PersistentVolume["spec"]["csi"]>): FieldError[] {
  const errors = (driver ?? "") === "" ? [required("spec.csi.driver")] : checkDriverName(driver, "spec.csi.driver");
  return (volumeHandle ?? "") === "" ? [...errors, required("spec.csi.volumeHandle")] : errors;
}

/** The name of a CSI driver, which becomes a label of nodes. */
export function checkDriverName(name: string, path: string): FieldError[] {
  const errors = dnsSubdomain(name.toLowerCase()).map((message) => invalid(path, name, message));
  return Buffer.byteLength(name) > 63 ? [tooLong(path, 63), ...errors] : errors;
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

interface ClassToCheck extends StorageClass {
  readonly parameters?: Readonly<Record<string, string>>;
  readonly reclaimPolicy?: string;
}

/** Every error of a new class that has its defaults. */
export function validateStorageClass(given: StorageClass): FieldError[] {
  const { provisioner, reclaimPolicy, volumeBindingMode, parameters = {} } = given as ClassToCheck;
  return [
    ...((provisioner ?? "") === ""
      ? [required("provisioner")]
      : labelKeyErrors(provisioner.toLowerCase()).map((message) => invalid("provisioner", provisioner, message))),
    ...(Object.hasOwn(parameters, "") ? [invalid("parameters", "", "field can not be empty.")] : []),
    ...(reclaimPolicy === undefined || CLASS_RECLAIM_POLICIES.includes(reclaimPolicy)
      ? []
      : [notSupported("reclaimPolicy", reclaimPolicy, CLASS_RECLAIM_POLICIES)]),
    ...(volumeBindingMode === undefined
      ? [required("volumeBindingMode")]
      : BINDING_MODES.includes(volumeBindingMode)
        ? []
        : [notSupported("volumeBindingMode", volumeBindingMode, BINDING_MODES)]),
  ];
}

/** What volumes were made by stays; whether they may grow may change. */
export function validateStorageClassUpdate(old: StorageClass, next: StorageClass): FieldError[] {
  return (["parameters", "provisioner", "reclaimPolicy", "volumeBindingMode"] as const).flatMap((field) =>
    checkUnchanged((old as ClassToCheck)[field], (next as ClassToCheck)[field], field),
  );
}
