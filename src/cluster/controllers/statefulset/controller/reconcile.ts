/** One look at one StatefulSet: gather, decide, apply. */
import type { Gates } from "../../../../core/gates.ts";
import type { Pod, StatefulSet } from "../../../../core/types.ts";
import type { Outcome } from "../../../../kube/index.ts";
import { growClaims, growthConditions } from "../apply/grow-claims.ts";
import { ensureRevision, truncateHistory } from "../apply/revisions.ts";
import type { Tools } from "../apply/run-job.ts";
import { runPlan } from "../apply/run-plan.ts";
import type { Facts, RevisionFact } from "../decide/facts.ts";
import { growthOf } from "../decide/growth.ts";
import { membersOf } from "../decide/membership.ts";
import { planSet } from "../decide/plan.ts";
import { revisionOf } from "../decide/pod-state.ts";
import { type ControllerRevision, revisionsOf, templateOf } from "../decide/revision.ts";
import { changedStatus } from "../decide/status.ts";
import type { View } from "./view.ts";

export interface ReconcileOptions {
  readonly view: View;
  readonly gates: Gates;
  readonly honoursMaxUnavailable: boolean;
  readonly now: () => number;
}

/**
 * Resolves when all is well for now; `after` when only time is missing. Rejects when something failed: what could be done
 * was done, the status is written, and the rest is tried again.
 */
export async function reconcileSet(options: ReconcileOptions, tools: Tools, set: StatefulSet): Promise<Outcome> {
  const { view, now } = options;
  const { writer } = tools;
  const isGoing = set.metadata.deletionTimestamp !== undefined;

  const history = revisionsOf(set, view.revisionsFor(set));
  const members = membersOf(set, view.podsFor(set));
  const adopts = !isGoing && (history.orphans.length > 0 || members.adopt.length > 0);
  if (adopts) await writer.confirmAlive(set);
  const own = isGoing ? history.own : await adoptRevisions(tools, set, history.own, history.orphans);
  const pods = [...members.members, ...(await adoptPods(tools, set, members.adopt))];
  for (const pod of members.release) await writer.releasePod(set, pod);

  const facts = { set, pods, ...(await revisionFacts(tools, set, own, isGoing)), ...ownFacts(options, set) };
  const plan = planSet(facts);
  const failed = await runPlan(tools, set, plan);
  const growth = growthOf({ set, gates: options.gates, ...view.growthFacts(set) });
  const grown = await growClaims(tools, set, growth);

  const conditions = growthConditions(tools, set, growth, grown, now());
  const changed = changedStatus(set, failed.length === 0 ? plan.status : plan.statusIfFailed);
  if (changed !== undefined || conditions !== undefined) {
    await writer.writeStatus(set, { ...changed, ...(conditions === undefined ? {} : { conditions }) });
  }
  if (!isGoing) await truncateHistory(writer, set, own, liveRevisions(facts, pods));

  const errors = [...failed, ...grown.errors];
  if (errors.length > 1) throw new AggregateError(errors, `${errors.length} things failed`);
  if (errors.length === 1) throw errors[0];
  return plan.lookAgainAt === undefined ? undefined : { after: Math.max(0, plan.lookAgainAt - now()) };
}

function ownFacts(
  { view, honoursMaxUnavailable, now }: ReconcileOptions,
  { metadata: { namespace } }: StatefulSet,
): Pick<Facts, "claim" | "honoursMaxUnavailable" | "now"> {
  return { claim: (name) => view.claims.get({ namespace, name }), honoursMaxUnavailable, now: now() };
}

async function adoptRevisions(
  { writer }: Tools,
  set: StatefulSet,
  own: readonly ControllerRevision[],
  orphans: readonly ControllerRevision[],
): Promise<readonly ControllerRevision[]> {
  const adopted = new Map<ControllerRevision, ControllerRevision>();
  for (const orphan of orphans) adopted.set(orphan, await writer.adoptRevision(set, orphan));
  return own.map((revision) => adopted.get(revision) ?? revision);
}

async function adoptPods({ writer }: Tools, set: StatefulSet, orphans: readonly Pod[]): Promise<readonly Pod[]> {
  const adopted: Pod[] = [];
  for (const pod of orphans) if (await writer.adoptPod(set, pod)) adopted.push(pod);
  return adopted;
}

/** A set that is being deleted makes no revision any more; its status goes on naming those that it named. */
async function revisionFacts(
  { writer }: Tools,
  set: StatefulSet,
  own: readonly ControllerRevision[],
  isGoing: boolean,
): Promise<Pick<Facts, "current" | "update" | "collisions">> {
  const { currentRevision = "", updateRevision = "", collisionCount = 0 } = set.status ?? {};
  const { template } = set.spec;
  if (isGoing) {
    return {
      current: { name: currentRevision, template },
      update: { name: updateRevision, template },
      collisions: collisionCount,
    };
  }
  const { revision, collisions } = await ensureRevision(writer, set, own);
  const current = own.find(({ metadata }) => metadata.name === currentRevision) ?? revision;
  return { current: factOf(current), update: factOf(revision), collisions };
}

function factOf(revision: ControllerRevision): RevisionFact {
  return { name: revision.metadata.name, template: templateOf(revision) };
}

function liveRevisions({ current, update }: Facts, pods: readonly Pod[]): ReadonlySet<string> {
  return new Set([current.name, update.name, ...pods.map(revisionOf)]);
}
