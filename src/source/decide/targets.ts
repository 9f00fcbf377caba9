/** What a custom resource asks for, and from whom: which StatefulSets or claims follow it, and to which sizes. */
import { SIZE_PATH } from "../../core/claim-spec.ts";
import type { Quantity } from "../../core/quantity.ts";
import { isGiven, tryReadSize } from "../../core/semantic-equal.ts";
import type { ClaimTemplate, KubeObject, LabelSelector } from "../../core/types.ts";
import type { ExpansionSourceSpec, NamedClaim } from "../types.ts";
import { type Followers, followersOfClaim, followersOfSource } from "./followers.ts";
import { type Found, fieldPath, type Path, parsePath, readAt } from "./path.ts";
import { type Filling, fill, fillSelector } from "./placeholders.ts";

/** Exactly one of `statefulSet` and `claimSelector` is given. */
export interface Target {
  /** The set by its name, or every set of the resource's namespace with these labels. */
  readonly statefulSet: { readonly name: string } | { readonly selector: LabelSelector } | undefined;
  /** The claims themselves, where there is no set. */
  readonly claimSelector: LabelSelector | undefined;
  /** Never empty. */
  readonly templates: readonly WishedTemplate[];
  /** Where the list of claim templates stands, as messages name it; undefined where sizes stand alone. */
  readonly listPath: string | undefined;
}

export interface WishedTemplate {
  readonly template: string;
  /** Undefined: what stands there is no size. */
  readonly size: Quantity | undefined;
  /** What stands there, whatever it is. */
  readonly written: unknown;
  /** Where the size stands, as messages name it: `spec.volumeClaimTemplates[0].spec.resources.requests.storage`. */
  readonly path: string;
  /** The same for those who read or write there. */
  readonly at: Path;
  /** The whole template, where the resource has a list of them. */
  readonly claimTemplate: ClaimTemplate | undefined;
}

/**
 * One target per set name or selector, in the order of the source and, within lists, of the resource. A size that the resource
 * leaves out is not wished for: the operator has a default. Throws `OBJECT_MALFORMED` when a set's name needs a field that
 * the resource lacks, and `PATH_MALFORMED` for a path that `checkSource` refuses.
 */
export function targetsOf(spec: ExpansionSourceSpec, resource: KubeObject): readonly Target[] {
  const targets = [
    ...targetsOfTemplates(spec, resource),
    ...(spec.claims ?? []).flatMap(targetsOfClaim(spec, resource)),
  ];
  return merged(targets.filter(({ templates }) => templates.length > 0));
}

function targetsOfTemplates(spec: ExpansionSourceSpec, resource: KubeObject): readonly Target[] {
  if (spec.claimTemplatesPath === undefined) return [];
  return readAt(resource, parsePath(spec.claimTemplatesPath)).map((found) => ({
    ...followers(followersOfSource(spec), fillingOf(resource, found)),
    templates: Array.isArray(found.value)
      ? found.value.map((each: unknown, index) => templateOf(each, [...found.at, { kind: "index", index }]))
      : [],
    listPath: fieldPath(found.at),
  }));
}

function targetsOfClaim(spec: ExpansionSourceSpec, resource: KubeObject): (claim: NamedClaim) => readonly Target[] {
  return (claim) =>
    readAt(resource, parsePath(claim.path))
      .filter(({ value }) => isGiven(value))
      .map((found) => {
        const filling = fillingOf(resource, found);
        const { value, at } = found;
        const template = fill(claim.template, filling);
        return {
          ...followers(followersOfClaim(spec, claim), filling),
          templates: [
            { template, size: tryReadSize(value), written: value, path: fieldPath(at), at, claimTemplate: undefined },
          ],
          listPath: undefined,
        };
      });
}

function followers(written: Followers, filling: Filling): Pick<Target, "statefulSet" | "claimSelector"> {
  const { statefulSetName, statefulSetSelector, claimSelector } = written;
  if (statefulSetName !== undefined) {
    return { statefulSet: { name: fill(statefulSetName, filling) }, claimSelector: undefined };
  }
  if (statefulSetSelector !== undefined) {
    return { statefulSet: { selector: fillSelector(statefulSetSelector, filling) }, claimSelector: undefined };
  }
  return { statefulSet: undefined, claimSelector: fillSelector(claimSelector ?? {}, filling) };
}

/** The item's own place is the way down to its index. */
function fillingOf(resource: KubeObject, { item, at }: Found): Filling {
  const last = at.findLastIndex(({ kind }) => kind === "index");
  return { resource, item, at: at.slice(0, last + 1) };
}

/** What a person wrote may lack anything; without a name it fits no template of a set, and that is what is told then. */
function templateOf(written: unknown, at: Path): WishedTemplate {
  const { metadata, spec, ...rest } = fieldsOf(written);
  const { name, ...others } = fieldsOf(metadata);
  const claimTemplate: ClaimTemplate = {
    ...rest,
    metadata: { ...others, name: typeof name === "string" ? name : "" },
    spec: fieldsOf(spec),
  };
  const toSize: Path = [...at, ...parsePath(`.spec.${SIZE_PATH}`)];
  const size = readAt(written, toSize.slice(at.length))[0]?.value;
  return {
    template: claimTemplate.metadata.name,
    size: tryReadSize(size),
    written: size,
    path: fieldPath(toSize),
    at: toSize,
    claimTemplate,
  };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** Sizes that stand alone and belong to one set are one target. Of two places for one size, the first that is given counts. */
function merged(targets: readonly Target[]): readonly Target[] {
  const bySet = Map.groupBy(targets, ({ statefulSet, claimSelector, listPath }) =>
    JSON.stringify([statefulSet, claimSelector, listPath]),
  );
  return [...bySet.values()].flatMap((same) =>
    same.slice(0, 1).map((first) => ({
      ...first,
      templates: firstOfEach(
        same.flatMap((each) => each.templates),
        first,
      ),
    })),
  );
}

function firstOfEach(templates: readonly WishedTemplate[], { listPath }: Target): readonly WishedTemplate[] {
  if (listPath !== undefined) return templates;
  const names = templates.map(({ template }) => template);
  return templates.filter(({ template }, index) => names.indexOf(template) === index);
}
