import type { PlanReport } from "./report.ts";

/** Why a plan would be refused, in one line: the first reason and its way out. Undefined when it would not be. */
export function refusalOf({ verdict, checks }: PlanReport): string | undefined {
  if (verdict !== "refused") return undefined;
  const refusals = checks.filter(({ outcome }) => outcome === "refuse");
  const [first] = refusals;
  const more = refusals.length > 1 ? ` (${refusals.length - 1} more: see outgrow plan)` : "";
  return `${first?.message ?? "it would be refused"}; ${first?.wayOut ?? "see outgrow plan"}${more}`;
}
