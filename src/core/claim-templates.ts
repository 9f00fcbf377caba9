/**
 * What kind of edit turned one list of `volumeClaimTemplates` into another: nothing, sizes only, or something that a
 * StatefulSet can never follow. Admission, the StatefulSet rules and custom resources all go by this one answer.
 */
import { SIZE_PATH, specDifferences } from "./claim-spec.ts";
import type { Quantity } from "./quantity.ts";
import { semanticallyEqual, tryReadSize } from "./semantic-equal.ts";
import type { ClaimTemplate } from "./types.ts";

/** A template whose size was edited, up or down. */
export interface SizeChange {
  readonly template: string;
  /** Its place in the list. */
  readonly index: number;
  readonly from: Quantity;
  readonly to: Quantity;
}

/** Something other than a size that differs. */
export interface TemplateDifference {
  /** Below the list: `[0].spec.accessModes`; empty when the number of templates differs. */
  readonly path: string;
  readonly from: unknown;
  readonly to: unknown;
}

export type TemplateEdit =
  | { readonly kind: "same" }
  /** Nothing but `requests.storage` of these templates, in the order of the list. Never empty. */
  | { readonly kind: "sizes"; readonly changes: readonly SizeChange[] }
  /** More than sizes, or less than sizes: what differs, and the sizes that were edited along with it. */
  | {
      readonly kind: "other";
      readonly differences: readonly TemplateDifference[];
      readonly changes: readonly SizeChange[];
    };

/**
 * Compares by meaning, as Kubernetes does: `1Gi` is `1024Mi`; apiVersion, kind, status, a null creationTimestamp and
 * defaulted fields may be left out. Templates are matched by position; with another number of them nothing further is
 * compared. A size that appears, vanishes or cannot be read is an `other` edit, not a size change.
 */
export function compareTemplates(
  before: readonly ClaimTemplate[] | undefined,
  after: readonly ClaimTemplate[] | undefined,
): TemplateEdit {
  const [old, now] = [before ?? [], after ?? []];
  if (old.length !== now.length) {
    return { kind: "other", differences: [{ path: "", from: old.map(nameOf), to: now.map(nameOf) }], changes: [] };
  }
  const differences: TemplateDifference[] = [];
  const changes: SizeChange[] = [];
  for (const [index, template] of old.entries()) {
    const other = now[index];
    if (other === undefined) continue;
    differences.push(...compareMetadata(template, other, index));
    for (const { path, from, to } of specDifferences(template.spec ?? {}, other.spec ?? {})) {
      const [oldSize, newSize] = [tryReadSize(from), tryReadSize(to)];
      if (path === SIZE_PATH && oldSize !== undefined && newSize !== undefined) {
        changes.push({ template: nameOf(other), index, from: oldSize, to: newSize });
      } else {
        differences.push({ path: `[${index}].spec.${path}`, from, to });
      }
    }
  }
  if (differences.length > 0) return { kind: "other", differences, changes };
  return changes.length > 0 ? { kind: "sizes", changes } : { kind: "same" };
}

function compareMetadata(before: ClaimTemplate, after: ClaimTemplate, index: number): TemplateDifference[] {
  const [old, now] = [before.metadata as FieldMap, after.metadata as FieldMap];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .filter((name) => !semanticallyEqual(old[name], now[name]))
    .sort()
    .map((name) => ({ path: `[${index}].metadata.${name}`, from: old[name], to: now[name] }));
}

type FieldMap = Readonly<Record<string, unknown>>;

function nameOf(template: ClaimTemplate): string {
  return template.metadata.name;
}
