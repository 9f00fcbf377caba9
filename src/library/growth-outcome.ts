/** How far the growth of a set is, read from its record. */
import type { ClaimRow, VolumeExpansion } from "../statefulset/types.ts";

/**
 * `resized`: every claim has its size, and so has the set's template. `growing`: it takes its time, and goes on by itself.
 * `failed`: somebody has to act, and the message says what to do; when that was done it goes on by itself.
 */
export interface GrowthOutcome {
  readonly kind: "resized" | "growing" | "failed";
  /** For people. */
  readonly message: string;
  /** One row for each claim of the set: from, to, what it has, state, why. */
  readonly claims: readonly ClaimRow[];
}

/** What a record says about the sizes that stand in it now. Before anybody has looked at those, they are `growing`. */
export function outcomeOfRecord({ metadata, status = {} }: VolumeExpansion): GrowthOutcome {
  const { observedGeneration = -1, conditions = [], claims = [] } = status;
  if (observedGeneration < (metadata.generation ?? 0)) {
    return { kind: "growing", message: "nobody has looked at these sizes yet", claims: [] };
  }
  const is = (type: string): boolean => conditions.some((each) => each.type === type && each.status === "True");
  const message = conditions.find(({ type }) => type === "Ready")?.message ?? "";
  return { kind: is("Ready") ? "resized" : is("Stalled") ? "failed" : "growing", message, claims };
}

/** Whether nothing more comes of it by itself: one claim that failed does not stop the others. */
export function isFinal({ kind, claims }: GrowthOutcome): boolean {
  const isUnderWay = claims.some(({ state }) => state === "Growing" || state === "Recovering");
  return kind === "resized" || (kind === "failed" && !isUnderWay);
}
