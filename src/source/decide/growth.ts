/**
 * What a custom resource wants to grow. The wish of each template is held against the StatefulSet's template and against
 * every single claim, each for itself: that one has the size never proves that the other has. (A template that was
 * brought up to date first would otherwise hide claims that were never grown.)
 */
import { OutgrowError } from "../../core/errors.ts";
import type { Quantity } from "../../core/quantity.ts";
import type { ClaimTemplate, StatefulSet } from "../../core/types.ts";
import { sizeInSet, sizeOf } from "./validate.ts";

/** A claim of the set, of whatever ordinal: one that has no pod now gets one when the resource is scaled up again. */
export interface SourceClaim {
  readonly name: string;
  readonly template: string;
  readonly request: Quantity;
  /** What the pod really has; undefined until the claim is bound. */
  readonly capacity: Quantity | undefined;
  /** Why it cannot get there, for good, as the StatefulSet's rules tell; undefined while it may. */
  readonly failure: string | undefined;
}

/**
 * `grow`: it asks for less than the wish. `growing`: it asks for enough, and does not have it yet. `done`: it has the
 * wish or more, or will be made with it. `failed`: it cannot get there. One that is larger is left alone.
 */
export type ClaimStanding = "grow" | "growing" | "done" | "failed";

export interface TemplateGrowth {
  readonly template: string;
  /** The size that the resource asks for. */
  readonly wish: Quantity;
  /** How the set's template stands to it. One that is ahead is left alone; `missing`: the set has no such template. */
  readonly inSet: "missing" | "behind" | "follows" | "ahead";
  readonly claims: readonly { readonly claim: SourceClaim; readonly standing: ClaimStanding }[];
}

/**
 * One entry per template of the resource, in its order, claims in the order given. Throws `OBJECT_MALFORMED` for a
 * template without a readable size; `validateSourceGrowth` finds those first.
 */
export function growthWanted(
  templates: readonly ClaimTemplate[],
  statefulSet: StatefulSet,
  claims: readonly SourceClaim[],
): readonly TemplateGrowth[] {
  return templates.map((each) => {
    const template = each.metadata.name;
    const wish = wishOf(each);
    const size = sizeInSet(template, statefulSet);
    return {
      template,
      wish,
      inSet: size === undefined ? "missing" : standingOfTemplate(size, wish),
      claims: claims
        .filter((claim) => claim.template === template)
        .map((claim) => ({ claim, standing: standingOfClaim(claim, wish) })),
    };
  });
}

/**
 * The sizes to ask the StatefulSet for: every template that is behind, or that has a claim which is or which failed (to
 * try again, or to go back to the wish from a larger size). Empty: nothing to ask. A template that is ahead of the wish
 * is never asked to go down.
 */
export function wishesFor(growth: readonly TemplateGrowth[]): ReadonlyMap<string, Quantity> {
  const open = ({ inSet, claims }: TemplateGrowth) =>
    inSet === "behind" ||
    (inSet === "follows" && claims.some(({ standing }) => standing === "grow" || standing === "failed"));
  return new Map(growth.filter(open).map(({ template, wish }) => [template, wish]));
}

function wishOf(template: ClaimTemplate): Quantity {
  const wish = sizeOf(template);
  if (wish !== undefined) return wish;
  throw new OutgrowError(
    "OBJECT_MALFORMED",
    `claim template "${template.metadata.name}" has no readable size; write spec.resources.requests.storage, for example 10Gi`,
  );
}

function standingOfTemplate(size: Quantity, wish: Quantity): "behind" | "follows" | "ahead" {
  if (size.lessThan(wish)) return "behind";
  return size.equals(wish) ? "follows" : "ahead";
}

function standingOfClaim({ request, capacity, failure }: SourceClaim, wish: Quantity): ClaimStanding {
  // Even where the volume happens to be large enough: quota counts the request.
  if (request.lessThan(wish)) return failure === undefined ? "grow" : "failed";
  // A claim that is not bound yet gets a volume of the size it asks for.
  if (capacity === undefined || capacity.atLeast(wish)) return "done";
  return failure === undefined ? "growing" : "failed";
}
