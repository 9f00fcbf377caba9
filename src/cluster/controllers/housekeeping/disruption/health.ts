/** How many pods there should be, how many must stay, and how many may go (upstream disruption.go). */
import { fromTimestamp, toTimestamp } from "../../../../core/clock.ts";
import { OutgrowError } from "../../../../core/errors.ts";
import type { Condition, Pod } from "../../../../core/types.ts";
import { isPodReady } from "../shared/decide/pod-ready.ts";
import type { Amount, Budget, BudgetStatus } from "./budget.ts";

/** After this long, a pod that was evicted and is not going will not go any more. In milliseconds. */
export const DELETION_TIMEOUT = 120_000;
const CONDITION = "DisruptionAllowed";

/** Whether it matters how many pods their owners want: a plain number of pods that must stay says all there is to know. */
export function dependsOnScale({ spec }: Budget): boolean {
  return spec?.maxUnavailable !== undefined || typeof spec?.minAvailable === "string";
}

/** `scale` is how many pods the owners want together; it is looked at only where it matters. */
export function wantedPods(
  { spec }: Budget,
  pods: readonly Pod[],
  scale: number,
): { readonly expected: number; readonly desired: number } {
  const { maxUnavailable, minAvailable } = spec ?? {};
  if (maxUnavailable !== undefined) {
    return { expected: scale, desired: Math.max(0, scale - shareOf(maxUnavailable, scale)) };
  }
  if (typeof minAvailable === "number") return { expected: pods.length, desired: minAvailable };
  return minAvailable === undefined
    ? { expected: 0, desired: 0 }
    : { expected: scale, desired: shareOf(minAvailable, scale) };
}

/** A number, or a percentage of the whole, rounded up. */
function shareOf(amount: Amount, whole: number): number {
  if (typeof amount === "number") return amount;
  const match = /^(\d+)%$/.exec(amount);
  if (match === null) {
    throw new OutgrowError(
      "OBJECT_MALFORMED",
      "invalid value for IntOrString: invalid type: string is not a percentage",
    );
  }
  return Math.ceil((Number(match[1]) * whole) / 100);
}

export interface Disrupted {
  /** Those that are still expected to go. */
  readonly pods: Record<string, string>;
  /** Those that were, and stayed. */
  readonly stayed: readonly Pod[];
  /** When to look again, if nothing happens. */
  readonly lookAgainAt: number | undefined;
}

export function disruptedPods({ status }: Budget, pods: readonly Pod[], now: number): Disrupted {
  const expected: Record<string, string> = {};
  const stayed: Pod[] = [];
  let lookAgainAt: number | undefined;
  for (const pod of pods) {
    const since = status?.disruptedPods?.[pod.metadata.name];
    if (since === undefined || pod.metadata.deletionTimestamp !== undefined) continue;
    const deadline = (fromTimestamp(since) ?? 0) + DELETION_TIMEOUT;
    if (deadline < now) {
      stayed.push(pod);
    } else {
      expected[pod.metadata.name] = since;
      lookAgainAt = Math.min(lookAgainAt ?? deadline, deadline);
    }
  }
  return { pods: expected, stayed, lookAgainAt };
}

export function healthyPods(pods: readonly Pod[], disrupted: Disrupted["pods"]): number {
  return pods.filter(
    (pod) =>
      pod.metadata.deletionTimestamp === undefined && disrupted[pod.metadata.name] === undefined && isPodReady(pod),
  ).length;
}

export interface Count {
  readonly currentHealthy: number;
  readonly desiredHealthy: number;
  readonly expectedPods: number;
  readonly disruptedPods: Record<string, string>;
}

/** The status that says so. Without pods nothing may go: the first that come are protected before they are counted. */
export function statusOf(budget: Budget, count: Count, now: number): BudgetStatus {
  const { generation = 0 } = budget.metadata;
  const spare = count.currentHealthy - count.desiredHealthy;
  const disruptionsAllowed = count.expectedPods <= 0 || spare <= 0 ? 0 : spare;
  const verdict = disruptionsAllowed > 0 ? "SufficientPods" : "InsufficientPods";
  const { disruptedPods: _, ...old } = budget.status ?? {};
  return {
    ...old,
    currentHealthy: count.currentHealthy,
    desiredHealthy: count.desiredHealthy,
    expectedPods: count.expectedPods,
    disruptionsAllowed,
    ...(Object.keys(count.disruptedPods).length === 0 ? {} : { disruptedPods: count.disruptedPods }),
    observedGeneration: generation,
    conditions: withCondition(budget, disruptionsAllowed > 0, verdict, "", generation, now),
  };
}

/** When it cannot be told how many there should be, none may go. */
export function failedStatus(budget: Budget, message: string, now: number): BudgetStatus {
  const generation = budget.status?.observedGeneration ?? 0;
  return {
    ...budget.status,
    disruptionsAllowed: 0,
    conditions: withCondition(budget, false, "SyncFailed", message, generation, now),
  };
}

function withCondition(
  { status }: Budget,
  holds: boolean,
  reason: string,
  message: string,
  observedGeneration: number,
  now: number,
): Condition[] {
  const conditions = status?.conditions ?? [];
  const old = conditions.find(({ type }) => type === CONDITION);
  const value = holds ? "True" : "False";
  const since = old?.status === value ? old.lastTransitionTime : undefined;
  const next: Condition = {
    type: CONDITION,
    status: value,
    observedGeneration,
    lastTransitionTime: since ?? toTimestamp(now),
    reason,
    message,
  };
  return old === undefined ? [...conditions, next] : conditions.map((each) => (each === old ? next : each));
}
