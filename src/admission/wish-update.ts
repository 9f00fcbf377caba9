/**
 * May this wish be written on a StatefulSet? Asked about every update, whoever wrote the annotation: a person, a command, or
 * `captureWish`. Only what the request changes is looked at, so that nothing that was stored before stands in the way
 * of an update that has nothing to do with it.
 *
 * Whether a smaller size can be had is not asked here: that depends on what each claim has, and the controller looks at
 * all of them. The validating admission policies (policies/check-*.ts) say the same in CEL as far as it can be seen there.
 */
import { readSize } from "../core/claim.ts";
import { SIZE_PATH } from "../core/claim-spec.ts";
import { messageOf } from "../core/errors.ts";
import { WISH_ANNOTATION } from "../core/names.ts";
import { Quantity } from "../core/quantity.ts";
import type { StatefulSet } from "../core/types.ts";
import { checkWish, parseWish, type Wish } from "../core/wish.ts";
import type { StorageClasses } from "./storage-classes.ts";
import { growthObstacle } from "./template-growth.ts";
import { type FieldError, forbidden, invalid } from "./verdict.ts";
import { tryReadWish, wishTextOf } from "./wish-capture.ts";

const WISH_PATH = `metadata.annotations[${WISH_ANNOTATION}]`;

/** Every error of the wish that an update brings; none when the update leaves the annotation alone or removes it. */
export function validateWish(stored: StatefulSet, sent: StatefulSet, classes: StorageClasses): FieldError[] {
  const text = wishTextOf(sent);
  if (text === undefined || text === wishTextOf(stored)) return [];
  let wish: Wish;
  try {
    wish = parseWish(text);
  } catch (error) {
    return [invalid(WISH_PATH, text, messageOf(error))];
  }
  const unknown = checkWish(wish, sent).map(({ message }) => invalid(WISH_PATH, text, message));
  return [...unknown, ...classErrors(sent, wish, tryReadWish(wishTextOf(stored)), classes)];
}

/** One error per template that is newly wished larger than it is, and whose class does not allow that. */
function classErrors(
  set: StatefulSet,
  wish: Wish,
  before: Wish | undefined,
  classes: StorageClasses,
): readonly FieldError[] {
  return (set.spec.volumeClaimTemplates ?? []).flatMap((template, index) => {
    const { name } = template.metadata;
    const field = `spec.volumeClaimTemplates[${index}].spec.${SIZE_PATH}`;
    const wanted = wish.get(name);
    if (wanted === undefined || before?.get(name)?.equals(wanted) === true) return [];
    const has = readSize(set, template.spec.resources?.requests, field) ?? Quantity.zero;
    const obstacle = wanted.moreThan(has) ? growthObstacle(template, classes) : undefined;
    return obstacle === undefined ? [] : [forbidden(field, obstacle)];
  });
}
