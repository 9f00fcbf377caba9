/** Where a source's sizes stand and who follows them: whether that is said once, and so that each size finds its own. */
import { duplicate, type FieldError, forbidden, invalid, required } from "../../admission/verdict.ts";
import { semanticallyEqual } from "../../core/semantic-equal.ts";
import type { ExpansionSourceSpec } from "../types.ts";
import { checkPath } from "./check-path.ts";
import { checkNamePattern, checkSelector, checkTemplatePattern, namesItem, valuesOf } from "./check-pattern.ts";
import { type Followers, followersOfClaim, followersOfSource } from "./followers.ts";
import { goesThroughList, type Path } from "./path.ts";

/** One place where sizes are written, as the source says it. */
interface Place {
  /** The field of the source that has the path. */
  readonly field: string;
  readonly text: string;
  /** Undefined when it cannot be read. */
  readonly path: Path | undefined;
  /** Of a size that stands alone: the template, and the field that names it. */
  readonly template: { readonly name: string; readonly field: string } | undefined;
  readonly followers: Followers;
  /** Where those are written: `spec` or `spec.claims[0]`. */
  readonly writtenAt: string;
}

const CHOICES = ["statefulSetName", "statefulSetSelector", "claimSelector"] as const;
const ALL_CHOICES = "statefulSetName, statefulSetSelector or claimSelector";

/** All errors at once, in the order of the fields. */
export function checkFollowers(spec: ExpansionSourceSpec): FieldError[] {
  const places = placesOf(spec);
  return [
    ...checkPlaces(spec),
    ...places.flatMap(checkPlace),
    ...[...Map.groupBy(places, ({ writtenAt }) => writtenAt).values()].flatMap(checkWritten),
    ...checkTwice(places),
  ];
}

/** Whether sizes go to StatefulSets, and not all of them to claims that are selected by label. */
export function followsSets(spec: ExpansionSourceSpec): boolean {
  const places = placesOf(spec);
  return places.length === 0 || places.some(({ followers }) => followers.claimSelector === undefined);
}

function placesOf(spec: ExpansionSourceSpec): readonly Place[] {
  const place = (field: string, text: string) => ({ field, text, path: checkPath(field, text).path });
  const list = spec.claimTemplatesPath;
  return [
    ...(list === undefined
      ? []
      : [
          {
            ...place("spec.claimTemplatesPath", list),
            template: undefined,
            followers: followersOfSource(spec),
            writtenAt: "spec",
          },
        ]),
    ...(spec.claims ?? []).map((claim, index) => {
      const field = `spec.claims[${index}]`;
      const own = claim.statefulSetName !== undefined || claim.claimSelector !== undefined;
      return {
        ...place(`${field}.path`, claim.path),
        template: { name: claim.template, field: `${field}.template` },
        followers: followersOfClaim(spec, claim),
        writtenAt: own || Object.keys(followersOfSource(spec)).length === 0 ? field : "spec",
      };
    }),
  ];
}

function checkPlaces({ claimTemplatesPath, claims = [] }: ExpansionSourceSpec): FieldError[] {
  if (claimTemplatesPath === undefined && claims.length === 0) {
    return [
      required("spec.claimTemplatesPath", "where the list of claim templates stands; or claims, for sizes alone"),
    ];
  }
  if (claimTemplatesPath === undefined || claims.length === 0) return [];
  return [
    forbidden("spec.claims", "sizes stand in a list of templates or alone; leave out this or claimTemplatesPath"),
  ];
}

function checkPlace({ field, text, path, template, followers }: Place): readonly FieldError[] {
  const isList = template === undefined;
  const errors: FieldError[] = [];
  if (isList && followers.claimSelector !== undefined) {
    const why =
      "labels do not tell which claim is of which template; name each size in claims, with its own claimSelector";
    errors.push(forbidden("spec.claimSelector", why));
  }
  if (path === undefined) return [...checkPath(field, text).errors, ...errors];

  const lists = path.filter(({ kind }) => kind === "each").length;
  if (lists > 1) errors.push(invalid(field, text, "goes through more than one list; only one [*] is possible"));
  if (isList && path.at(-1)?.kind === "each") {
    errors.push(invalid(field, text, "name the list of templates itself, without [*] at its end"));
  }
  if (lists === 0) return errors;
  if (!namesItemOf(followers) && !(followers.claimSelector === undefined && namesItem(template?.name ?? ""))) {
    const name = isList || followers.claimSelector !== undefined ? "" : " or template";
    errors.push(
      invalid(field, text, `with [*] each item needs its own: have {item.FIELD} in ${wordFor(followers)}${name}`),
    );
  }
  return errors;
}

/** Whether every item of a list has followers of its own. */
function namesItemOf({ statefulSetName, statefulSetSelector, claimSelector }: Followers): boolean {
  const values = valuesOf(statefulSetSelector ?? claimSelector ?? {});
  return (statefulSetName === undefined ? values : [statefulSetName]).some(namesItem);
}

function wordFor({ statefulSetSelector, claimSelector }: Followers): string {
  if (statefulSetSelector !== undefined) return "a label of statefulSetSelector";
  return claimSelector === undefined ? "statefulSetName" : "a label of claimSelector";
}

/** The followers as they are written in one place, for all the sizes that go by them. */
function checkWritten(places: readonly Place[]): readonly FieldError[] {
  const [first] = places;
  if (first === undefined) return [];
  const { followers, writtenAt } = first;
  const through = places.every(({ path }) => path === undefined || goesThroughList(path));
  const [chosen, ...others] = CHOICES.filter((choice) => followers[choice] !== undefined);
  const templates = places.flatMap(({ template, path }) =>
    template === undefined
      ? []
      : checkTemplatePattern(template.field, template.name, path === undefined || goesThroughList(path)),
  );
  if (chosen === undefined)
    return [
      ...templates,
      required(`${writtenAt}.statefulSetName`, "the set that follows; or statefulSetSelector or claimSelector"),
    ];
  return [
    ...templates,
    ...others.map((other) => forbidden(`${writtenAt}.${other}`, `only one of ${ALL_CHOICES} says who follows`)),
    ...checkNamePattern(`${writtenAt}.statefulSetName`, followers.statefulSetName, through),
    ...checkSelector(`${writtenAt}.statefulSetSelector`, followers.statefulSetSelector, through),
    ...checkSelector(`${writtenAt}.claimSelector`, followers.claimSelector, through),
  ];
}

/** One size has one place, or several of which the first counts; and claims have one size. */
function checkTwice(places: readonly Place[]): readonly FieldError[] {
  return places.flatMap(({ field, text, template, followers }, index) => {
    if (template === undefined) return [];
    const before = places.slice(0, index).filter((other) => semanticallyEqual(other.followers, followers));
    if (followers.claimSelector !== undefined && before.some((other) => other.template?.name !== template.name)) {
      const why = `the same claims have ${JSON.stringify(before[0]?.template?.name)}; each size needs a claimSelector of its own`;
      return [invalid(template.field, template.name, why)];
    }
    return before.some((other) => other.text === text && other.template?.name === template.name)
      ? [duplicate(field, text)]
      : [];
  });
}
