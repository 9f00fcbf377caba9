/**
 * May this edit of a StatefulSet be stored? Upstream's ValidateStatefulSetUpdate, and KEP-661's relaxation of it: with
 * the gate on, the sizes in `volumeClaimTemplates` may change, up and down ("allowing the user to decrease the storage
 * size will give them the ability to address failed expansions").
 */
import { compareTemplates } from "../core/claim-templates.ts";
import type { Gates } from "../core/gates.ts";
import { semanticallyEqual } from "../core/semantic-equal.ts";
import type { StatefulSet } from "../core/types.ts";
import type { StorageClasses } from "./storage-classes.ts";
import { validateTemplateSizes } from "./template-growth.ts";
import { type FieldError, forbidden } from "./verdict.ts";

const MUTABLE: ReadonlySet<string> = new Set([
  "replicas",
  "ordinals",
  "template",
  "updateStrategy",
  "revisionHistoryLimit",
  "persistentVolumeClaimRetentionPolicy",
  "minReadySeconds",
]);

const FIXED_FIELDS =
  "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', " +
  "'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";

/** What Kubernetes fills in. */
const DEFAULTS: Readonly<Record<string, unknown>> = { podManagementPolicy: "OrderedReady" };

/**
 * Every error of the edit; none when it may be stored. The error for a fixed field is Kubernetes' own, also for sizes
 * with the gate off, so that tools which know it go on as they are used to.
 */
export function validateStatefulSetUpdate(
  old: StatefulSet,
  next: StatefulSet,
  gates: Pick<Gates, "StatefulSetVolumeExpansion">,
  classes: StorageClasses,
): FieldError[] {
  const { volumeClaimTemplates: oldTemplates, ...oldSpec } = old.spec;
  const { volumeClaimTemplates: templates = [], ...spec } = next.spec;
  const edit = compareTemplates(oldTemplates, templates);
  const sizesAreFixed = edit.kind === "sizes" && !gates.StatefulSetVolumeExpansion;
  if (edit.kind === "other" || sizesAreFixed || changesFixedField(oldSpec, spec)) {
    return [forbidden("spec", FIXED_FIELDS)];
  }
  if (edit.kind === "same") return [];
  return validateTemplateSizes(edit.changes, templates, classes, "spec.volumeClaimTemplates");
}

function changesFixedField(old: Readonly<Record<string, unknown>>, next: Readonly<Record<string, unknown>>): boolean {
  return [...new Set([...Object.keys(old), ...Object.keys(next)])]
    .filter((name) => !MUTABLE.has(name))
    .some((name) => !semanticallyEqual(old[name] ?? DEFAULTS[name], next[name] ?? DEFAULTS[name]));
}

/**
 * Whether an API server refused an edit because a StatefulSet's templates are immutable there. Up to 1.36 one text
 * stands for all fixed fields, so ask only after an edit of sizes; from 1.37 on the text names the field.
 */
export function isTemplateImmutableError(message: string): boolean {
  return (
    /updates to statefulset spec for fields other than .* are forbidden/.test(message) ||
    /spec\.volumeClaimTemplates[^:]*: Invalid value: .*field is immutable/s.test(message)
  );
}
