import { describe, expect, test } from "vitest";
import { endedStatus, podStatus, type StatusFacts } from "./pod-status.ts";
import type { NodePod, PodStatus } from "./types.ts";

const NOW = Date.UTC(2026, 10, 16, 3, 0, 0);
const LATER = NOW + 60_000;

function aPod(change: Partial<NodePod["spec"]> = {}, annotations: Record<string, string> = {}): NodePod {
  return {
    metadata: { name: "db-0", namespace: "prod", uid: "u1", annotations, generation: 1 },
    spec: { containers: [{ name: "main", image: "db:1" }], ...change },
  };
}

function statusOf(pod: NodePod, change: Partial<StatusFacts> = {}): PodStatus {
  return podStatus({ pod, mounted: true, hostIp: "127.0.0.1", podIp: "10.244.0.2", now: NOW, ...change });
}

const verdicts = ({ conditions = [] }: PodStatus): Record<string, string> =>
  Object.fromEntries(
    conditions.map(({ type, status, reason }) => [type, reason === undefined ? status : `${status} ${reason}`]),
  );

describe("a pod whose volumes are not there yet", () => {
  test("is pending, and its containers are being created", () => {
    const status = statusOf(aPod(), { mounted: false, podIp: undefined });
    expect(status.phase).toBe("Pending");
    expect(status.podIP).toBeUndefined();
    expect(status.containerStatuses?.[0]?.state).toEqual({ waiting: { reason: "ContainerCreating" } });
    expect(verdicts(status)).toEqual({
      PodReadyToStartContainers: "False",
      Initialized: "True",
      Ready: "False ContainersNotReady",
      ContainersReady: "False ContainersNotReady",
      PodScheduled: "True",
    });
  });

  test("with init containers is not initialized either", () => {
    const pod = aPod({ initContainers: [{ name: "first" }, { name: "proxy", restartPolicy: "Always" }] });
    const status = statusOf(pod, { mounted: false });
    expect(status.containerStatuses?.[0]?.state).toEqual({ waiting: { reason: "PodInitializing" } });
    expect(verdicts(status)["Initialized"]).toBe("False ContainersNotInitialized");
    expect(status.conditions?.find(({ type }) => type === "Initialized")?.message).toBe(
      "containers with incomplete status: [first]",
    );
  });
});

describe("a pod whose volumes are there", () => {
  test("runs and is ready", () => {
    const status = statusOf(aPod());
    expect(status).toMatchObject({
      phase: "Running",
      startTime: "2026-11-16T03:00:00Z",
      hostIP: "127.0.0.1",
      podIP: "10.244.0.2",
      podIPs: [{ ip: "10.244.0.2" }],
      observedGeneration: 1,
    });
    expect(status.containerStatuses).toEqual([
      {
        name: "main",
        image: "db:1",
        imageID: "",
        containerID: "outgrow://u1/main",
        ready: true,
        started: true,
        restartCount: 0,
        lastState: {},
        state: { running: { startedAt: "2026-11-16T03:00:00Z" } },
      },
    ]);
    expect(new Set(Object.values(verdicts(status)))).toEqual(new Set(["True"]));
  });

  test("whose init containers have ended, but for sidecars, which run", () => {
    const pod = aPod({ initContainers: [{ name: "first" }, { name: "proxy", restartPolicy: "Always" }] });
    const [first, proxy] = statusOf(pod).initContainerStatuses ?? [];
    expect(first?.state.terminated).toMatchObject({ exitCode: 0, reason: "Completed" });
    expect(proxy?.state.running).toBeDefined();
  });

  test("and which is looked at again a minute later has the same status", () => {
    const pod = aPod({ initContainers: [{ name: "first" }] });
    const before = statusOf(pod);
    expect(statusOf({ ...pod, status: before }, { now: LATER })).toEqual(before);
  });

  test("keeps what others wrote on it", () => {
    const theirs = { type: "example.com/gate", status: "True" };
    const pod = { ...aPod(), status: { conditions: [theirs], qosClass: "BestEffort" } };
    const status = statusOf(pod);
    expect(status.conditions).toContainEqual(theirs);
    expect(status).toMatchObject({ qosClass: "BestEffort" });
  });

  test("is kept from being ready by its annotation, and knows since when", () => {
    const ready = statusOf(aPod());
    const pod = { ...aPod({}, { "outgrow.dev/ready": "false" }), status: ready };
    const status = statusOf(pod, { now: LATER });
    expect(status.phase).toBe("Running");
    expect(status.containerStatuses?.[0]?.ready).toBe(false);
    expect(status.conditions?.find(({ type }) => type === "Ready")).toEqual({
      type: "Ready",
      status: "False",
      reason: "ContainersNotReady",
      message: "containers with unready status: [main]",
      lastProbeTime: null,
      lastTransitionTime: "2026-11-16T03:01:00Z",
    });
  });

  test.each([
    [undefined, 'corresponding condition of pod readiness gate "example.com/gate" does not exist.'],
    ["False", 'the status of pod readiness gate "example.com/gate" is not "True", but False'],
    ["True", undefined],
  ])("waits for its readiness gate, which is %s", (gate, message) => {
    const conditions = gate === undefined ? [] : [{ type: "example.com/gate", status: gate }];
    const pod = { ...aPod({ readinessGates: [{ conditionType: "example.com/gate" }] }), status: { conditions } };
    const ready = statusOf(pod).conditions?.find(({ type }) => type === "Ready");
    expect([ready?.status, ready?.message]).toEqual([message === undefined ? "True" : "False", message]);
  });
});

describe("a pod that has stopped and is held by somebody", () => {
  const running = (): NodePod => {
    const pod = aPod({ initContainers: [{ name: "first" }, { name: "proxy", restartPolicy: "Always" }] });
    return { ...pod, status: statusOf(pod) };
  };

  test("has ended well, and so have its containers", () => {
    const status = endedStatus(running(), LATER);
    expect(status.phase).toBe("Succeeded");
    expect(verdicts(status)).toEqual({
      PodReadyToStartContainers: "False",
      Initialized: "True PodCompleted",
      Ready: "False PodCompleted",
      ContainersReady: "False PodCompleted",
      PodScheduled: "True",
    });
    expect(status.containerStatuses?.[0]).toMatchObject({
      ready: false,
      started: false,
      state: {
        terminated: {
          exitCode: 0,
          reason: "Completed",
          startedAt: "2026-11-16T03:00:00Z",
          finishedAt: "2026-11-16T03:01:00Z",
        },
      },
    });
  });

  test("and whose init containers ended long ago still say when", () => {
    const before = running();
    const [first, proxy] = endedStatus(before, LATER).initContainerStatuses ?? [];
    expect(first?.state).toEqual(before.status?.initContainerStatuses?.[0]?.state);
    expect(proxy?.state.terminated?.finishedAt).toBe("2026-11-16T03:01:00Z");
  });

  test("looked at again, has the same status", () => {
    const pod = running();
    const status = endedStatus(pod, NOW);
    expect(endedStatus({ ...pod, status }, LATER)).toEqual(status);
  });
});

describe("a container that was added to look into a pod", () => {
  const looking = aPod({ ephemeralContainers: [{ name: "shell", image: "busybox" }] });

  test("runs from then on, and keeps its time", () => {
    const status = statusOf(looking);
    expect(status.ephemeralContainerStatuses).toMatchObject([
      { name: "shell", image: "busybox", state: { running: { startedAt: "2026-11-16T03:00:00Z" } } },
    ]);
    expect(statusOf({ ...looking, status }, { now: LATER }).ephemeralContainerStatuses).toEqual(
      status.ephemeralContainerStatuses,
    );
    expect(endedStatus({ ...looking, status }, LATER).ephemeralContainerStatuses?.[0]?.state.terminated?.exitCode).toBe(
      0,
    );
  });

  test("is not there before the pod runs, or when there is none", () => {
    expect(statusOf(looking, { mounted: false }).ephemeralContainerStatuses).toBeUndefined();
    expect(statusOf(aPod()).ephemeralContainerStatuses).toBeUndefined();
  });
});
