/** The pods of the node, through their lives: volumes first, then running, and at the end everything given back. */
import { messageOf } from "../../../../core/errors.ts";
import {
  createWorkQueue,
  defineResource,
  type EventRecorder,
  isConflict,
  isNotFound,
  type KubeClient,
  type Logger,
  type Metrics,
  mergePatch,
  type Outcome,
  PODS,
  referenceTo,
  refOf,
  runWorkers,
  settledOrAborted,
  startInformer,
  type Timers,
  withoutManagedFields,
  withPrecondition,
} from "../../../../kube/index.ts";
import { hasEnded } from "../../../../node/decide/claim-uses.ts";
import type { PodVolumes } from "../apply/volumes.ts";
import { BEFORE_ALL, nextAddress } from "../decide/addresses.ts";
import { endedStatus, podStatus } from "../decide/pod-status.ts";
import type { NodePod, PodStatus } from "../decide/types.ts";

export interface PodsOptions {
  readonly client: KubeClient;
  readonly nodeName: string;
  readonly hostIp: string;
  readonly volumes: PodVolumes;
  /** Pods that had volumes in a former run; those that are gone by now have theirs taken back. */
  readonly former: readonly string[];
  /** A pod has all its volumes. */
  readonly onMounted: () => void;
  readonly recorder: Pick<EventRecorder, "event">;
  readonly workers: number;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

export interface NodePods {
  /** Resolves when the pods of the node are known. */
  readonly synced: Promise<void>;
  /** Begins nothing new, and waits for what is under way. Volumes stay where they are. May be called twice. */
  stop(): Promise<void>;
}

const NODE_PODS = defineResource<NodePod>("v1", "Pod", "pods");
/** The kubelet's backoff for what fails on a volume. */
const BACKOFF = { backoffBase: 500, backoffMax: 122_000 };
const DRAIN = 1_000;

/** Begins at once. */
export function startPods(options: PodsOptions): NodePods {
  const { client, nodeName, hostIp, volumes, recorder, timers, logger, metrics, workers } = options;
  const pods = startInformer({
    client,
    timers,
    logger,
    metrics,
    resource: NODE_PODS,
    fieldSelector: `spec.nodeName=${nodeName}`,
    trim: withoutManagedFields,
    indexes: { uid: ({ metadata }) => metadata.uid ?? "", address: ({ status }) => status?.podIP ?? "" },
  });
  const queue = createWorkQueue({ name: "node-pods", ...BACKOFF, timers, metrics });
  const stopping = new AbortController();
  const fence = new AbortController();
  /** By uid: an address that was given and is perhaps not on the pod yet. */
  const addresses = new Map<string, string>();
  /** By uid: pods whose end was told to the API server and is perhaps not seen yet. */
  const ended = new Set<string>();
  let lastNumber = BEFORE_ALL;

  const look = ({ metadata }: NodePod): void => queue.add(metadata.uid ?? "");
  pods.addHandler({ added: look, updated: (_, pod) => look(pod), deleted: look });

  /** A pod is known by its uid: another of the same name has another life. */
  async function reconcile(uid: string): Promise<Outcome> {
    const [pod] = pods.byIndex("uid", uid);
    if (pod === undefined) ended.delete(uid);
    try {
      if (pod === undefined) await release(uid);
      else if (pod.metadata.deletionTimestamp !== undefined) await terminate(pod, uid);
      else if (hasEnded(pod)) await release(uid);
      else await keepRunning(pod);
    } catch (error) {
      // Gone, or somebody wrote it meanwhile: the watch brings what is there now.
      if (!isNotFound(error) && !isConflict(error)) throw error;
      logger.debug({ pod: uid, why: messageOf(error) }, "overtaken");
      return { after: BACKOFF.backoffBase };
    }
  }

  async function release(uid: string): Promise<void> {
    await volumes.unmount(uid, fence.signal);
    addresses.delete(uid);
  }

  async function terminate(pod: NodePod, uid: string): Promise<void> {
    const { deletionGracePeriodSeconds, finalizers = [] } = pod.metadata;
    await release(uid);
    // The API server itself first writes that no time is left, and only then removes the pod: two events for one deletion.
    if (ended.has(uid)) return;
    // One that nobody holds is gone before anybody could read it.
    if (finalizers.length > 0 && !hasEnded(pod)) await writeStatus(pod, endedStatus(pod, timers.now()));
    // Said already; now it is up to whoever put a finalizer on it.
    if (deletionGracePeriodSeconds === 0 && finalizers.length > 0) return;
    for (const { name } of pod.spec.containers ?? []) {
      recorder.event(referenceTo(PODS, pod), "Normal", "Killing", `Stopping container ${name}`);
    }
    await client.delete(NODE_PODS, refOf(pod), { gracePeriodSeconds: 0, preconditions: { uid } }, fence.signal);
    ended.add(uid);
  }

  async function keepRunning(pod: NodePod): Promise<void> {
    let failure: Error | undefined;
    try {
      await volumes.mount(pod, fence.signal);
    } catch (error) {
      // Of our own: a claim that is not found is no reason to believe that the pod is gone.
      failure = new Error(messageOf(error), { cause: error });
    }
    // A pod that runs goes on running while its volumes are brought back after a restart of the node.
    const wasRunning = pod.status?.phase === "Running";
    const mounted = failure === undefined || wasRunning;
    const podIp = mounted ? addressOf(pod) : undefined;
    await writeStatus(pod, podStatus({ pod, mounted, hostIp, podIp, now: timers.now() }));
    if (failure !== undefined) {
      if (!stopping.signal.aborted) recorder.event(referenceTo(PODS, pod), "Warning", "FailedMount", failure.message);
      throw failure;
    }
    options.onMounted();
    if (wasRunning) return;
    for (const _ of pod.spec.containers ?? []) {
      recorder.event(referenceTo(PODS, pod), "Normal", "Started", "Container started");
    }
  }

  async function writeStatus(pod: NodePod, status: PodStatus): Promise<void> {
    const patch = mergePatch({ status: pod.status ?? {} }, { status });
    if (patch === undefined) return;
    const body = withPrecondition(patch, pod);
    const written = await client.patch(
      NODE_PODS,
      refOf(pod),
      { type: "merge", body },
      { subresource: "status" },
      fence.signal,
    );
    pods.observe(written, pod.metadata.resourceVersion ?? "");
  }

  function addressOf({ metadata: { uid = "" }, spec, status }: NodePod): string {
    if (spec.hostNetwork === true) return hostIp;
    const known = status?.podIP ?? addresses.get(uid);
    if (known !== undefined) return known;
    const given = new Set(addresses.values());
    const next = nextAddress(
      lastNumber,
      (address) => given.has(address) || pods.byIndex("address", address).length > 0,
    );
    if (next === undefined) throw new Error("all addresses for pods are taken");
    lastNumber = next.number;
    addresses.set(uid, next.address);
    return next.address;
  }

  async function run(): Promise<void> {
    await settledOrAborted(pods.synced, stopping.signal);
    // Also when it was stopped before that: the queue is shut down below.
    for (const uid of options.former) queue.add(uid);
    await runWorkers({ queue, workers, reconcile, logger, timers, drain: DRAIN }, stopping.signal);
  }
  const running = run();

  return {
    synced: pods.synced,
    async stop() {
      stopping.abort(new DOMException("the node was stopped", "AbortError"));
      await running;
      fence.abort(stopping.signal.reason);
      await pods.stop();
    },
  };
}
