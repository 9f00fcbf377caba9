/** A plan, carried out phase by phase. */
import type { StatefulSet } from "../../../../core/types.ts";
import type { Job } from "../decide/job.ts";
import type { Plan } from "../decide/plan.ts";
import { runJob, type Tools } from "./run-job.ts";

/** At most this many requests of a parallel set are under way. */
const MAX_BATCH = 500;

/** Resolves to what failed; nothing, when all of it was done. What comes after a failure is left for the next time. */
export async function runPlan(tools: Tools, set: StatefulSet, plan: Plan): Promise<readonly unknown[]> {
  for (const jobs of plan.phases) {
    const failures = await (plan.ordered ? oneByOne(tools, set, jobs) : inBatches(tools, set, jobs));
    if (failures.length > 0) return failures;
  }
  return [];
}

async function oneByOne(tools: Tools, set: StatefulSet, jobs: readonly Job[]): Promise<readonly unknown[]> {
  for (const job of jobs) {
    try {
      await runJob(tools, set, job);
    } catch (error) {
      return [error];
    }
  }
  return [];
}

/** One, then two, then four ...: when all of them would fail (a quota, a webhook), few of them are tried. */
async function inBatches(tools: Tools, set: StatefulSet, jobs: readonly Job[]): Promise<readonly unknown[]> {
  for (let begin = 0, size = 1; begin < jobs.length; begin += size, size = Math.min(size * 2, MAX_BATCH)) {
    const batch = jobs.slice(begin, begin + size);
    const outcomes = await Promise.allSettled(batch.map((job) => runJob(tools, set, job)));
    const failures = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason as unknown] : []));
    if (failures.length > 0) return failures;
  }
  return [];
}
