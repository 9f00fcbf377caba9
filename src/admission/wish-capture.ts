/**
 * A size edited in a StatefulSet's templates, on an API server that does not take such edits, turned into a wish: the
 * stored templates are put back, and the annotation says what is wanted. Everything else in the request stays as it is.
 *
 * What is decided depends on the stored and the sent object alone, so it may be asked any number of times for one
 * request. The mutating admission policy (policies/take-wish.ts) says the same in CEL; test/kube/policies compares them.
 */
import { SIZE_PATH } from "../core/claim-spec.ts";
import { compareTemplates, type SizeChange } from "../core/claim-templates.ts";
import { WISH_ANNOTATION } from "../core/names.ts";
import type { StatefulSet } from "../core/types.ts";
import { formatWish, parseWish, type Wish } from "../core/wish.ts";
import { type FieldError, forbidden } from "./verdict.ts";

export type WishCapture =
  /** Not ours: the templates are as they were, or more than sizes differs and Kubernetes has its own answer to that. */
  | { readonly kind: "none" }
  /** `set` is what is to be stored; `news` are the sizes that nobody had wished for yet. */
  | { readonly kind: "wish"; readonly set: StatefulSet; readonly news: readonly SizeChange[] }
  | { readonly kind: "refused"; readonly errors: readonly FieldError[] };

/**
 * What becomes of an update of a set.
 *
 * - Only templates whose size differs from the stored one say something. One that is sent with its stored size may come from
 *   somebody who read it back, so the wish for it stays as it is.
 * - Sent again, a manifest changes nothing: a wish that says the same keeps its text.
 * - Below the stored template a size is taken only when a wish for that template stands: then somebody goes back from a
 *   growth that is under way. Else the claims have what the template says, and volumes do not shrink.
 * - A set that another controller owns is left alone: operators know Kubernetes' own answer, and have their ways with it.
 * - An annotation that cannot be read is replaced, unless it came with this very request: that one is left for
 *   `validateWish` to refuse.
 */
export function captureWish(stored: StatefulSet, sent: StatefulSet): WishCapture {
  const edit = compareTemplates(stored.spec.volumeClaimTemplates, sent.spec.volumeClaimTemplates);
  if (edit.kind !== "sizes" || isOwned(stored)) return { kind: "none" };
  const standing = tryReadWish(wishTextOf(stored));
  const errors = edit.changes
    .filter(({ template, from, to }) => to.lessThan(from) && standing?.has(template) !== true)
    .map((change) => tooSmall(sent, change));
  if (errors.length > 0) return { kind: "refused", errors };

  const text = wishTextOf(sent);
  const wish = tryReadWish(text);
  const news = edit.changes.filter(({ template, to }) => wish?.get(template)?.equals(to) !== true);
  const set = withTemplatesOf(stored, sent);
  if (news.length === 0 || (wish === undefined && text !== wishTextOf(stored))) return { kind: "wish", set, news: [] };
  const merged = new Map([...(wish ?? []), ...edit.changes.map(({ template, to }) => [template, to] as const)]);
  return { kind: "wish", set: withWish(set, formatWish(merged)), news };
}

/** The text of the annotation; undefined without one. */
export function wishTextOf(set: StatefulSet): string | undefined {
  return set.metadata.annotations?.[WISH_ANNOTATION];
}

/** The wish of an annotation, none of a missing one; undefined when it cannot be read. */
export function tryReadWish(text: string | undefined): Wish | undefined {
  try {
    return parseWish(text ?? "");
  } catch {
    return undefined;
  }
}

function isOwned({ metadata }: StatefulSet): boolean {
  return metadata.ownerReferences?.some(({ controller }) => controller === true) === true;
}

function tooSmall(set: StatefulSet, { template, index, from, to }: SizeChange): FieldError {
  return forbidden(
    `spec.volumeClaimTemplates[${index}].spec.${SIZE_PATH}`,
    `template "${template}" has ${from.toString()}, and volumes do not shrink to ${to.toString()}; put ${from.toString()} back, ` +
      `or, where an expansion to ${from.toString()} failed, see: outgrow recover sts/${set.metadata.name}`,
  );
}

function withTemplatesOf(stored: StatefulSet, sent: StatefulSet): StatefulSet {
  const { volumeClaimTemplates = [] } = stored.spec;
  return { ...sent, spec: { ...sent.spec, volumeClaimTemplates } };
}

function withWish(set: StatefulSet, wish: string): StatefulSet {
  const annotations = { ...set.metadata.annotations, [WISH_ANNOTATION]: wish };
  return { ...set, metadata: { ...set.metadata, annotations } };
}
