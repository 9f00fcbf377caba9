/**
 * The scheduler: gives every pending pod that asks for it a node, or says on the pod why there is none. Speaks the
 * Kubernetes API alone, so it can take over from kube-scheduler, and the other way round.
 */
import { fromTimestamp } from "../../../../core/clock.ts";
import type { PersistentVolume } from "../../../../core/types.ts";
import {
  CLAIMS,
  defineResource,
  isNotFound,
  keyOf,
  type Outcome,
  PODS,
  referenceTo,
  refOfKey,
  STORAGE_CLASSES,
  startInformer,
  VOLUMES,
} from "../../../../kube/index.ts";
import { claimUses } from "../../../../node/decide/claim-uses.ts";
import {
  type Behaviour,
  type Controller,
  type ControllerOptions,
  runController,
  type Surroundings,
} from "../../shared/run-controller.ts";
import { claimKeyOf, classNameOfVolume } from "../../volumes/decide/claim-key.ts";
import { standsForAll } from "../decide/node-selector.ts";
import { placePod, type ScheduleFacts } from "../decide/schedule.ts";
import type { Node, SchedulablePod } from "../decide/types.ts";
import { holdClaim, holdNode, holdPod, holdVolume } from "./held.ts";
import { bindPod, giveVolume, saysUnschedulable, selectNode, tellUnschedulable } from "./writes.ts";

export interface SchedulerOptions extends ControllerOptions {
  /** Pods that name another scheduler are left to it. @default default-scheduler */
  readonly schedulerName?: string;
}

const NODES = defineResource<Node>("v1", "Node", "nodes", "Cluster");
const SCHEDULABLE_PODS = defineResource<SchedulablePod>("v1", "Pod", "pods");
/** kube-scheduler's backoff for pods. */
const BACKOFF = { backoffBase: 1_000, backoffMax: 10_000 };
/** So long a new pod's claims may take to be bound before people are told that it waits for them. */
const PATIENCE = 2_000;

/** Begins at once. */
export function startScheduler(options: SchedulerOptions): Controller {
  const { schedulerName = "default-scheduler" } = options;
  const run = { workers: 4, ...options, ...BACKOFF, name: "scheduler", component: schedulerName };
  return runController(run, (surroundings) => begin(surroundings, schedulerName));
}

function begin(surroundings: Surroundings, schedulerName: string): Behaviour {
  const { client, queue, recorder, timers, logger, metrics, signal } = surroundings;
  const shared = { client, timers, logger, metrics };
  const pods = startInformer({
    ...shared,
    resource: SCHEDULABLE_PODS,
    trim: holdPod,
    indexes: { node: ({ spec }) => spec.nodeName ?? "", claim: pendingClaims },
  });
  const nodes = startInformer({ ...shared, resource: NODES, trim: holdNode });
  const claims = startInformer({ ...shared, resource: CLAIMS, trim: holdClaim });
  const volumes = startInformer({
    ...shared,
    resource: VOLUMES,
    trim: holdVolume,
    indexes: { open: (volume) => (volume.status?.phase === "Bound" ? undefined : classNameOfVolume(volume)) },
  });
  const classes = startInformer({ ...shared, resource: STORAGE_CLASSES, trim: (object) => object });

  /** Whether the pod waits for this scheduler. */
  function isOurs({ metadata, spec }: SchedulablePod): boolean {
    return (
      (spec.nodeName ?? "") === "" &&
      metadata.deletionTimestamp === undefined &&
      isAskedFor(spec.schedulerName ?? "default-scheduler") &&
      (spec.schedulingGates ?? []).length === 0
    );
  }
  /** A cluster that was imported may have had other schedulers; they have not come along. */
  function isAskedFor(name: string): boolean {
    return name === schedulerName || Iterator.from(nodes.values()).some(standsForAll);
  }
  const consider = (pod: SchedulablePod): void => {
    if (isOurs(pod)) queue.add(keyOf(pod.metadata));
  };
  const considerAll = (): void => pods.byIndex("node", "").forEach(consider);
  const considerUsers = (key: string): void => pods.byIndex("claim", key).forEach(consider);

  pods.addHandler({
    added: consider,
    // What is written on a pod that waits is mostly our own word that it does; its spec changes only at its gates.
    updated(before, after) {
      if (!isOurs(before)) consider(after);
    },
  });
  nodes.addHandler({ added: considerAll, updated: considerAll });
  classes.addHandler({ added: considerAll, updated: considerAll });
  claims.addHandler({
    added: ({ metadata }) => considerUsers(keyOf(metadata)),
    updated: (_, { metadata }) => considerUsers(keyOf(metadata)),
    deleted: ({ metadata }) => considerUsers(keyOf(metadata)),
  });
  // One that is meant for a claim matters to that claim's users alone.
  const considerVolume = (volume: PersistentVolume): void => {
    const claim = claimKeyOf(volume);
    if (claim === undefined) considerAll();
    else considerUsers(claim);
  };
  volumes.addHandler({ added: considerVolume, updated: (_, after) => considerVolume(after) });

  const facts = (): ScheduleFacts => ({
    nodes: [...nodes.values()].filter(({ metadata }) => metadata.deletionTimestamp === undefined),
    podsOn: (node) => pods.byIndex("node", node).length,
    claim: (namespace, name) => claims.get({ namespace, name }),
    volume: (name) => volumes.get({ name }),
    openVolumes: (className) => volumes.byIndex("open", className),
    storageClass: (name) => classes.get({ name }),
  });

  async function reconcile(key: string): Promise<Outcome> {
    const pod = pods.get(refOfKey(key));
    if (pod === undefined || !isOurs(pod)) return;
    try {
      return await place(pod);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  async function place(pod: SchedulablePod): Promise<Outcome> {
    const placement = placePod(pod, facts());
    const { namespace, name } = pod.metadata;
    switch (placement.kind) {
      case "bind": {
        await bindPod(client, pod, placement.node, signal);
        const message = `Successfully assigned ${namespace}/${name} to ${placement.node}`;
        recorder.event(referenceTo(PODS, pod), "Normal", "Scheduled", message);
        return;
      }
      case "select":
        for (const match of placement.volumes) {
          const written = await giveVolume(client, match, signal);
          volumes.observe(written, match.volume.metadata.resourceVersion ?? "");
        }
        for (const claim of placement.claims) {
          const written = await selectNode(client, claim, placement.node, signal);
          claims.observe(written, claim.metadata.resourceVersion ?? "");
        }
        return;
      case "wait":
        return;
      case "unschedulable":
        if (placement.passing === true && isYoung(pod)) return { after: PATIENCE };
        if (saysUnschedulable(pod, placement.message)) return;
        await tellUnschedulable(client, pod, placement.message, timers.now(), signal);
        recorder.event(referenceTo(PODS, pod), "Warning", "FailedScheduling", placement.message);
    }
  }

  function isYoung({ metadata: { creationTimestamp } }: SchedulablePod): boolean {
    return timers.now() - (fromTimestamp(creationTimestamp) ?? 0) < PATIENCE;
  }

  return { informers: [pods, nodes, claims, volumes, classes], reconcile };
}

/** `namespace/name` of the claims of a pod that has no node yet. */
function pendingClaims(pod: SchedulablePod): string[] {
  if ((pod.spec.nodeName ?? "") !== "") return [];
  return claimUses(pod).map(({ claim }) => `${pod.metadata.namespace}/${claim}`);
}
