/** Pods in all the states that their status column tells of. */
import type { Actor } from "./scene.ts";

const LONG_AGO = "2025-01-02T03:04:05Z";
const LATER = "2025-06-07T08:09:10Z";

const running = { running: { startedAt: LONG_AGO } };
const waiting = (reason: string) => ({ waiting: { reason } });
const ended = (exitCode: number, more: object = {}) => ({
  terminated: { exitCode, startedAt: LONG_AGO, finishedAt: LATER, ...more },
});

function containerStatus(name: string, state: object, more: object = {}): object {
  return { name, state, ready: false, restartCount: 0, image: "none", imageID: "", lastState: {}, ...more };
}
const main = (state: object, more: object = {}) => containerStatus("main", state, more);
const restarted = (restartCount: number) => ({ restartCount, lastState: ended(1, { reason: "Error" }) });
const READY = [{ type: "Ready", status: "True" }];

interface PodState {
  readonly spec?: object;
  readonly status?: object;
  readonly deleted?: boolean;
}

const INIT = {
  initContainers: [
    { name: "first", image: "none" },
    { name: "second", image: "none" },
  ],
};
const SIDECAR = { initContainers: [{ name: "first", image: "none", restartPolicy: "Always" }] };
const TWO = {
  containers: [
    { name: "main", image: "none" },
    { name: "other", image: "none" },
  ],
};
const initially = (...initContainerStatuses: object[]) => ({ phase: "Pending", initContainerStatuses });

const STATES: Readonly<Record<string, PodState>> = {
  fresh: {},
  running: {
    spec: { nodeName: "node-a" },
    status: {
      phase: "Running",
      conditions: READY,
      podIP: "10.0.0.7",
      podIPs: [{ ip: "10.0.0.7" }, { ip: "fd00::7" }],
      containerStatuses: [main(running, { ready: true })],
    },
  },
  nominated: { status: { phase: "Pending", nominatedNodeName: "node-b" } },
  completed: { status: { phase: "Succeeded", containerStatuses: [main(ended(0, { reason: "Completed" }))] } },
  failed: { status: { phase: "Failed", containerStatuses: [main(ended(1, { reason: "Error" }))] } },
  evicted: { status: { phase: "Failed", reason: "Evicted", message: "low on disk" } },
  crashing: {
    status: { phase: "Running", containerStatuses: [main(waiting("CrashLoopBackOff"), restarted(7))] },
  },
  "exit-code": { status: { phase: "Running", containerStatuses: [main(ended(3))] } },
  signal: { status: { phase: "Running", containerStatuses: [main(ended(137, { signal: 9 }))] } },
  creating: { status: { phase: "Pending", containerStatuses: [main(waiting("ContainerCreating"))] } },
  "waiting-silently": { status: { phase: "Pending", containerStatuses: [main({ waiting: {} })] } },
  gated: { spec: { schedulingGates: [{ name: "example.com/gate" }] } },
  gates: {
    spec: { readinessGates: [{ conditionType: "example.com/a" }, { conditionType: "example.com/b" }] },
    status: {
      phase: "Running",
      conditions: [
        { type: "example.com/a", status: "True" },
        { type: "example.com/b", status: "False" },
      ],
    },
  },
  "one-completed-one-running": {
    spec: TWO,
    status: {
      phase: "Running",
      conditions: READY,
      containerStatuses: [main(ended(0, { reason: "Completed" })), containerStatus("other", running, { ready: true })],
    },
  },
  "one-completed-one-running-not-ready": {
    spec: TWO,
    status: {
      phase: "Running",
      containerStatuses: [main(ended(0, { reason: "Completed" })), containerStatus("other", running, { ready: true })],
    },
  },
  "one-completed-one-failed": {
    spec: TWO,
    status: {
      phase: "Failed",
      containerStatuses: [
        main(ended(0, { reason: "Completed" })),
        containerStatus("other", ended(2, { reason: "Error" }), restarted(2)),
      ],
    },
  },
  "init-waiting": {
    spec: INIT,
    status: initially(
      containerStatus("first", waiting("PodInitializing")),
      containerStatus("second", waiting("PodInitializing")),
    ),
  },
  "init-second": {
    spec: INIT,
    status: initially(
      containerStatus("first", ended(0, { reason: "Completed" }), { ready: true }),
      containerStatus("second", running, restarted(1)),
    ),
  },
  "init-crashing": {
    spec: INIT,
    status: initially(containerStatus("first", waiting("CrashLoopBackOff"), restarted(4))),
  },
  "init-error": { spec: INIT, status: initially(containerStatus("first", ended(1, { reason: "Error" }))) },
  "init-exit-code": { spec: INIT, status: initially(containerStatus("first", ended(5))) },
  "init-signal": { spec: INIT, status: initially(containerStatus("first", ended(137, { signal: 9 }))) },
  "init-done": {
    spec: INIT,
    status: {
      phase: "Running",
      conditions: [{ type: "Initialized", status: "True" }, ...READY],
      initContainerStatuses: [
        containerStatus("first", ended(0, { reason: "Completed" }), restarted(3)),
        containerStatus("second", ended(0, { reason: "Completed" })),
      ],
      containerStatuses: [main(running, { ready: true, ...restarted(1) })],
    },
  },
  "init-again": {
    spec: INIT,
    status: {
      phase: "Running",
      conditions: [{ type: "Initialized", status: "True" }],
      initContainerStatuses: [containerStatus("first", running)],
      containerStatuses: [main(running, { ready: true })],
    },
  },
  sidecar: {
    spec: SIDECAR,
    status: {
      phase: "Running",
      conditions: READY,
      initContainerStatuses: [containerStatus("first", running, { started: true, ready: true, ...restarted(2) })],
      containerStatuses: [main(running, { ready: true })],
    },
  },
  "sidecar-not-started": {
    spec: SIDECAR,
    status: initially(containerStatus("first", running, { started: false, ...restarted(2) })),
  },
  terminating: {
    spec: { nodeName: "node-a" },
    status: { phase: "Running", containerStatuses: [main(running, { ready: true })] },
    deleted: true,
  },
  "node-lost": { status: { phase: "Running", reason: "NodeLost" }, deleted: true },
  "completed-and-deleted": {
    status: { phase: "Succeeded", containerStatuses: [main(ended(0, { reason: "Completed" }))] },
    deleted: true,
  },
};

export const PODS: readonly Actor[] = Object.entries(STATES).map(([name, { spec, status, deleted }]) => ({
  kind: "Pod",
  name,
  body: { spec: { containers: [{ name: "main", image: "none" }], ...spec } },
  ...(status === undefined ? {} : { status }),
  ...(deleted === undefined ? {} : { deleted }),
}));
