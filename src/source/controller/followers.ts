/** Who follows which resource, so that news about a set or a claim find the resources that they matter to. */
import type { KubeObject, LabelSelector } from "../../core/types.ts";
import { selects } from "../../statefulset/decide/selector.ts";

/** What one resource has been found to speak for. */
export interface Followed {
  readonly namespace: string;
  /** Sets by key (`namespace/name`), whether they exist or not. */
  readonly sets: readonly string[];
  readonly setSelectors: readonly LabelSelector[];
  readonly claimSelectors: readonly LabelSelector[];
}

export interface Followers {
  /** Gives back the keys of other resources that speak, or spoke, for the same sets. */
  note(key: string, followed: Followed): readonly string[];
  forget(key: string): readonly string[];
  /** The sets that a resource was found to speak for. */
  setsOf(key: string): readonly string[];
  /** The keys of the resources that speak for a set. */
  ofSet(set: string): readonly string[];
  /** The same, and those whose labels fit it: it may be new. */
  concernedBySet(set: string, object: KubeObject | undefined): readonly string[];
  concernedByClaim(claim: KubeObject): readonly string[];
}

export function createFollowers(): Followers {
  const byResource = new Map<string, Followed>();
  const bySet = new Map<string, Set<string>>();

  function untie(key: string): string[] {
    const sets = byResource.get(key)?.sets ?? [];
    for (const set of sets) {
      const keys = bySet.get(set);
      keys?.delete(key);
      if (keys?.size === 0) bySet.delete(set);
    }
    byResource.delete(key);
    return [...sets];
  }

  const othersOf = (key: string, sets: readonly string[]): readonly string[] => [
    ...new Set(sets.flatMap((set) => [...(bySet.get(set) ?? [])]).filter((other) => other !== key)),
  ];

  function concerned(object: KubeObject, selectorsOf: (followed: Followed) => readonly LabelSelector[]): string[] {
    const { namespace = "default", labels } = object.metadata;
    return [...byResource]
      .filter(([, followed]) => followed.namespace === namespace)
      .filter(([, followed]) => selectorsOf(followed).some((selector) => selects(selector, labels)))
      .map(([key]) => key);
  }

  return {
    note(key, followed) {
      const before = untie(key);
      byResource.set(key, followed);
      for (const set of followed.sets) bySet.set(set, (bySet.get(set) ?? new Set()).add(key));
      const isChanged = (set: string): boolean => before.includes(set) !== followed.sets.includes(set);
      return othersOf(key, [...before, ...followed.sets].filter(isChanged));
    },
    forget: (key) => othersOf(key, untie(key)),
    setsOf: (key) => byResource.get(key)?.sets ?? [],
    ofSet: (set) => [...(bySet.get(set) ?? [])],
    concernedBySet(set, object) {
      const known = bySet.get(set) ?? [];
      const fitting = object === undefined ? [] : concerned(object, ({ setSelectors }) => setSelectors);
      return [...new Set([...known, ...fitting])];
    },
    concernedByClaim: (claim) => concerned(claim, ({ claimSelectors }) => claimSelectors),
  };
}
