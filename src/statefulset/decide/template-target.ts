/**
 * The size that each template of a set is to be brought to.
 *
 * Raised, a template goes to exactly the desired size: that a claim was made larger by somebody else "will not affect
 * the StatefulSet's volumeClaimTemplates" (KEP-661, non-goals). Lowered, which is how one goes back after a size that the
 * storage refused, it never goes below what a claim of it already has: a new replica must be able to hold what the
 * others hold.
 */
import { readSize } from "../../core/claim.ts";
import { Quantity } from "../../core/quantity.ts";
import { STORAGE, type StatefulSet } from "../../core/types.ts";
import type { OwnedClaim } from "./claim-ownership.ts";
import type { DesiredSize } from "./desired-sizes.ts";

/** Target size by template name. */
export type TemplateSizes = ReadonlyMap<string, Quantity>;

export function templateTarget(desired: readonly DesiredSize[], claims: readonly OwnedClaim[]): TemplateSizes {
  const largest = new Map<string, Quantity>();
  for (const { claim, template } of claims) {
    const capacity = readSize(claim, claim.status?.capacity, "status.capacity.storage") ?? Quantity.zero;
    largest.set(template, Quantity.max(largest.get(template) ?? Quantity.zero, capacity));
  }
  return new Map(
    desired.map(({ template, size, templateSize }) => {
      if (size.atLeast(templateSize)) return [template, size];
      const held = largest.get(template) ?? Quantity.zero;
      return [template, Quantity.max(size, held.lessThan(templateSize) ? held : templateSize)];
    }),
  );
}

/** The set with its templates at these sizes; the same object when they are. */
export function withTemplateSizes(set: StatefulSet, sizes: TemplateSizes): StatefulSet {
  let changed = false;
  const templates = (set.spec.volumeClaimTemplates ?? []).map((template) => {
    const size = sizes.get(template.metadata.name);
    const requests = template.spec.resources?.requests;
    const field = `spec.volumeClaimTemplates[${template.metadata.name}].spec.resources.requests.storage`;
    if (size === undefined || size.equals(readSize(set, requests, field) ?? Quantity.zero)) return template;
    changed = true;
    const resources = { ...template.spec.resources, requests: { ...requests, [STORAGE]: size.toString() } };
    return { ...template, spec: { ...template.spec, resources } };
  });
  return changed ? { ...set, spec: { ...set.spec, volumeClaimTemplates: templates } } : set;
}
