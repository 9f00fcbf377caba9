/**
 * May a custom resource become this? The rules of `validate.ts`, asked about everything that follows the resource. Admission
 * asks here (our webhook, the embedded cluster), and so do the verbs before they write.
 */
import { NOT_POSITIVE } from "../../admission/claim-rules.ts";
import type { StorageClasses } from "../../admission/storage-classes.ts";
import { type FieldError, fieldErrorText, invalid } from "../../admission/verdict.ts";
import { Quantity } from "../../core/quantity.ts";
import { semanticallyEqual } from "../../core/semantic-equal.ts";
import type { ClaimTemplate, KubeObject, StatefulSet } from "../../core/types.ts";
import { selects } from "../../statefulset/decide/selector.ts";
import type { ExpansionSourceSpec } from "../types.ts";
import { isSaid, notASize } from "./not-a-size.ts";
import { goesThroughList, parsePath } from "./path.ts";
import { type Target, targetsOf, type WishedTemplate } from "./targets.ts";
import { sized, validateSourceUpdate } from "./validate.ts";

export interface ResourceUpdate {
  readonly spec: ExpansionSourceSpec;
  /** The resource as it is stored, and as it is to be. */
  readonly old: KubeObject;
  readonly next: KubeObject;
  /** The StatefulSets of the resource's namespace. */
  readonly sets: readonly StatefulSet[];
  readonly classes: StorageClasses;
}

/**
 * Every error of the edit, all at once; none when it may be stored. An operator that grows its volumes itself judges for itself.
 * What the resource did not say before is not judged, as long as it is a size: it had the operator's default. What stood there
 * already and is no size is in nobody's way. Throws what `targetsOf` throws.
 */
export function validateResourceUpdate({ spec, old, next, sets, classes }: ResourceUpdate): FieldError[] {
  if (spec.grownBy === "Operator") return [];
  const [stored, after] = [targetsOf(spec, old), targetsOf(spec, next)];
  const errors = stored.flatMap((before) => {
    const target = counterpart(before, after);
    if (before.listPath !== undefined) return templatesErrors(spec, before, target, sets, classes);
    return target === undefined ? [] : sizesErrors(before, target, sets, classes);
  });
  errors.push(...after.flatMap((target) => unreadableErrors(counterpart(target, stored), target)));
  return [...new Map(errors.map((error) => [fieldErrorText(error), error])).values()];
}

/** The sets of one namespace that follow a target, in the order given. */
export function followersAmong({ statefulSet }: Target, sets: readonly StatefulSet[]): readonly StatefulSet[] {
  if (statefulSet === undefined) return [];
  return sets.filter(({ metadata }) =>
    "name" in statefulSet ? metadata.name === statefulSet.name : selects(statefulSet.selector, metadata.labels),
  );
}

/**
 * The names of the sets that may follow the resource, before or after an update: there may be hundreds of others. Undefined where
 * some are found by their labels. Throws what `targetsOf` throws.
 */
export function namedFollowers(
  spec: ExpansionSourceSpec,
  ...states: readonly KubeObject[]
): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  for (const { statefulSet } of states.flatMap((state) => targetsOf(spec, state))) {
    if (statefulSet === undefined) continue;
    if ("selector" in statefulSet) return undefined;
    names.add(statefulSet.name);
  }
  return names;
}

/** Items of a list may change places, and are then known by who follows them. */
function counterpart(target: Target, among: readonly Target[]): Target | undefined {
  const followers = (each: Target) => JSON.stringify([each.statefulSet, each.claimSelector]);
  const [first, ...others] = among.filter((each) => followers(each) === followers(target));
  return others.length === 0 ? first : among.find(({ listPath }) => listPath === target.listPath);
}

/** A list that vanishes has no templates any more; an item with its list is gone as a whole, and that is the operator's business. */
function templatesErrors(
  { claimTemplatesPath = "" }: ExpansionSourceSpec,
  before: Target,
  after: Target | undefined,
  sets: readonly StatefulSet[],
  classes: StorageClasses,
): FieldError[] {
  if (after === undefined && goesThroughList(parsePath(claimTemplatesPath))) return [];
  const path = after?.listPath ?? before.listPath ?? "";
  const templates = (target: Target | undefined) =>
    (target?.templates ?? []).flatMap(({ claimTemplate }) => claimTemplate ?? []);
  const update = { old: templates(before), next: templates(after), classes, path };
  const followers = followersAmong(after ?? before, sets);
  if (followers.length === 0) return validateSourceUpdate({ ...update, statefulSet: undefined });
  return followers.flatMap((statefulSet) => validateSourceUpdate({ ...update, statefulSet }));
}

/** Sizes that stand alone: everything else about the claims stands in the set's template. */
function sizesErrors(
  before: Target,
  after: Target,
  sets: readonly StatefulSet[],
  classes: StorageClasses,
): FieldError[] {
  return after.templates.flatMap((wished) => {
    const was = before.templates.find(({ template, path }) => template === wished.template && path === wished.path);
    const { size: to, path } = wished;
    if (was === undefined || !isSaid(was.written) || to === undefined || was.size?.equals(to) === true) return [];
    // What was no size is measured by the set alone.
    const from = was.size ?? Quantity.zero;
    // Nobody but the set tells what is too small.
    if (!to.moreThan(Quantity.zero)) return [invalid(path, to.toString(), NOT_POSITIVE)];
    return followersAmong(after, sets)
      .flatMap((set) => withTemplate(set, wished.template))
      .flatMap(({ statefulSet, template }) => {
        const update = { old: [sized(template, from)], next: [sized(template, to)], statefulSet, classes, path: "" };
        return validateSourceUpdate(update).map((error) => ({ ...error, path }));
      });
  });
}

/** Whatever is new and no size, wherever it stands: nothing could follow it. */
function unreadableErrors(before: Target | undefined, after: Target): FieldError[] {
  const isOld = ({ template, written }: WishedTemplate): boolean =>
    before?.templates.some((was) => was.template === template && semanticallyEqual(was.written, written)) === true;
  return after.templates
    .filter((wished) => wished.size === undefined && isSaid(wished.written) && !isOld(wished))
    .map(({ path, written }) => notASize(path, written));
}

function withTemplate(statefulSet: StatefulSet, name: string): { statefulSet: StatefulSet; template: ClaimTemplate }[] {
  const template = statefulSet.spec.volumeClaimTemplates?.find(({ metadata }) => metadata.name === name);
  return template === undefined ? [] : [{ statefulSet, template }];
}
