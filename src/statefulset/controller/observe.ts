/** One look at a set through the caches, and what the rules say to it. Costs no request. */
import type { Gates } from "../../core/gates.ts";
import type { StatefulSet } from "../../core/types.ts";
import { claimsOf } from "../decide/claim-ownership.ts";
import { type FollowFacts, type Following, followTemplate, mayChangeOwned } from "../decide/follow-template.ts";
import { decideGrowth, type Growth, isOpenForSource } from "../decide/growth.ts";
import { podsOf } from "../decide/references.ts";
import { isRestarting } from "../decide/restart-step.ts";
import { templateWay } from "../decide/template-way.ts";
import type { VolumeExpansion } from "../types.ts";
import type { Memory } from "./memory.ts";
import type { View } from "./view.ts";

export interface Observed {
  readonly key: string;
  readonly set: StatefulSet | undefined;
  readonly record: VolumeExpansion | undefined;
  /** What grows: the set, or the saved one while it is being re-created and gone. */
  readonly subject: StatefulSet | undefined;
  /** About the claims; undefined without a subject. */
  readonly growth: Growth | undefined;
  /** About the template. */
  readonly following: Following;
  /** The facts behind it, to be asked again with what was read afresh. */
  readonly facts: FollowFacts;
}

export interface ObserveOptions {
  readonly view: View;
  readonly memory: Memory;
  readonly gates: Gates;
  readonly now: () => number;
}

export function observe(key: string, { view, memory, gates, now }: ObserveOptions): Observed {
  const set = view.set(key);
  const record = view.record(key);
  const subject = set ?? record?.status?.savedStatefulSet;
  const notes = memory.of(key);
  const shared = {
    claims: subject === undefined ? [] : view.claimsFor(subject),
    others: subject === undefined ? [] : view.rivalsOf(subject),
    pods: view.podsOf(key),
    gates,
    now: now(),
  };
  const { dryRun, editRefusal, tries } = notes;
  const about = { ...shared, takesEdits: memory.takesEdits() ?? false, editRefusal, dryRun, tries };

  let growth: Growth | undefined;
  if (subject !== undefined) {
    const { namespace = "default" } = subject.metadata;
    const { owned, disputed } = claimsOf(subject, shared.claims, shared.others);
    const members = { claims: [...owned, ...disputed], pods: podsOf(subject, shared.pods) };
    const evenIfOwned = mayChangeOwned(record);
    growth = decideGrowth(
      {
        ...shared,
        set: subject,
        record,
        classes: view.classes,
        quotas: view.quotas(namespace),
        limitRanges: view.limitRanges(namespace),
        refused: memory.refusedClaims(key),
      },
      (desired) => templateWay({ ...about, ...members, set: subject, desired, evenIfOwned }),
    );
  }
  const facts: FollowFacts = {
    ...about,
    set,
    record,
    revisions: [],
    claimsHeld: (growth?.rollout.held.length ?? 0) > 0,
    claimsOpen: growth !== undefined && isOpenForSource(growth, record),
    unproven: growth?.rollout.proven === false,
    restarting: growth !== undefined && isRestarting(growth.restart),
    growthRefused: (growth?.refusals.length ?? 0) > 0,
    namespaceDeleting: false,
  };
  notes.isRefused = facts.growthRefused;
  return { key, set, record, subject, growth, following: followTemplate(facts), facts };
}
