import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../json.ts";
import { cellsByName, made, NOW } from "../fixtures.ts";
import { tableFor } from "../table.ts";
import { pods } from "./pods.ts";

const running: JsonObject = { running: {} };
const waiting = (reason: string): JsonObject => ({ waiting: { reason } });
const ended = (exitCode: number, more: JsonObject = {}): JsonObject => ({ terminated: { exitCode, ...more } });
const container = (name: string, state: JsonObject, more: JsonObject = {}): JsonObject => ({ name, state, ...more });
const restarted = (restartCount: number, finishedAt: string): JsonObject => ({
  restartCount,
  lastState: { terminated: { finishedAt } },
});

const ONE: JsonObject = { containers: [{ name: "a" }] };
const TWO: JsonObject = { containers: [{ name: "a" }, { name: "b" }] };
const INIT: JsonObject = { ...ONE, initContainers: [{ name: "i" }, { name: "j" }] };
const SIDECAR: JsonObject = { ...ONE, initContainers: [{ name: "i", restartPolicy: "Always" }] };
const READY: JsonObject = { type: "Ready", status: "True" };
const INITIALIZED: JsonObject = { type: "Initialized", status: "True" };
const COMPLETED = ended(0, { reason: "Completed" });
const DELETED = { deletionTimestamp: "2026-03-01T11:59:00Z" };

interface Case {
  readonly name: string;
  readonly spec?: JsonObject;
  readonly status: JsonObject;
  readonly metadata?: JsonObject;
  readonly shows: readonly [ready: string, status: string, restarts: string];
}

const CASES: readonly Case[] = [
  { name: "nothing is known yet", status: { phase: "Pending" }, shows: ["0/1", "Pending", "0"] },
  {
    name: "it runs",
    status: { phase: "Running", conditions: [READY], containerStatuses: [container("a", running, { ready: true })] },
    shows: ["1/1", "Running", "0"],
  },
  {
    name: "it is being created",
    status: { phase: "Pending", containerStatuses: [container("a", waiting("ContainerCreating"))] },
    shows: ["0/1", "ContainerCreating", "0"],
  },
  {
    name: "it crashes again and again",
    status: {
      phase: "Running",
      containerStatuses: [container("a", waiting("CrashLoopBackOff"), restarted(7, "2026-03-01T11:56:55Z"))],
    },
    shows: ["0/1", "CrashLoopBackOff", "7 (3m5s ago)"],
  },
  {
    name: "restarts without a moment are only counted",
    status: { phase: "Running", containerStatuses: [container("a", running, { ready: true, restartCount: 2 })] },
    shows: ["1/1", "Running", "2"],
  },
  {
    name: "the latest of several restarts is told",
    spec: TWO,
    status: {
      phase: "Running",
      containerStatuses: [
        container("a", running, { ready: true, ...restarted(1, "2026-03-01T11:59:00Z") }),
        container("b", running, { ready: true, ...restarted(2, "2026-03-01T10:00:00Z") }),
      ],
    },
    shows: ["2/2", "Running", "3 (60s ago)"],
  },
  {
    name: "it has completed",
    status: { phase: "Succeeded", containerStatuses: [container("a", COMPLETED)] },
    shows: ["0/1", "Completed", "0"],
  },
  {
    name: "it has failed",
    status: { phase: "Failed", containerStatuses: [container("a", ended(1, { reason: "Error" }))] },
    shows: ["0/1", "Error", "0"],
  },
  {
    name: "it ended without a reason",
    status: { phase: "Running", containerStatuses: [container("a", ended(3))] },
    shows: ["0/1", "ExitCode:3", "0"],
  },
  {
    name: "it was killed",
    status: { phase: "Running", containerStatuses: [container("a", ended(137, { signal: 9 }))] },
    shows: ["0/1", "Signal:9", "0"],
  },
  { name: "it was evicted", status: { phase: "Failed", reason: "Evicted" }, shows: ["0/1", "Evicted", "0"] },
  {
    name: "it is gated",
    status: { phase: "Pending", conditions: [{ type: "PodScheduled", status: "False", reason: "SchedulingGated" }] },
    shows: ["0/1", "SchedulingGated", "0"],
  },
  {
    name: "one has completed and the pod is ready",
    spec: TWO,
    status: {
      phase: "Running",
      conditions: [READY],
      containerStatuses: [container("a", COMPLETED), container("b", running, { ready: true })],
    },
    shows: ["1/2", "Running", "0"],
  },
  {
    name: "one has completed and the pod is not ready",
    spec: TWO,
    status: {
      phase: "Running",
      containerStatuses: [container("a", COMPLETED), container("b", running, { ready: true })],
    },
    shows: ["1/2", "NotReady", "0"],
  },
  {
    name: "one has completed and the other has failed",
    spec: TWO,
    status: {
      phase: "Failed",
      containerStatuses: [container("a", COMPLETED), container("b", ended(2, { reason: "OOMKilled" }))],
    },
    shows: ["0/2", "OOMKilled", "0"],
  },
  {
    name: "the first init container has not finished",
    spec: INIT,
    status: { phase: "Pending", initContainerStatuses: [container("i", waiting("PodInitializing"))] },
    shows: ["0/1", "Init:0/2", "0"],
  },
  {
    name: "the second init container runs",
    spec: INIT,
    status: {
      phase: "Pending",
      initContainerStatuses: [
        container("i", COMPLETED, { restartCount: 1 }),
        container("j", running, restarted(2, "2026-03-01T11:59:00Z")),
      ],
    },
    shows: ["0/1", "Init:1/2", "3 (60s ago)"],
  },
  {
    name: "an init container crashes",
    spec: INIT,
    status: { phase: "Pending", initContainerStatuses: [container("i", waiting("CrashLoopBackOff"))] },
    shows: ["0/1", "Init:CrashLoopBackOff", "0"],
  },
  {
    name: "an init container failed",
    spec: INIT,
    status: { phase: "Pending", initContainerStatuses: [container("i", ended(5))] },
    shows: ["0/1", "Init:ExitCode:5", "0"],
  },
  {
    name: "restarts of init containers no longer count once it is initialized",
    spec: INIT,
    status: {
      phase: "Running",
      conditions: [INITIALIZED, READY],
      initContainerStatuses: [container("i", COMPLETED, { restartCount: 4 }), container("j", COMPLETED)],
      containerStatuses: [container("a", running, { ready: true, restartCount: 1 })],
    },
    shows: ["1/1", "Running", "1"],
  },
  {
    name: "a sidecar counts as a container",
    spec: SIDECAR,
    status: {
      phase: "Running",
      conditions: [READY],
      initContainerStatuses: [container("i", running, { started: true, ready: true, restartCount: 2 })],
      containerStatuses: [container("a", running, { ready: true })],
    },
    shows: ["2/2", "Running", "2"],
  },
  {
    name: "it is being deleted",
    status: { phase: "Running", containerStatuses: [container("a", running, { ready: true })] },
    metadata: DELETED,
    shows: ["1/1", "Terminating", "0"],
  },
  {
    name: "it is being deleted while it initializes",
    spec: INIT,
    status: { phase: "Pending", initContainerStatuses: [container("i", running)] },
    metadata: DELETED,
    shows: ["0/1", "Terminating", "0"],
  },
  {
    name: "it is being deleted on a node that is lost (NodeLost)",
    status: { phase: "Running", reason: "NodeLost" },
    metadata: DELETED,
    shows: ["0/1", "Unknown", "0"],
  },
  {
    name: "it is deleted after it has completed",
    status: { phase: "Succeeded", containerStatuses: [container("a", COMPLETED)] },
    metadata: DELETED,
    shows: ["0/1", "Completed", "0"],
  },
];

describe("ready, status and restarts of a pod, when", () => {
  test.each(CASES)("$name", ({ spec = ONE, status, metadata, shows }) => {
    const { Ready, Status, Restarts } = cellsByName(pods, made({ spec, status }, metadata));
    expect([Ready, Status, Restarts]).toEqual(shows);
  });
});

test("wide columns tell where it is", () => {
  const gates = [{ conditionType: "x" }, { conditionType: "y" }];
  const pod = made({
    spec: { ...ONE, nodeName: "node-a", readinessGates: gates },
    status: {
      podIPs: [{ ip: "10.0.0.7" }, { ip: "fd00::7" }],
      nominatedNodeName: "node-b",
      conditions: [{ type: "x", status: "True" }],
    },
  });
  expect(pods.cells(pod, NOW).slice(4)).toEqual(["5d12h", "10.0.0.7", "node-a", "node-b", "1/2"]);
  expect(pods.cells(made({}), NOW).slice(4)).toEqual(["5d12h", "<none>", "<none>", "<none>", "<none>"]);
  expect(cellsByName(pods, made({ status: { podIP: "10.0.0.8" } }))["IP"]).toBe("10.0.0.8");
});

test.each([
  ["Succeeded", "The pod has completed successfully."],
  ["Failed", "The pod failed."],
])("the row of a pod that has %s says so", (phase, message) => {
  const { rows } = tableFor(pods, [made({ status: { phase } })], { now: NOW, includeObject: "None" });
  expect(rows[0]?.conditions).toEqual([{ type: "Completed", status: "True", reason: phase, message }]);
});

test("the row of a pod that runs says nothing", () => {
  const { rows } = tableFor(pods, [made({ status: { phase: "Running" } })], { now: NOW, includeObject: "None" });
  expect(rows[0]).not.toHaveProperty("conditions");
});
