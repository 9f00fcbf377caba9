/** The size that the claims of each template should have, and who says so. */
import { classNameOf, readSize } from "../../core/claim.ts";
import { Quantity } from "../../core/quantity.ts";
import type { StatefulSet } from "../../core/types.ts";
import { readWish, type Wish } from "./wish.ts";

export interface DesiredSize {
  readonly template: string;
  readonly size: Quantity;
  /** `wish`: somebody asked for it. `template`: nobody did, and the template's own size holds. */
  readonly from: "wish" | "template";
  /** What the template says now. */
  readonly templateSize: Quantity;
  /** The class the template names; undefined for the cluster's default. */
  readonly className: string | undefined;
}

/**
 * One entry per template of the set, in the set's order: the wish if there is one, else the template.
 * A wish below the template is a wish all the same: lowering is how a failed expansion is recovered from (KEP-661).
 *
 * `wish` is the set's own annotation unless another is handed in (a plan for a size that nobody has written yet).
 * Throws `OBJECT_MALFORMED` for a template whose size cannot be read, `WISH_MALFORMED` for a bad annotation.
 */
export function desiredSizes(set: StatefulSet, wish: Wish | undefined = readWish(set)): readonly DesiredSize[] {
  return (set.spec.volumeClaimTemplates ?? []).map((template) => {
    const name = template.metadata.name;
    const field = `spec.volumeClaimTemplates[${name}].spec.resources.requests.storage`;
    const templateSize = readSize(set, template.spec.resources?.requests, field) ?? Quantity.zero;
    const wished = wish?.get(name);
    return {
      template: name,
      size: wished ?? templateSize,
      from: wished === undefined ? "template" : "wish",
      templateSize,
      className: classNameOf(template),
    };
  });
}
