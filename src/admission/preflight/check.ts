/** The vocabulary of preflight: a check asks one question about the facts and gives its findings. */
import type { PreflightFacts } from "./facts.ts";

/** `pass`: fine. `warn`: it goes on, but somebody should know. `refuse`: it is not started. */
export type Outcome = "pass" | "warn" | "refuse";

export interface Finding {
  readonly outcome: Outcome;
  /** What was found, and where. */
  readonly message: string;
  /** What the reader can do about it. */
  readonly wayOut?: string;
}

export interface Check {
  /** Stable: scripts and dashboards may go by it. */
  readonly id: CheckId;
  /** The question that it answers, for documentation. */
  readonly question: string;
  /** No finding: the question does not arise. */
  readonly run: (facts: PreflightFacts) => readonly Finding[];
}

export type CheckId =
  | "size-below"
  | "claims-stuck"
  | "class-expandable"
  | "driver-can-expand"
  | "quota"
  | "limit-range"
  | "node-or-offline"
  | "rounding"
  | "owner-reverts"
  | "rollout-in-progress"
  | "retention-policy"
  | "template-follows"
  | "set-left-behind";

export function pass(message: string): Finding {
  return { outcome: "pass", message };
}

export function warn(message: string, wayOut: string): Finding {
  return { outcome: "warn", message, wayOut };
}

export function refuse(message: string, wayOut: string): Finding {
  return { outcome: "refuse", message, wayOut };
}

/** The way out of what holds only the template up, and goes by itself. */
export const LATER = "the claims do not wait for it; the template follows when that is over";

/** Parts a reason as the rules write them, `what is the matter; the way out`. Either may be all there is. */
export function splitReason(reason: string): { readonly what: string; readonly wayOut: string } {
  const end = reason.indexOf("; ");
  return end < 0 ? { what: reason, wayOut: "" } : { what: reason.slice(0, end), wayOut: reason.slice(end + 2) };
}

/** Several ways out as one sentence, leaving out those that are empty. */
export function ways(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("; ");
}

/** `data-db-2, data-db-1 and 8 more`: a list that stays short. */
export function someOf(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(", ");
  return names.length <= 3 ? shown : `${shown} and ${names.length - 3} more`;
}

/** `1 claim`, `3 claims`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
