/**
 * The sizes of a resource in CEL, old and new side by side, whether they stand in lists of claim templates or alone. A rule
 * about one of them is an expression that gives the text of a refusal, or an empty one; here it is asked about all of them.
 */
import { SIZE_PATH } from "../../core/claim-spec.ts";
import { type Followers, followersOfClaim } from "../decide/followers.ts";
import { NOT_A_SIZE } from "../decide/not-a-size.ts";
import { fieldPath, goesThroughList, type Path, parsePath } from "../decide/path.ts";
import type { ExpansionSourceSpec, NamedClaim } from "../types.ts";
import { at, filled, itemFields, joined, selected, text, textOf } from "./cel.ts";

/** Expressions about two lists of templates, the one that is sent and the one that is stored. */
export interface ListPair {
  readonly sent: string;
  readonly stored: string;
  /** How messages name the place. */
  readonly field: string;
  /** The item of the list that the path goes through. */
  readonly item: string | undefined;
}

/** Expressions about one size. */
export interface SizePair {
  /** As texts; empty where there is none. */
  readonly sent: string;
  readonly stored: string;
  readonly field: string;
  /** The name of the template. */
  readonly template: string;
  /** Whether `params` is a StatefulSet that follows it; undefined where claims are selected by label. */
  readonly isFollower: string | undefined;
}

/** The refusals of a rule about lists of templates. Empty: the source has none. */
export function aboutLists(spec: ExpansionSourceSpec, rule: (lists: ListPair) => string): string {
  if (spec.claimTemplatesPath === undefined) return "''";
  const keys = itemFields(patternsOf(spec));
  return overItems(parsePath(spec.claimTemplatesPath), keys, ({ sent, stored, path, field, item }) =>
    rule({ sent: `${at(sent, path)}.orValue([])`, stored: `${at(stored, path)}.orValue([])`, field, item }),
  );
}

/** The refusals of what is new and no size, among the sizes that stand alone; templates have theirs in templates-in-cel.ts. */
export function aboutUnreadableSizes(spec: ExpansionSourceSpec): string {
  const refusals = (spec.claims ?? []).map((claim) =>
    aboutNamedClaim(spec, claim, ({ sent, stored, field }) => {
      const isNew = `${sent} != '' && ${sent} != ${stored}`;
      return `(${isNew} && !isQuantity(${sent}) ? ${field} + ${notASize(sent)} : '')`;
    }),
  );
  return joined(`[${refusals.join(", ")}]`);
}

/** What is told of a text that is no size, after its field. */
export function notASize(sent: string): string {
  return `': Invalid value: "' + ${sent} + '": ${NOT_A_SIZE}'`;
}

/** The refusals of a rule about each size that is another than before. */
export function aboutChangedSizes(spec: ExpansionSourceSpec, rule: (size: SizePair) => string): string {
  const guarded = (size: SizePair) => `${isChanged(size)} ? ${rule(size)} : ''`;
  const inLists = aboutLists(spec, (lists) =>
    aboutTemplates(lists, ({ sent, stored, field }) =>
      withSizes(sizeOf(sent), sizeOf(stored), (pair) =>
        guarded({
          ...pair,
          field: `${field} + '.spec.${SIZE_PATH}'`,
          template: nameOf(sent),
          isFollower: isFollower(spec, lists.item),
        }),
      ),
    ),
  );
  const alone = (spec.claims ?? []).map((claim) => aboutNamedClaim(spec, claim, guarded));
  return joined(`[${[inLists, ...alone].filter((each) => each !== "''").join(", ")}]`);
}

/** The refusals of a rule about each template and the one in its place before; none while their number differs. */
export function aboutTemplates(
  { sent, stored, field }: ListPair,
  rule: (pair: { sent: string; stored: string; field: string }) => string,
): string {
  const place = `${sent}.indexOf(template)`;
  const pair = { sent: "template", stored: "was", field: `${field} + '[' + string(${place}) + ']'` };
  const refusals = joined(`${sent}.map(template, [${stored}[${place}]].map(was, ${rule(pair)})[0])`);
  return `(${sent}.size() != ${stored}.size() ? '' : ${refusals})`;
}

/** The size that a template asks for, as text; empty for one that says none. */
export function sizeOf(template: string): string {
  return textOf(`${template}.?spec.?resources.?requests[?'storage']`);
}

export function nameOf(template: string): string {
  return `${template}.?metadata.?name.orValue('')`;
}

/** Whether what the paths lead to is another than before, whatever it is. */
export function isTouched(spec: ExpansionSourceSpec): string {
  const paths = [spec.claimTemplatesPath, ...(spec.claims ?? []).map(({ path }) => path)];
  const differs = paths.flatMap((each) => {
    if (each === undefined) return [];
    const path = parsePath(each);
    const list = path.findIndex(({ kind }) => kind === "each");
    const whole = list < 0 ? path : path.slice(0, list);
    return [`${at("object", whole)} != ${at("oldObject", whole)}`];
  });
  return [...new Set(differs)].join(" || ");
}

function aboutNamedClaim(spec: ExpansionSourceSpec, claim: NamedClaim, rule: (size: SizePair) => string): string {
  const followers = followersOfClaim(spec, claim);
  const keys = itemFields([...patternsOf(followers), claim.template]);
  return overItems(parsePath(claim.path), keys, ({ sent, stored, path, field, item }) => {
    const size = (object: string) => textOf(at(object, path));
    return withSizes(size(sent), size(stored), (pair) =>
      rule({ ...pair, field, template: filled(claim.template, item), isFollower: isFollower(followers, item) }),
    );
  });
}

interface Below {
  /** The objects that the rest of the path starts from, and that rest. */
  readonly sent: string;
  readonly stored: string;
  readonly path: Path;
  readonly field: string;
  readonly item: string | undefined;
}

/** A path that goes through a list is followed from each of its items that was there before: known by these fields, or by its place. */
function overItems(path: Path, keys: readonly string[], rule: (below: Below) => string): string {
  if (!goesThroughList(path)) {
    return rule({ sent: "object", stored: "oldObject", path, field: text(fieldPath(path)), item: undefined });
  }
  const each = path.findIndex(({ kind }) => kind === "each");
  const [above, below] = [path.slice(0, each), path.slice(each + 1)];
  const list = (object: string) => `${at(object, above)}.orValue([])`;
  const place = `${list("object")}.indexOf(item)`;
  const isSame =
    keys.length === 0
      ? `${list("oldObject")}.indexOf(before) == ${place}`
      : keys
          .map((key) => [{ kind: "key" as const, key }])
          .map((key) => `${at("item", key)} == ${at("before", key)}`)
          .join(" && ");
  const field = `${text(`${fieldPath(above)}[`)} + string(${place}) + ${text(`].${fieldPath(below)}`)}`;
  const refusals = rule({ sent: "item", stored: "before", path: below, field, item: "item" });
  return joined(
    `${list("object")}.map(item, ${joined(`${list("oldObject")}.filter(before, ${isSame}).map(before, ${refusals})`)})`,
  );
}

/** Both sizes under a name, for a rule that speaks of them more than once. */
function withSizes(sent: string, stored: string, rule: (pair: Pick<SizePair, "sent" | "stored">) => string): string {
  return `[[${sent}, ${stored}]].map(size, ${rule({ sent: "size[0]", stored: "size[1]" })})[0]`;
}

/** Something stood there before, be it no size, and now it is another size. */
function isChanged({ sent, stored }: Pick<SizePair, "sent" | "stored">): string {
  const isSame = `isQuantity(${stored}) && quantity(${sent}).compareTo(quantity(${stored})) == 0`;
  return `isQuantity(${sent}) && ${stored} != '' && !(${isSame})`;
}

function isFollower(followers: Followers, item: string | undefined): string | undefined {
  const { statefulSetName, statefulSetSelector } = followers;
  if (statefulSetName !== undefined) return `params.metadata.name == ${filled(statefulSetName, item)}`;
  if (statefulSetSelector === undefined) return undefined;
  return `(${selected("params.metadata.?labels", statefulSetSelector, item)})`;
}

function patternsOf({ statefulSetName, statefulSetSelector, claimSelector }: Followers): readonly string[] {
  const values = [statefulSetSelector, claimSelector].flatMap((selector) => [
    ...Object.values(selector?.matchLabels ?? {}),
    ...(selector?.matchExpressions ?? []).flatMap((each) => each.values ?? []),
  ]);
  return statefulSetName === undefined ? values : [statefulSetName];
}
