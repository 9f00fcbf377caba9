/** What a resource wants of each set and claim that follows it, as the rules of statefulset/ ask for it. Pure. */
import { Quantity } from "../../core/quantity.ts";
import type { PersistentVolumeClaim, StatefulSet } from "../../core/types.ts";
import type { Target } from "../../source/decide/targets.ts";
import { sizeInSet } from "../../source/decide/validate.ts";
import { followersAmong } from "../../source/decide/validate-resource.ts";
import { selects } from "../../statefulset/decide/selector.ts";
import type { Wish } from "../../statefulset/decide/wish.ts";

export interface Wishes {
  /** Sizes by template, by the name of the set. A template that is ahead of the resource is left alone, and not among them. */
  readonly sets: ReadonlyMap<string, Wish>;
  /** By the name of the claim, where there is no set. */
  readonly claims: ReadonlyMap<string, Quantity>;
}

/** `sets` and `claims` are those of the resource's namespace. A size that cannot be read is no wish. */
export function wishesOf(
  targets: readonly Target[],
  sets: readonly StatefulSet[],
  claims: readonly PersistentVolumeClaim[],
): Wishes {
  const bySet = new Map<string, Map<string, Quantity>>();
  const byClaim = new Map<string, Quantity>();
  for (const target of targets) {
    for (const set of followersAmong(target, sets)) {
      const wish = bySet.get(set.metadata.name) ?? new Map<string, Quantity>();
      for (const { template, size } of target.templates)
        if (size && !isAhead(set, template, size)) wish.set(template, size);
      bySet.set(set.metadata.name, wish);
    }
    const size = largest(target);
    if (target.claimSelector === undefined || size === undefined) continue;
    for (const { metadata } of claims)
      if (selects(target.claimSelector, metadata.labels)) byClaim.set(metadata.name, size);
  }
  return { sets: bySet, claims: byClaim };
}

function isAhead(set: StatefulSet, template: string, size: Quantity): boolean {
  return sizeInSet(template, set)?.moreThan(size) === true;
}

/** Claims that are selected by label have one size. */
function largest({ templates }: Target): Quantity | undefined {
  const sizes = templates.flatMap(({ size }) => size ?? []);
  return sizes.length === 0 ? undefined : sizes.reduce((a, b) => Quantity.max(a, b));
}
