/** A pod's status, as the kubelet would write it of a pod whose containers run well (upstream pkg/kubelet/status). */
import { toTimestamp } from "../../../../core/clock.ts";
import type { Condition } from "../../../../core/types.ts";
import type { Container, ContainerStatus, NodePod, PodStatus } from "./types.ts";

/** On a pod, for rehearsals: `"false"` keeps it from being ready. */
export const READY_ANNOTATION = "outgrow.dev/ready";

export interface StatusFacts {
  readonly pod: NodePod;
  /** Whether all of its volumes are there: its containers run from then on. */
  readonly mounted: boolean;
  readonly hostIp: string;
  /** Undefined before it has one. */
  readonly podIp: string | undefined;
  readonly now: number;
}

/** The status that the pod should have. What others wrote there, and what holds already, stays as it is. */
export function podStatus(facts: StatusFacts): PodStatus {
  const { pod, mounted, hostIp, podIp, now } = facts;
  const before = pod.status ?? {};
  const at = toTimestamp(now);
  const { containers = [], initContainers = [], ephemeralContainers = [] } = pod.spec;
  const isReady = mounted && pod.metadata.annotations?.[READY_ANNOTATION] !== "false";
  const statuses = containers.map((container) => runs(facts, container, isReady, initContainers.length > 0, at));
  const { generation } = pod.metadata;
  return {
    ...before,
    phase: mounted ? "Running" : "Pending",
    startTime: before.startTime ?? at,
    hostIP: hostIp,
    hostIPs: [{ ip: hostIp }],
    ...(podIp === undefined ? {} : { podIP: podIp, podIPs: [{ ip: podIp }] }),
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    ...(initContainers.length === 0
      ? {}
      : { initContainerStatuses: initContainers.map((container) => initialises(facts, container, isReady, at)) }),
    containerStatuses: statuses,
    ...(ephemeralContainers.length === 0 || !mounted
      ? {}
      : { ephemeralContainerStatuses: ephemeralContainers.map((container) => debugs(facts, container, at)) }),
    conditions: conditions(pod, mounted, isReady, at),
  };
}

/**
 * The status of a pod that was told to go and has stopped: its containers ended well. Only pods that somebody holds are seen like
 * that; whoever looks whether a volume is in use must not take them for running.
 */
export function endedStatus(pod: NodePod, now: number): PodStatus {
  const before = pod.status ?? {};
  const at = toTimestamp(now);
  const ended = (statuses: readonly ContainerStatus[] = []): ContainerStatus[] =>
    statuses.map((status) => {
      const { containerID = "", state } = status;
      const startedAt = state.running?.startedAt ?? at;
      const terminated = { exitCode: 0, reason: "Completed", startedAt, finishedAt: at, containerID };
      return { ...status, ready: false, started: false, state: { terminated: state.terminated ?? terminated } };
    });
  const completed: Verdict = { status: "False", reason: "PodCompleted" };
  const verdicts: Readonly<Record<string, Verdict>> = {
    PodReadyToStartContainers: { status: "False" },
    Initialized: { status: "True", reason: "PodCompleted" },
    Ready: completed,
    ContainersReady: completed,
  };
  return {
    ...before,
    phase: "Succeeded",
    containerStatuses: ended(before.containerStatuses),
    ...(before.initContainerStatuses === undefined
      ? {}
      : { initContainerStatuses: ended(before.initContainerStatuses) }),
    ...(before.ephemeralContainerStatuses === undefined
      ? {}
      : { ephemeralContainerStatuses: ended(before.ephemeralContainerStatuses) }),
    conditions: withVerdicts(before.conditions ?? [], verdicts, at),
  };
}

function runs(facts: StatusFacts, container: Container, ready: boolean, hasInit: boolean, at: string): ContainerStatus {
  const blank = notStarted(container, hasInit ? "PodInitializing" : "ContainerCreating");
  if (!facts.mounted) return blank;
  const former = formerOf(facts.pod.status?.containerStatuses, container);
  const startedAt = former?.state.running?.startedAt ?? at;
  const containerID = idOf(facts.pod, container);
  return { ...blank, containerID, ready, started: true, state: { running: { startedAt } } };
}

/** A container that was added to look into the pod. Whether it is ready says nothing of the pod. */
function debugs(facts: StatusFacts, container: Container, at: string): ContainerStatus {
  const former = formerOf(facts.pod.status?.ephemeralContainerStatuses, container);
  const startedAt = former?.state.running?.startedAt ?? at;
  const { started: _, ...blank } = notStarted(container, "ContainerCreating");
  return { ...blank, containerID: idOf(facts.pod, container), state: { running: { startedAt } } };
}

function initialises(facts: StatusFacts, container: Container, ready: boolean, at: string): ContainerStatus {
  if (container.restartPolicy === "Always") return runs(facts, container, ready, false, at);
  const blank = notStarted(container, "PodInitializing");
  if (!facts.mounted) return blank;
  const former = formerOf(facts.pod.status?.initContainerStatuses, container)?.state.terminated;
  const containerID = idOf(facts.pod, container);
  const ended = { exitCode: 0, reason: "Completed", startedAt: at, finishedAt: at, containerID };
  return { ...blank, containerID, ready: true, state: { terminated: former ?? ended } };
}

function notStarted({ name, image = "" }: Container, reason: string): ContainerStatus {
  return {
    name,
    image,
    imageID: "",
    ready: false,
    started: false,
    restartCount: 0,
    lastState: {},
    state: { waiting: { reason } },
  };
}

function formerOf(list: readonly ContainerStatus[] | undefined, { name }: Container): ContainerStatus | undefined {
  return list?.find((status) => status.name === name);
}

function idOf({ metadata: { uid = "" } }: NodePod, { name }: Container): string {
  return `outgrow://${uid}/${name}`;
}

function conditions(pod: NodePod, mounted: boolean, isReady: boolean, at: string): Condition[] {
  const before = pod.status?.conditions ?? [];
  const { initContainers = [], containers = [] } = pod.spec;
  const names = [...initContainers.filter((each) => each.restartPolicy === "Always"), ...containers].map(
    ({ name }) => name,
  );
  const unready = { reason: "ContainersNotReady", message: `containers with unready status: [${names.join(" ")}]` };
  const containersReady: Verdict = isReady ? { status: "True" } : { status: "False", ...unready };
  const incomplete = initContainers.filter((each) => each.restartPolicy !== "Always").map(({ name }) => name);
  const initialised: Verdict =
    mounted || incomplete.length === 0
      ? { status: "True" }
      : {
          status: "False",
          reason: "ContainersNotInitialized",
          message: `containers with incomplete status: [${incomplete.join(" ")}]`,
        };
  const own: Readonly<Record<string, Verdict>> = {
    PodReadyToStartContainers: { status: mounted ? "True" : "False" },
    Initialized: initialised,
    Ready: isReady ? byGates(pod) : containersReady,
    ContainersReady: containersReady,
    PodScheduled: { status: "True" },
  };
  return withVerdicts(before, own, at);
}

/** Those of others stay as they are. */
function withVerdicts(
  before: readonly Condition[],
  verdicts: Readonly<Record<string, Verdict>>,
  at: string,
): Condition[] {
  return [
    ...before.filter(({ type }) => verdicts[type] === undefined),
    ...Object.entries(verdicts).map(([type, verdict]) => condition(type, verdict, before, at)),
  ];
}

interface Verdict {
  readonly status: "True" | "False";
  readonly reason?: string;
  readonly message?: string;
}

function condition(type: string, verdict: Verdict, before: readonly Condition[], at: string): Condition {
  const former = before.find((each) => each.type === type);
  const since = former?.status === verdict.status ? (former.lastTransitionTime ?? at) : at;
  return { type, ...verdict, lastProbeTime: null, lastTransitionTime: since };
}

/** A pod whose containers are ready is ready when its gates are open. */
function byGates({ spec, status }: NodePod): Verdict {
  const closed = (spec.readinessGates ?? []).flatMap(({ conditionType }) => {
    const found = status?.conditions?.find(({ type }) => type === conditionType);
    const named = JSON.stringify(conditionType);
    if (found === undefined) return [`corresponding condition of pod readiness gate ${named} does not exist.`];
    return found.status === "True"
      ? []
      : [`the status of pod readiness gate ${named} is not "True", but ${found.status}`];
  });
  if (closed.length === 0) return { status: "True" };
  return { status: "False", reason: "ReadinessGatesNotReady", message: closed.join(", ") };
}
