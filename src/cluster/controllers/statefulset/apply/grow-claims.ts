/** Claims that are too small, raised; and what a set says when one could not be. */
import { toTimestamp } from "../../../../core/clock.ts";
import type { Condition, StatefulSet } from "../../../../core/types.ts";
import { isConflict } from "../../../../kube/index.ts";
import { type Failure, failureMessage, GROWTH_CONDITION, type Growth, type Resize } from "../decide/growth.ts";
import { podName } from "../decide/names.ts";
import { changedConditions } from "../decide/status.ts";
import { wordsOf } from "./events.ts";
import type { Tools } from "./run-job.ts";

export interface Grown {
  /** What could not be raised, and why. */
  readonly failures: readonly Failure[];
  /** The errors of those that were tried: they are tried again. */
  readonly errors: readonly unknown[];
}

/** Requests that are under way at the same time: a large set is not to wait for one claim after the other. */
const AT_ONCE = 20;

/** Tries them all: one that fails holds up no other. */
export async function growClaims({ writer, events }: Tools, set: StatefulSet, growth: Growth): Promise<Grown> {
  const failures: Failure[] = [...growth.refused];
  const errors: unknown[] = [];
  async function resizeClaim(resize: Resize): Promise<void> {
    const { name, ordinal } = resize;
    try {
      await writer.resizeClaim(set, resize);
      events.claim(set, "update", name, podName(set, ordinal));
    } catch (error) {
      errors.push(error);
      // Somebody else wrote it since we looked; that is no failure.
      if (isConflict(error)) return;
      failures.push({ claim: name, ordinal, message: wordsOf(error) });
      events.claim(set, "update", name, podName(set, ordinal), error);
    }
  }
  for (let begin = 0; begin < growth.resizes.length; begin += AT_ONCE) {
    await Promise.all(growth.resizes.slice(begin, begin + AT_ONCE).map(resizeClaim));
  }
  // In the order of their names, so that the same failures read the same.
  failures.sort((a, b) => (a.claim < b.claim ? -1 : 1));
  return { failures, errors };
}

/** The set's conditions after that; undefined when they stay as they are. A new refusal is also an event. */
export function growthConditions(
  { events }: Tools,
  set: StatefulSet,
  { refused }: Growth,
  { failures, errors }: Grown,
  now: number,
): readonly Condition[] | undefined {
  // A lost race says nothing about whether the claim could be raised.
  if (failures.length === 0 && errors.length > 0) return undefined;
  const wanted =
    failures.length === 0
      ? null
      : {
          status: "True",
          reason: "FailedUpdate",
          message: failureMessage(failures),
          lastTransitionTime: toTimestamp(now),
        };
  const conditions = changedConditions(set, GROWTH_CONDITION, wanted);
  if (conditions !== undefined) {
    for (const { claim, ordinal, message } of refused) {
      events.claim(set, "update", claim, podName(set, ordinal), new Error(message));
    }
  }
  return conditions;
}
