/**
 * Which claims are a StatefulSet's.
 *
 * Kubernetes knows them by name alone: `<template>-<set>-<ordinal>`. That is not always unambiguous: `data-b-a-0` fits
 * template `data` of set `b-a` and template `data-b` of set `a`. Where another set fits as well, the labels decide, which
 * a set puts on each claim it makes; where they cannot, the claim is disputed and nobody touches it.
 */
import type { PersistentVolumeClaim, StatefulSet } from "../../core/types.ts";
import { selectsByLabels } from "./selector.ts";

export interface OwnedClaim {
  readonly claim: PersistentVolumeClaim;
  readonly template: string;
  readonly ordinal: number;
  /** Whether the set has, or is about to have, a pod of this ordinal. False for what scaling down left behind. */
  readonly inRange: boolean;
}

export interface DisputedClaim extends OwnedClaim {
  /** The other sets that the name fits. */
  readonly rivals: readonly string[];
}

/** A claim that the set will make as soon as it makes the pod. */
export interface MissingClaim {
  readonly name: string;
  readonly template: string;
  readonly ordinal: number;
}

/** Each list is ordered by ordinal, then by the order of the templates. */
export interface Ownership {
  readonly owned: readonly OwnedClaim[];
  readonly disputed: readonly DisputedClaim[];
  readonly missing: readonly MissingClaim[];
}

/** The ordinals of a set's pods: from `start` up to, but not including, `end`. */
export function ordinalRange(set: StatefulSet): { readonly start: number; readonly end: number } {
  const start = set.spec.ordinals?.start ?? 0;
  return { start, end: start + (set.spec.replicas ?? 1) };
}

/**
 * Sorts out the claims of a namespace. `claims` may hold anything, also of other namespaces; `others` are the other
 * StatefulSets, as far as known.
 *
 * Within the ordinals of the set the name is enough: the pod mounts that claim, whoever made it and with whatever labels
 * (a claim restored from a backup has none). Outside of them only labels tell a leftover of this set from a claim that
 * happens to be called so.
 */
export function claimsOf(
  set: StatefulSet,
  claims: Iterable<PersistentVolumeClaim>,
  others: Iterable<StatefulSet> = [],
): Ownership {
  const templates = new Map(basesOf(set).map(({ base, template }, index) => [base, { template, index }]));
  const rivals = rivalsOf(set, others, templates);
  const { start, end } = ordinalRange(set);
  const owned: OwnedClaim[] = [];
  const disputed: DisputedClaim[] = [];
  const present = new Set<string>();

  for (const claim of claims) {
    const { base, ordinal } = splitOrdinal(claim.metadata.name);
    const match = templates.get(base);
    if (match === undefined || namespaceOf(claim) !== namespaceOf(set)) continue;
    present.add(claim.metadata.name);

    const entry = { claim, template: match.template, ordinal, inRange: ordinal >= start && ordinal < end };
    const mine = selectsByLabels(set.spec.selector, claim.metadata.labels);
    const fitting = rivals.get(base) ?? [];
    const theirs = fitting.some((other) => selectsByLabels(other.spec.selector, claim.metadata.labels));
    if (fitting.length > 0 && mine === theirs) {
      disputed.push({ ...entry, rivals: fitting.map((other) => other.metadata.name) });
    } else if (!theirs && (mine || entry.inRange)) {
      owned.push(entry);
    }
  }

  const missing: MissingClaim[] = [];
  for (let ordinal = start; ordinal < end; ordinal++) {
    for (const [base, { template }] of templates) {
      const name = `${base}-${ordinal}`;
      if (!present.has(name)) missing.push({ name, template, ordinal });
    }
  }
  const place = ({ template }: OwnedClaim): number => templates.get(`${template}-${set.metadata.name}`)?.index ?? 0;
  const inOrder = (a: OwnedClaim, b: OwnedClaim): number => a.ordinal - b.ordinal || place(a) - place(b);
  return { owned: owned.sort(inOrder), disputed: disputed.sort(inOrder), missing };
}

/** The names of a set's claims without the ordinal: what claims and sets can be matched by, before it is said whose they are. */
export function basesOf(set: StatefulSet): { readonly base: string; readonly template: string }[] {
  return (set.spec.volumeClaimTemplates ?? []).map(({ metadata: { name } }) => ({
    base: `${name}-${set.metadata.name}`,
    template: name,
  }));
}

/** By base name, the other sets of the namespace that would call a claim the same. */
function rivalsOf(
  set: StatefulSet,
  others: Iterable<StatefulSet>,
  bases: ReadonlyMap<string, unknown>,
): ReadonlyMap<string, readonly StatefulSet[]> {
  const rivals = new Map<string, StatefulSet[]>();
  for (const other of others) {
    if (other.metadata.name === set.metadata.name || namespaceOf(other) !== namespaceOf(set)) continue;
    for (const { base } of basesOf(other)) {
      if (bases.has(base)) rivals.set(base, [...(rivals.get(base) ?? []), other]);
    }
  }
  return rivals;
}

/** `data-db-0` into `data-db` and 0. The base is empty for a name that no StatefulSet gives (`data-db-00`). */
export function splitOrdinal(name: string): { readonly base: string; readonly ordinal: number } {
  const match = /^(.+)-(0|[1-9]\d*)$/.exec(name);
  return { base: match?.[1] ?? "", ordinal: Number(match?.[2] ?? Number.NaN) };
}

function namespaceOf(object: { metadata: { namespace?: string } }): string {
  return object.metadata.namespace ?? "default";
}
