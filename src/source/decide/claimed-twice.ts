/**
 * Two that claim the same StatefulSet or claim: it follows the older one and leaves the other alone, so that a source which is added
 * by mistake takes nothing away from one that works.
 */
import { describe } from "../../core/claim.ts";
import type { KubeObject } from "../../core/types.ts";

/** One resource of one source says how large a follower should be. */
export interface Following {
  readonly source: KubeObject;
  readonly resource: KubeObject;
  /** The set or claim, as messages name it: `StatefulSet prod/moco-db`. The same text is the same object. */
  readonly follower: string;
}

export interface Conflict {
  readonly follower: string;
  /** Whom it follows. */
  readonly winner: Following;
  /** Who is refused. */
  readonly loser: Following;
}

/**
 * Every one that is refused, by follower and then by age. The older source wins, of the same source the older resource; of the
 * same age, the first by name. A resource that names a follower twice is no conflict.
 */
export function conflictsBetween(followings: readonly Following[]): readonly Conflict[] {
  const byFollower = Map.groupBy(followings, ({ follower }) => follower);
  return [...byFollower.values()]
    .filter(({ length }) => length > 1)
    .flatMap((claimants) => {
      const [winner, ...others] = claimants.toSorted(byAge);
      if (winner === undefined) return [];
      const losers = others.filter((other, index) => byAge(others[index - 1] ?? winner, other) !== 0);
      return losers.map((loser) => ({ follower: winner.follower, winner, loser }));
    })
    .sort((a, b) => compare(a.follower, b.follower));
}

/** What the refused one is told, with the name of the other. */
export function conflictText({ follower, winner, loser }: Conflict): string {
  const whom = `source "${winner.source.metadata.name}" (${describe(winner.resource)})`;
  return winner.source.metadata.name === loser.source.metadata.name
    ? `${follower} follows ${describe(winner.resource)} already, and not ${describe(loser.resource)}`
    : `${follower} follows ${whom} already, and not this source (${describe(loser.resource)})`;
}

function byAge(a: Following, b: Following): number {
  return compareAge(a.source, b.source) || compareAge(a.resource, b.resource);
}

function compareAge({ metadata: a }: KubeObject, { metadata: b }: KubeObject): number {
  return (
    // One that was not stored yet is the youngest. Timestamps of Kubernetes sort as texts.
    compare(a.creationTimestamp ?? "~", b.creationTimestamp ?? "~") ||
    compare(a.namespace ?? "", b.namespace ?? "") ||
    compare(a.name, b.name)
  );
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
