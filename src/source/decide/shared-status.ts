/**
 * A source is one object for the whole cluster, and several controllers may follow it, each in namespaces of its own. So each has
 * its share of the status, by namespace, and what the source says as a whole is summed up from all of them: whoever writes comes to
 * the same sum, and nobody overwrites what another has found.
 */
import type { Condition } from "../../core/types.ts";
import type { NamespaceShare } from "../types.ts";

/** What is said in the condition `Ready`. */
export type Verdict = Required<Pick<Condition, "status" | "reason" | "message">>;

/** The shares after a look: those of others as they are, and ours for each of our namespaces. By namespace. */
export function withShares(
  before: readonly NamespaceShare[] | undefined,
  verdict: Verdict,
  counts: ReadonlyMap<string, number>,
): NamespaceShare[] {
  const others = (before ?? []).filter(({ namespace }) => !counts.has(namespace));
  const ours = [...counts].map(([namespace, resources]) => ({ namespace, resources, ...verdict }));
  return [...others, ...ours].sort((a, b) => (a.namespace < b.namespace ? -1 : 1));
}

/** How many resources there are in all of them. */
export function sumOf(shares: readonly NamespaceShare[]): number {
  return shares.reduce((sum, { resources }) => sum + resources, 0);
}

/** The first thing that somebody has to do in one of them, and where; that all is well only if it is so in all. */
export function verdictOf(shares: readonly NamespaceShare[]): Verdict {
  const [first] = [...shares.filter(isBad), ...shares.filter(({ status }) => status === "Unknown"), ...shares];
  if (first === undefined) return { status: "Unknown", reason: "Starting", message: "" };
  const { status, reason, message } = first;
  const same = shares.filter((share) => share.status === status && share.message === message);
  const where = `in ${same.map(({ namespace }) => namespace).join(", ")}`;
  if (status === "True") return { status, reason, message: `${message} ${where}` };
  return { status, reason, message: same.length === shares.length ? message : `${where}: ${message}` };
}

function isBad({ status }: NamespaceShare): boolean {
  return status === "False";
}
