/**
 * Writes of ours that the watch has not brought back yet. Until it has, what is held is older than what we did, and a
 * decision based on it would do the same again: create the pod that was just created, delete the one that is just going.
 * So a set with such writes is not looked at; the news that is waited for brings it back.
 *
 * Nothing here is needed for safety, since every write says what it takes for granted. So the wait ends after a while even
 * if the news never comes, as when an object was made and gone again while the watch was away.
 */
import type { KubeObject } from "../../../../core/types.ts";
import type { Timers } from "../../../../kube/index.ts";

/** In milliseconds. */
const PATIENCE = 5_000;

type What = "any-news" | "its-going";

export interface Awaited {
  /** The set has written the object of this uid, or deleted it. */
  expect(set: string, uid: string, what: What): void;
  /** An object appeared, changed, or (`gone`) is not there any more. */
  saw(object: KubeObject, gone?: boolean): void;
  /** How long to wait at most before the set is looked at; zero: nothing is awaited. */
  waitFor(set: string): number;
  /** The set is gone. */
  forget(set: string): void;
}

export function createAwaited(timers: Pick<Timers, "elapsed">): Awaited {
  const sets = new Map<string, Map<string, { readonly what: What; readonly until: number }>>();
  const writers = new Map<string, string>();

  function forget(set: string): void {
    for (const uid of sets.get(set)?.keys() ?? []) writers.delete(uid);
    sets.delete(set);
  }

  return {
    expect(set, uid, what) {
      if (uid === "") return;
      const pending = sets.get(set) ?? new Map();
      pending.set(uid, { what, until: timers.elapsed() + PATIENCE });
      sets.set(set, pending);
      writers.set(uid, set);
    },
    saw({ metadata: { uid = "", deletionTimestamp } }, gone = false) {
      const set = writers.get(uid);
      const pending = set === undefined ? undefined : sets.get(set);
      if (set === undefined || pending === undefined) return;
      if (pending.get(uid)?.what === "its-going" && !gone && deletionTimestamp === undefined) return;
      pending.delete(uid);
      writers.delete(uid);
      if (pending.size === 0) sets.delete(set);
    },
    waitFor(set) {
      const now = timers.elapsed();
      let wait = 0;
      for (const { until } of sets.get(set)?.values() ?? []) wait = Math.max(wait, until - now);
      if (wait <= 0) forget(set);
      return Math.max(0, wait);
    },
    forget,
  };
}
