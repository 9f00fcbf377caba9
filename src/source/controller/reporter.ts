/** Reports on a custom resource how growing through it stands: its condition, and an event when that changes. */
import type { Condition, KubeObject } from "../../core/types.ts";
import { type KubeClient, type Logger, type Outcome as LookAgain, type Timers } from "../../kube/index.ts";
import type { SourceEvents } from "../apply/events.ts";
import { report } from "../apply/report.ts";
import { conditionsOf, conditionsPathOf } from "../decide/held-fields.ts";
import type { Outcome } from "../decide/outcome.ts";
import { outcomeIn, withOutcome } from "../decide/volume-resized.ts";
import type { FollowedSource } from "./sources.ts";

export interface ReporterOptions {
  readonly client: KubeClient;
  /** Ends the calls that are under way. */
  readonly giveUp: AbortSignal;
  readonly events: SourceEvents;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly onSource: (name: string) => void;
}

export interface Reporter {
  /** Nothing is sent where the resource says so already. */
  report(followed: FollowedSource, resource: KubeObject, outcome: Outcome): Promise<LookAgain>;
}

const SOON = 200;
/** Operators that write all their conditions anew take ours back each time; more often than this is no accident. */
const TAKEN_BACK = 5;
/** A kind that does not take the condition is tried again after this time, in milliseconds: its schema may have changed. */
const REFUSED_FOR = 10 * 60_000;

export function createReporter({ client, giveUp, events, timers, logger, onSource }: ReporterOptions): Reporter {
  /** Of each source: the resources that have its condition, and how often one was without it again. */
  const standing = new WeakMap<FollowedSource, { readonly places: Set<string>; takenBack: number }>();

  return {
    async report(followed, resource, outcome) {
      const { condition: type } = followed.source.spec;
      const place = `${resource.metadata.namespace}/${resource.metadata.name}`;
      const conditions = conditionsOf(followed.source.spec, resource);
      const before = followed.told.get(place) ?? outcomeIn(conditions.find((each) => each.type === type));
      if (type !== undefined && mayReport(followed) && !isTakenBack(followed, place, conditions, type)) {
        const next = conditionAfter(resource, conditions, type, outcome, timers.now());
        if (next === undefined) return undefined;
        const answer = await write(followed, resource, next);
        if (answer !== undefined) return answer;
      }
      followed.told.set(place, outcome);
      if (isWorthTelling(before, outcome)) events.told(followed.kind, resource, outcome);
      return undefined;
    },
  };

  async function write(followed: FollowedSource, resource: KubeObject, condition: Condition): Promise<LookAgain> {
    const { spec, metadata } = followed.source;
    const answer = await report(client, followed.kind, resource, conditionsPathOf(spec), condition, giveUp);
    switch (answer.kind) {
      case "lost":
        return { after: SOON };
      case "reported":
        followed.watch?.observe(answer.resource, resource.metadata.resourceVersion ?? "");
        standingOf(followed).places.add(`${resource.metadata.namespace}/${resource.metadata.name}`);
        if (followed.notReported !== undefined) {
          followed.notReported = undefined;
          onSource(metadata.name);
        }
        return undefined;
      case "refused":
        giveUpOn(followed, answer.why);
        return undefined;
    }
  }

  function giveUpOn(followed: FollowedSource, why: string): void {
    const { name } = followed.source.metadata;
    logger.warn({ source: name, why }, "the condition cannot be reported");
    followed.notReported = { why, until: timers.now() + REFUSED_FOR };
    onSource(name);
  }

  function standingOf(followed: FollowedSource): { readonly places: Set<string>; takenBack: number } {
    const known = standing.get(followed) ?? { places: new Set(), takenBack: 0 };
    standing.set(followed, known);
    return known;
  }

  /** Whether to leave it at that: an operator that never lets it stand is not fought. */
  function isTakenBack(followed: FollowedSource, place: string, conditions: Condition[], type: string): boolean {
    const known = standingOf(followed);
    if (conditions.some((each) => each.type === type) || !known.places.delete(place)) return false;
    if (++known.takenBack < TAKEN_BACK) return false;
    known.takenBack = 0;
    giveUpOn(followed, `condition ${type} is taken back again and again, by an operator that writes all of them anew`);
    return true;
  }

  /** Without the right to it, the source says so; and what was refused would be refused again. */
  function mayReport({ watch, notReported }: FollowedSource): boolean {
    if (notReported !== undefined && timers.now() < notReported.until) return false;
    return watch?.missing.length === 0;
  }
}

/** The condition as it should be; undefined when it is. */
function conditionAfter(
  { metadata }: KubeObject,
  conditions: Condition[],
  type: string,
  outcome: Outcome,
  now: number,
): Condition | undefined {
  const before = { metadata, status: { conditions } };
  const after = withOutcome(before, type, outcome, now);
  return after === before ? undefined : after.status.conditions.find((each) => each.type === type);
}

/** That all is well where nothing else was ever said is no news. */
function isWorthTelling(before: Outcome | undefined, now: Outcome): boolean {
  if (before === undefined) return now.kind !== "resized";
  return before.kind !== now.kind || (before.message !== now.message && now.kind !== "growing");
}
