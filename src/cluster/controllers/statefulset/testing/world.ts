/**
 * A small world in which sets live: the API server's rules of creating and deleting, a kubelet, a garbage collector, and
 * people. The controller decides by the real rules on a view that may be out of date, and may die after any of its calls.
 */
import { toTimestamp } from "../../../../core/clock.ts";
import type { KubeObject, PersistentVolumeClaim, Pod, StatefulSet } from "../../../../core/types.ts";
import type { Facts } from "../decide/facts.ts";
import type { Job } from "../decide/job.ts";
import { type Plan, planSet } from "../decide/plan.ts";
import { isFinished, isTerminating } from "../decide/pod-state.ts";
import { type ControllerRevision, newRevision, outdated, revisionStep, templateOf } from "../decide/revision.ts";
import { changedStatus } from "../decide/status.ts";
import { aSet, NOW } from "./objects.ts";

/** Nothing in it is ever changed in place, so a copy of it stays what it was. */
export interface World {
  readonly set: StatefulSet;
  readonly pods: ReadonlyMap<string, Pod>;
  readonly claims: ReadonlyMap<string, PersistentVolumeClaim>;
  readonly revisions: readonly ControllerRevision[];
  readonly now: number;
  readonly serial: number;
}

export const EMPTY: World = {
  set: aSet(),
  pods: new Map(),
  claims: new Map(),
  revisions: [],
  now: NOW,
  serial: 0,
};

/** What the controller decided, on which view, and what came of it. */
export interface Taken {
  readonly world: World;
  readonly facts: Facts;
  readonly plan: Plan;
  /** Calls that the API server took. */
  readonly done: readonly Job[];
  /** Whether anything at all was written. */
  readonly wrote: boolean;
}

/** One look of the controller at `view`; it dies after `calls` calls. */
export function look(world: World, view: World = world, calls = Number.POSITIVE_INFINITY): Taken {
  const { revisions, revision } = atRevision(view);
  const current = revisions.find(({ metadata }) => metadata.name === view.set.status?.currentRevision) ?? revision;
  const facts: Facts = {
    set: view.set,
    pods: [...view.pods.values()],
    claim: (name) => view.claims.get(name),
    current: { name: current.metadata.name, template: templateOf(current) },
    update: { name: revision.metadata.name, template: templateOf(revision) },
    collisions: 0,
    honoursMaxUnavailable: false,
    now: view.now,
  };
  const plan = planSet(facts);
  let next: World = view === world ? { ...world, revisions } : world;
  const done: Job[] = [];
  const jobs = plan.phases.flat();
  for (const job of jobs.slice(0, calls)) {
    const after = carryOut(next, job);
    if (after === undefined) break;
    next = after;
    done.push(job);
  }
  const changed = changedStatus(view.set, done.length === jobs.length ? plan.status : plan.statusIfFailed);
  // Written under the version that was seen: an old view's status is refused.
  const writesStatus = changed !== undefined && done.length <= calls && next.set === view.set;
  if (writesStatus) next = { ...next, set: { ...next.set, status: { ...next.set.status, ...changed } } };
  if (view === world) next = { ...next, revisions: truncated(next) };
  return { world: next, facts, plan, done, wrote: done.length > 0 || writesStatus };
}

/** The API server's answer to a job; undefined when it says no. */
function carryOut(world: World, job: Job): World | undefined {
  const claims = new Map(world.claims);
  const pods = new Map(world.pods);
  let { serial } = world;
  for (const claim of job.missing) {
    if (claims.has(claim.metadata.name)) return undefined;
    claims.set(claim.metadata.name, { ...claim, metadata: { ...claim.metadata, uid: `claim-${serial++}` } });
  }
  for (const { claim, ownerReferences } of job.ties) {
    const present = claims.get(claim.metadata.name);
    if (present !== claim) return undefined;
    claims.set(claim.metadata.name, {
      ...present,
      metadata: { ...present.metadata, ownerReferences: [...ownerReferences] },
    });
  }
  const { name } = job.pod.metadata;
  const present = pods.get(name);
  switch (job.verb) {
    case "create":
      if (present !== undefined || job.dying.length > 0) return undefined;
      pods.set(name, {
        ...job.pod,
        metadata: { ...job.pod.metadata, uid: `pod-${serial++}` },
        status: { phase: "Pending" },
      });
      break;
    case "delete":
      if (present === undefined || present.metadata.uid !== job.pod.metadata.uid) return undefined;
      pods.set(name, going(present, world.now));
      break;
    case "update":
    case "fill":
    case "tie":
      break;
  }
  return collect({ ...world, pods, claims, serial });
}

/** The kubelet: every pod runs and is ready, and what should go is gone. `only`: just that one. */
export function kubelet(world: World, only?: string): World {
  const pods = new Map(world.pods);
  for (const [name, pod] of world.pods) {
    if (only !== undefined && name !== only) continue;
    if (isTerminating(pod)) pods.delete(name);
    else if (!isFinished(pod)) pods.set(name, withStatus(pod, "Running", "True", world.now));
  }
  return collect({ ...world, pods });
}

export function withStatus(pod: Pod, phase: string, ready: "True" | "False", now: number): Pod {
  const old = pod.status?.conditions?.[0];
  const since = old?.status === ready ? old.lastTransitionTime : toTimestamp(now);
  return {
    ...pod,
    status: { phase, conditions: [{ type: "Ready", status: ready, lastTransitionTime: since ?? null }] },
  };
}

export function going(pod: Pod, now: number): Pod {
  return { ...pod, metadata: { ...pod.metadata, deletionTimestamp: toTimestamp(now) } };
}

/** A person edits the set. */
export function edit(world: World, spec: Partial<StatefulSet["spec"]>): World {
  const { metadata } = world.set;
  const generation = (metadata.generation ?? 0) + 1;
  const set = { ...world.set, metadata: { ...metadata, generation }, spec: { ...world.set.spec, ...spec } };
  return { ...world, set };
}

/** The garbage collector: a claim goes when it has owners and all of them are gone. */
function collect(world: World): World {
  const alive = new Set<string | undefined>(
    [world.set as KubeObject, ...world.pods.values()].map(({ metadata }) => metadata.uid),
  );
  const kept = [...world.claims].filter(([, { metadata }]) => {
    const owners = metadata.ownerReferences ?? [];
    return owners.length === 0 || owners.some(({ uid }) => alive.has(uid));
  });
  return kept.length === world.claims.size ? world : { ...world, claims: new Map(kept) };
}

function atRevision({ set, revisions }: World): {
  readonly revisions: readonly ControllerRevision[];
  readonly revision: ControllerRevision;
} {
  const step = revisionStep(set, revisions);
  if (step.kind === "use") return { revisions, revision: step.revision };
  const revision = step.kind === "create" ? newRevision(set, step.number, 0) : { ...step.revision, revision: step.to };
  const others = revisions.filter(({ metadata }) => metadata.name !== revision.metadata.name);
  return { revisions: [...others, revision], revision };
}

function truncated({ set, revisions, pods }: World): readonly ControllerRevision[] {
  const { currentRevision = "", updateRevision = "" } = set.status ?? {};
  const live = new Set([currentRevision, updateRevision]);
  for (const pod of pods.values()) live.add(pod.metadata.labels?.["controller-revision-hash"] ?? "");
  const gone = new Set(outdated(set, revisions, live));
  return revisions.filter((revision) => !gone.has(revision));
}
