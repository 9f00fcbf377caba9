/**
 * May the claim templates of a custom resource become these? The rules of MOCO's text: "Make volumeClaimTemplates
 * invariant except for storage size. Allow only incremental changes in storage size. If storage expansion is involved,
 * the storage class allowVolumeExpansion is set to true. Refer to the storage size in the StatefulSet to compare with
 * the actual size."
 */
import { NOT_POSITIVE } from "../../admission/claim-rules.ts";
import type { StorageClasses } from "../../admission/storage-classes.ts";
import { validateTemplateSizes } from "../../admission/template-growth.ts";
import { type FieldError, forbidden, invalid, required } from "../../admission/verdict.ts";
import { SIZE_PATH } from "../../core/claim-spec.ts";
import { compareTemplates, type SizeChange, type TemplateDifference } from "../../core/claim-templates.ts";
import { Quantity } from "../../core/quantity.ts";
import { isGiven, tryReadSize } from "../../core/semantic-equal.ts";
import { type ClaimTemplate, STORAGE, type StatefulSet } from "../../core/types.ts";
import { isSaid, notASize } from "./not-a-size.ts";

export interface SourceUpdate {
  /** The templates of the resource as stored. */
  readonly old: readonly ClaimTemplate[];
  readonly next: readonly ClaimTemplate[];
  /** The set that follows the resource; undefined while there is none. */
  readonly statefulSet: StatefulSet | undefined;
  readonly classes: StorageClasses;
  /** Where the templates stand in the resource: `spec.volumeClaimTemplates`. */
  readonly path: string;
}

/**
 * Every error of the edit, all at once; none when it may be stored. Only templates whose size this edit changes are
 * held against the StatefulSet, so that an unrelated edit is never refused for what happened to the set meanwhile.
 * A size between the set's and the one asked for before is fine: that is how a growth that failed is taken back. So is one
 * in place of what was no size: it is measured by the set alone.
 */
export function validateSourceUpdate({ old, next, statefulSet, classes, path }: SourceUpdate): FieldError[] {
  const edit = compareTemplates(mended(old, next, statefulSet), next);
  if (edit.kind === "same") return [];
  const changes = edit.changes.map((change) => againstSet(change, statefulSet));
  return [
    ...(edit.kind === "other" ? edit.differences.map((difference) => fixedError(difference, path)) : []),
    ...changes.filter(({ from, to }) => to.lessThan(from)).map((change) => lowerError(change, statefulSet, path)),
    ...validateTemplateSizes(
      changes.filter(({ from, to }) => to.atLeast(from)),
      next,
      classes,
      path,
    ),
  ];
}

export interface SourceGrowth {
  /** The templates of the resource as they stand. */
  readonly templates: readonly ClaimTemplate[];
  readonly statefulSet: StatefulSet;
  readonly classes: StorageClasses;
  readonly path: string;
}

/**
 * Why a resource as it stands cannot be followed: a template without a size or that the set does not have, or a growth
 * that the class does not allow. The controller asks this before it acts, for edits that nobody checked when they were
 * made.
 */
export function validateSourceGrowth({ templates, statefulSet, classes, path }: SourceGrowth): FieldError[] {
  return templates.flatMap((template, index) => {
    const { name } = template.metadata;
    const to = sizeOf(template);
    if (to === undefined) {
      return [notASize(`${path}[${index}].spec.${SIZE_PATH}`, template.spec.resources?.requests?.[STORAGE])];
    }
    const from = sizeInSet(name, statefulSet);
    if (from !== undefined)
      return validateTemplateSizes([{ template: name, index, from, to }], templates, classes, path);
    const set = statefulSet.metadata.name;
    return [forbidden(`${path}[${index}]`, `StatefulSet "${set}" has no claim template "${name}"; remove it here`)];
  });
}

/** The size of the template of this name in the set; undefined when there is none. */
export function sizeInSet(template: string, statefulSet: StatefulSet | undefined): Quantity | undefined {
  const found = statefulSet?.spec.volumeClaimTemplates?.find(({ metadata }) => metadata.name === template);
  return found === undefined ? undefined : sizeOf(found);
}

/** The size that a template asks for; undefined when there is none or it cannot be read. */
export function sizeOf(template: ClaimTemplate): Quantity | undefined {
  return tryReadSize(template.spec.resources?.requests?.[STORAGE]);
}

/** The template with another size. */
export function sized(template: ClaimTemplate, size: Quantity): ClaimTemplate {
  const { spec } = template;
  const requests = { ...spec.resources?.requests, [STORAGE]: size.toString() };
  return { ...template, spec: { ...spec, resources: { ...spec.resources, requests } } };
}

/** The templates as stored, with the size of the set where there stood something that was none and now one does. */
function mended(
  old: readonly ClaimTemplate[],
  next: readonly ClaimTemplate[],
  statefulSet: StatefulSet | undefined,
): readonly ClaimTemplate[] {
  return old.map((template, index) => {
    const wished = next[index];
    const to = wished && sizeOf(wished);
    const wasNone = isSaid(template.spec.resources?.requests?.[STORAGE]) && sizeOf(template) === undefined;
    if (!wasNone || to?.moreThan(Quantity.zero) !== true) return template;
    return sized(template, sizeInSet(template.metadata.name, statefulSet) ?? to);
  });
}

function againstSet(change: SizeChange, statefulSet: StatefulSet | undefined): SizeChange {
  return { ...change, from: sizeInSet(change.template, statefulSet) ?? change.from };
}

function lowerError({ template, index, from, to }: SizeChange, set: StatefulSet | undefined, path: string): FieldError {
  const whose = sizeInSet(template, set) === undefined ? "asked for before" : `of StatefulSet "${set?.metadata.name}"`;
  return forbidden(
    `${path}[${index}].spec.${SIZE_PATH}`,
    `storage can only grow: ${to.toString()} is less than the ${from.toString()} ${whose}; ask for that or more`,
  );
}

function fixedError({ path, from, to }: TemplateDifference, list: string): FieldError {
  if (path === "") {
    const names = (value: unknown) => JSON.stringify(value);
    return forbidden(list, `the number of claim templates is fixed: ${names(from)} cannot become ${names(to)}`);
  }
  if (path.endsWith(`.spec.${SIZE_PATH}`)) {
    if (!isGiven(to)) return required(`${list}${path}`);
    const size = tryReadSize(to);
    if (size === undefined) return notASize(`${list}${path}`, to);
    // In place of what was no size there may be any but this one.
    if (isSaid(from)) return invalid(`${list}${path}`, size.toString(), NOT_POSITIVE);
  }
  return forbidden(`${list}${path}`, "only the storage size of a claim template may change");
}
