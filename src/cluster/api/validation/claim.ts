/** Claims, and what stands for one in a pod (upstream ValidatePersistentVolumeClaimSpec, in its order). */
import { validateClaim } from "../../../admission/claim-rules.ts";
import { validateClaimUpdate } from "../../../admission/claim-update.ts";
import { type FieldError, forbidden, invalid, required } from "../../../admission/verdict.ts";
import type { Gates } from "../../../core/gates.ts";
import type { PersistentVolumeClaim } from "../../../core/types.ts";
import { checkName, checkSelector } from "./checks.ts";
import { validateAnnotations, validateLabels } from "./metadata.ts";
import { dnsLabel, dnsSubdomain } from "./names.ts";

interface DataSource {
  readonly apiGroup?: string | null;
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string | null;
}

type Spec = PersistentVolumeClaim["spec"] & {
  readonly dataSource?: DataSource | null;
  readonly dataSourceRef?: DataSource | null;
};

/** Every error of a new claim; the rules of its size and modes are those of admission/. */
export function validateNewClaim(claim: PersistentVolumeClaim): FieldError[] {
  return checkClaim(claim, true);
}

/** Every error of a claim that replaces `old`. */
export function validateChangedClaim(
  old: PersistentVolumeClaim,
  next: PersistentVolumeClaim,
  gates: Pick<Gates, "RecoverExpansionFailure">,
): FieldError[] {
  // The rules of a change begin with those of any claim, which are among those of its form.
  return [...checkClaim(next, false), ...validateClaimUpdate(old, next, gates).slice(validateClaim(next).length)];
}

function checkClaim(claim: PersistentVolumeClaim, isNew: boolean): FieldError[] {
  const spec = claim.spec as Spec;
  const own = validateClaim(claim);
  const [modes, rest] = [own.filter(({ path }) => path === MODES), own.filter(({ path }) => path !== MODES)];
  const missing = modes.filter(({ type }) => type === "Required");
  const isVolumeMode = ({ path }: FieldError): boolean => path === "spec.volumeMode";
  return [
    ...missing,
    ...checkSelector(spec.selector, "spec.selector"),
    ...modes.filter(({ type }) => type !== "Required"),
    ...rest.filter((error) => !isVolumeMode(error)),
    ...checkName(spec.storageClassName, dnsSubdomain, "spec.storageClassName"),
    ...rest.filter(isVolumeMode),
    ...checkSources(spec, isNew),
    ...checkName(spec.volumeAttributesClassName, dnsSubdomain, "spec.volumeAttributesClassName"),
  ];
}

const MODES = "spec.accessModes";

function checkSources({ dataSource, dataSourceRef }: Spec, isNew: boolean): FieldError[] {
  const [from, ref] = [dataSource ?? undefined, dataSourceRef ?? undefined];
  const elsewhere = (ref?.namespace ?? "") !== "";
  const both = from !== undefined && ref !== undefined;
  const same = from?.apiGroup === ref?.apiGroup && from?.kind === ref?.kind && from?.name === ref?.name;
  // The server shows a path of its own here, in which nothing is exported.
  const refuse = (why: string): FieldError[] => [invalid("spec", {}, why)];
  return [
    ...(from === undefined ? [] : checkDataSource(from, isNew, "spec.dataSource")),
    ...(ref === undefined ? [] : checkDataSource(ref, isNew, "spec.dataSourceRef")),
    ...(ref !== undefined && elsewhere ? checkName(ref.namespace ?? "", dnsLabel, "spec.dataSourceRef.namespace") : []),
    ...(both && elsewhere ? refuse("may not be specified when dataSourceRef.namespace is specified") : []),
    ...(both && !elsewhere && !same ? refuse("must match dataSourceRef") : []),
  ];
}

function checkDataSource({ apiGroup, kind = "", name = "" }: DataSource, isNew: boolean, path: string): FieldError[] {
  const group = apiGroup ?? "";
  const why = "must be 'PersistentVolumeClaim' when referencing the default apiGroup";
  return [
    ...(name === "" ? [required(`${path}.name`)] : []),
    ...(kind === "" ? [required(`${path}.kind`)] : []),
    ...(group === "" && kind !== "PersistentVolumeClaim" ? [invalid(path, kind, why)] : []),
    ...(isNew ? checkName(group, dnsSubdomain, `${path}.apiGroup`) : []),
  ];
}

export interface ClaimTemplateToCheck {
  readonly metadata?: {
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: PersistentVolumeClaim["spec"];
}

const OF_TEMPLATES: ReadonlySet<string> = new Set(["labels", "annotations"]);

/** A claim that is made with its pod and goes with it. */
export function validateClaimTemplate({ metadata = {}, spec }: ClaimTemplateToCheck, path: string): FieldError[] {
  const claim = { metadata, spec: spec ?? {} } as unknown as PersistentVolumeClaim;
  return [
    ...validateAnnotations(metadata.annotations ?? {}, `${path}.metadata.annotations`),
    ...validateLabels(metadata.labels ?? {}, `${path}.metadata.labels`),
    ...Object.entries(metadata as Readonly<Record<string, unknown>>)
      .filter(([field, value]) => !OF_TEMPLATES.has(field) && value !== null && value !== "")
      .map(([field]) => forbidden(`${path}.metadata.${field}`, "cannot be set")),
    ...checkClaim(claim, true).map((error) => ({ ...error, path: `${path}.${error.path}` })),
  ];
}
