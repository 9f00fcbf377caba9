/**
 * The first loop: the claims of a set are asked for their sizes, in the order that the record says, and pods are restarted
 * where that is needed and allowed. It never waits for the template.
 */
import type { Pod, StatefulSet } from "../../core/types.ts";
import { type KubeClient, type Logger, type Outcome, refOfKey } from "../../kube/index.ts";
import { askClaim } from "../apply/ask-claim.ts";
import type { GrowthEvents } from "../apply/events.ts";
import { evict, letGo } from "../apply/evict.ts";
import { readRecord } from "../apply/read-fresh.ts";
import { createRecord } from "../apply/record.ts";
import { wanted } from "../decide/follow-template.ts";
import { type Growth, isWorthTelling } from "../decide/growth.ts";
import { heldPods } from "../decide/restart-step.ts";
import type { Startable } from "../decide/rollout.ts";
import type { VolumeExpansion } from "../types.ts";
import type { Memory } from "./memory.ts";
import type { Observed } from "./observe.ts";
import type { View } from "./view.ts";

export interface ClaimsLoopOptions {
  readonly client: KubeClient;
  /** Ends the calls that are under way. */
  readonly giveUp: AbortSignal;
  readonly view: Pick<View, "observeClaim" | "podsOf">;
  readonly memory: Memory;
  readonly observe: (key: string) => Observed;
  readonly events: GrowthEvents;
  readonly logger: Logger;
  readonly now: () => number;
}

/** Requests that are under way at the same time for one set. */
const AT_ONCE = 20;
/** Somebody else was faster: the watch brings what they did, soon. In milliseconds, as all of these. */
const SOON = 200;
/** What the API server refused is tried again after this time, or when something changes that it may have gone by. */
const REFUSED_FOR = 60_000;
/** A budget that does not allow an eviction is asked again after this time. */
const BUDGET_AGAIN = 10_000;

export function createClaimsLoop(options: ClaimsLoopOptions) {
  const { client, giveUp, view, memory, observe, events, logger, now } = options;

  return async function growClaims(key: string, stop: AbortSignal): Promise<Outcome> {
    const seen = observe(key);
    const { subject, growth, record } = seen;
    // A set that somebody deletes is left in peace; one that we delete is in the journal.
    const isGoing = subject?.metadata.deletionTimestamp !== undefined;
    const isLeft = isGoing && record?.status?.savedStatefulSet === undefined;
    if (subject === undefined || growth === undefined || isLeft) return letAllGo(heldPods(view.podsOf(key)));
    if (record === undefined) {
      if (!needsRecord(seen, growth)) return letAllGo(heldPods(view.podsOf(key)));
      if (!(await createRecord(client, subject, wanted(subject, undefined), giveUp))) return { after: SOON };
    }
    memory.of(key).wanted = formatSizes(growth.desired);
    if (growth.refusals.length > 0) return letAllGo(heldPods(view.podsOf(key)));
    if (record !== undefined && !(await isUpToDate(key, record, growth))) return { after: SOON };
    const asked = await askAll(key, subject, growth.rollout.start, stop);
    const restart = await restartPod(key, subject, growth.restart);
    return earliest(asked, restart);
  };

  /** Another size than the one that was seen before has a record, even if somebody else was faster with everything. */
  function needsRecord({ key, following, facts }: Observed, growth: Growth): boolean {
    const notes = memory.of(key);
    const sizes = formatSizes(growth.desired);
    const isAnother = notes.wanted !== undefined && notes.wanted !== sizes;
    if (isAnother || isWorthTelling(growth, following.way ?? { kind: "up-to-date" }, facts.gates)) return true;
    notes.wanted = sizes;
    return false;
  }

  /**
   * Whether the record that a growth begins under is the newest. Caches of different kinds are not in step: what somebody
   * wrote into the record before the wish must count, although the wish was seen first.
   */
  async function isUpToDate(key: string, record: VolumeExpansion, { desired, rollout }: Growth): Promise<boolean> {
    const notes = memory.of(key);
    const what = formatSizes(desired);
    if (rollout.start.length === 0 || notes.begun === what) return true;
    const fresh = await readRecord(client, refOfKey(key), giveUp);
    if (fresh?.metadata.resourceVersion !== record.metadata.resourceVersion) return false;
    notes.begun = what;
    return true;
  }

  async function askAll(
    key: string,
    set: StatefulSet,
    start: readonly Startable[],
    stop: AbortSignal,
  ): Promise<Outcome> {
    const { refused } = memory.of(key);
    const failures: unknown[] = [];
    let outcome: Outcome;
    const ask = async (plan: Startable): Promise<void> => {
      try {
        const answer = await askClaim(client, set.metadata.namespace, plan, giveUp);
        refused.delete(plan.name);
        if (answer.kind === "asked") {
          view.observeClaim(answer.claim, plan.resourceVersion);
          events.asked(set, answer.claim, plan);
        } else if (answer.kind === "refused") {
          refused.set(plan.name, { message: answer.message, until: now() + REFUSED_FOR });
          events.refused(set, plan, answer.message);
          logger.warn({ claim: plan.name, set: key, why: answer.message }, "the API server refused a claim's new size");
          outcome = earliest(outcome, { after: REFUSED_FOR });
        } else outcome = earliest(outcome, { after: SOON });
      } catch (error) {
        failures.push(error);
      }
    };
    for (let begin = 0; begin < start.length && !stop.aborted; begin += AT_ONCE) {
      await Promise.all(start.slice(begin, begin + AT_ONCE).map(ask));
    }
    if (failures.length > 0) throw failures[0];
    return outcome;
  }

  /** Pods that were held make room for their successors. */
  async function letAllGo(pods: readonly Pod[]): Promise<Outcome> {
    const answers = await Promise.all(pods.map((pod) => letGo(client, pod, giveUp)));
    return answers.includes("lost") ? { after: SOON } : undefined;
  }

  async function restartPod(key: string, set: StatefulSet, restart: Growth["restart"]): Promise<Outcome> {
    const notes = memory.of(key);
    if (restart.kind !== "evict") notes.evictionProblem = undefined;
    switch (restart.kind) {
      case "nothing":
        return undefined;
      case "wait":
        return restart.at === undefined ? undefined : { after: restart.at - now() };
      case "let-go":
        return letAllGo(restart.pods);
      case "evict": {
        const problem = await evict(client, restart.pod, restart.hold, giveUp);
        notes.evictionProblem = problem;
        if (problem !== undefined) return { after: BUDGET_AGAIN };
        events.evicted(set, restart.pod);
        logger.info({ set: key, pod: restart.pod.metadata.name }, "evicted a pod so that its volumes can grow");
        return undefined;
      }
    }
  }
}

function formatSizes(desired: Growth["desired"]): string {
  return desired.map(({ template, size }) => `${template}=${size}`).join();
}

/** The one that looks again first. */
export function earliest(a: Outcome, b: Outcome): Outcome {
  if (a === undefined || b === undefined) return a ?? b;
  return a.after <= b.after ? a : b;
}
