/**
 * A wish that has come true. When the templates say what the wish says, it has nothing more to tell; but it would still
 * win over the template, and take back the next size that somebody writes there. So it is removed, by the same write
 * that brings the template to its size where there is one.
 *
 * One thing keeps it: that it is declared. Where the manifest that the set is applied from has the annotation, removing
 * it would be put right by the next `kubectl apply`, Helm or Argo CD, for ever.
 */
import { WISH_ANNOTATION } from "../../core/names.ts";
import type { StatefulSet } from "../../core/types.ts";
import { desiredSizes } from "./desired-sizes.ts";
import { type ManagedFieldsEntry, managedFieldsOf } from "./managed-fields.ts";
import { checkWish, parseWish, type Wish } from "./wish.ts";

/** What client-side `kubectl apply` was last given. */
const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/** The set without its wish when that is spent and not declared; else the same object. Needs the set's managed fields. */
export function withoutSpentWish(set: StatefulSet): StatefulSet {
  const { [WISH_ANNOTATION]: text, ...annotations } = set.metadata.annotations ?? {};
  if (text === undefined || !isSpent(text, set) || isDeclared(set)) return set;
  return { ...set, metadata: { ...set.metadata, annotations } };
}

/** Whether each template that the wish names has exactly that size. A wish that cannot be read is not spent. */
function isSpent(text: string, set: StatefulSet): boolean {
  let wish: Wish;
  try {
    wish = parseWish(text);
  } catch {
    return false;
  }
  if (checkWish(wish, set).length > 0) return false;
  return desiredSizes(set, wish).every(({ size, templateSize }) => size.equals(templateSize));
}

/**
 * Whether somebody keeps the wish in a manifest: it is in what `kubectl apply` was last given, or owned by a manager that
 * also owns fields of the spec, as those who write whole objects do. A wish written by admission is nobody's; one
 * written by `kubectl annotate` is owned by somebody who owns nothing else.
 */
function isDeclared(set: StatefulSet): boolean {
  return isInManifest(set.metadata.annotations?.[LAST_APPLIED]) || managedFieldsOf(set).some(ownsWishAndSpec);
}

function isInManifest(manifest: string | undefined): boolean {
  if (manifest === undefined) return false;
  try {
    return at(JSON.parse(manifest), "metadata", "annotations", WISH_ANNOTATION) !== undefined;
  } catch {
    return false;
  }
}

function ownsWishAndSpec(entry: ManagedFieldsEntry): boolean {
  const owns = (...path: string[]): boolean => at(entry["fieldsV1"], ...path.map((name) => `f:${name}`)) !== undefined;
  return owns("metadata", "annotations", WISH_ANNOTATION) && owns("spec");
}

function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, name) =>
      typeof inner === "object" && inner !== null ? (inner as Record<string, unknown>)[name] : undefined,
    value,
  );
}
