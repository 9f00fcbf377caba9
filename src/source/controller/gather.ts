/** One look at a custom resource through the caches: who follows it, and what the rules say to that. Costs no request. */
import type { FieldError } from "../../admission/verdict.ts";
import type { Gates } from "../../core/gates.ts";
import type { KubeObject, PersistentVolumeClaim, StatefulSet } from "../../core/types.ts";
import type { Wish } from "../../core/wish.ts";
import type { Startable } from "../../statefulset/decide/rollout.ts";
import { selects } from "../../statefulset/decide/selector.ts";
import type { SharedView, VolumeExpansion } from "../../statefulset/index.ts";
import { followClaims } from "../decide/follow-claims.ts";
import { followSet, type WishedBy } from "../decide/follow-set.ts";
import type { TemplateGrowth } from "../decide/growth.ts";
import type { Target } from "../decide/targets.ts";
import type { SelectedClaims } from "./selected-claims.ts";

/** A set that follows the resource; while it is being re-created and gone, the saved one. */
export interface FollowingSet {
  /** `namespace/name` */
  readonly key: string;
  readonly target: Target;
  readonly set: StatefulSet;
  readonly record: VolumeExpansion | undefined;
}

/** What there is to do, and how everything stands. */
export interface Gathered {
  readonly errors: readonly FieldError[];
  readonly growth: readonly TemplateGrowth[];
  readonly refusals: readonly string[];
  readonly asks: readonly { readonly key: string; readonly record: VolumeExpansion | undefined; readonly wish: Wish }[];
  readonly start: readonly Startable[];
}

type SetsView = Pick<SharedView, "set" | "setsIn" | "record" | "records" | "claimsFor" | "rivalsOf" | "classes">;

/** The sets that follow these targets, as far as they are there. */
export function setsFollowing(targets: readonly Target[], namespace: string, view: SetsView): readonly FollowingSet[] {
  return targets.flatMap((target) =>
    keysOf(target, namespace, view).flatMap((key) => {
      const record = view.record(key);
      const set = view.set(key) ?? record?.status?.savedStatefulSet;
      return set === undefined ? [] : [{ key, target, set, record }];
    }),
  );
}

/** The keys of the sets that a target means, by name or by label; one that is being re-created has its labels in its record. */
export function keysOf({ statefulSet }: Target, namespace: string, view: SetsView): readonly string[] {
  if (statefulSet === undefined) return [];
  if ("name" in statefulSet) return [`${namespace}/${statefulSet.name}`];
  const saved = [...view.records()].flatMap(({ metadata, status }) =>
    metadata.namespace === namespace && status?.savedStatefulSet !== undefined ? [status.savedStatefulSet] : [],
  );
  const fitting = [...view.setsIn(namespace), ...saved].filter(({ metadata }) =>
    selects(statefulSet.selector, metadata.labels),
  );
  return [...new Set(fitting.map(({ metadata }) => `${namespace}/${metadata.name}`))];
}

export interface GatherOptions {
  readonly view: SetsView;
  readonly claims: Pick<SelectedClaims, "find">;
  readonly gates: Gates;
  /** What the API server said about claims that it refused to change lately, by name. */
  readonly refused: ReadonlyMap<string, string>;
}

/** Undefined: not everything is known yet; look again soon. `sets` are those of `setsFollowing` that follow nobody else. */
export function gather(
  resource: KubeObject,
  by: WishedBy,
  targets: readonly Target[],
  sets: readonly FollowingSet[],
  { view, claims, gates, refused }: GatherOptions,
): Gathered | undefined {
  const { classes } = view;
  const { namespace = "default" } = resource.metadata;
  const ofSets = sets.map(({ key, target, set, record }) => ({
    key,
    record,
    ...followSet({ by, target, set, record, claims: view.claimsFor(set), others: view.rivalsOf(set), classes, gates }),
  }));
  const ofClaims = [];
  for (const target of targets) {
    if (target.claimSelector === undefined) continue;
    const found: readonly PersistentVolumeClaim[] | undefined = claims.find(namespace, target.claimSelector);
    if (found === undefined) return undefined;
    if (found.length > 0) ofClaims.push(followClaims({ target, claims: found, classes, gates, refused }));
  }
  const all = [...ofSets, ...ofClaims];
  return {
    errors: all.flatMap(({ errors }) => errors),
    growth: all.flatMap(({ growth }) => growth),
    refusals: ofSets.flatMap(({ refusals }) => refusals),
    asks: ofSets.flatMap(({ key, record, wish }) => (wish === undefined ? [] : [{ key, record, wish }])),
    start: ofClaims.flatMap(({ start }) => start),
  };
}
