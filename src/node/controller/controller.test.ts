import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readClaim } from "../../core/claim.ts";
import { until } from "../../kube/testing/until.ts";
import { createNodeWorld, DRIVER, type NodeWorld } from "../testing/world.ts";

let world: NodeWorld;
beforeEach(async () => {
  world = await createNodeWorld();
});
afterEach(() => world.stop());

const state = (name?: string): string => readClaim(world.claim(name)).state;
const grown = (name?: string): boolean => world.claim(name).status?.capacity?.["storage"] === "20Gi";
const patches = (): number => world.server.requests.filter(({ method }) => method === "PATCH").length;
const expansionsAre = (...sizes: string[]): Promise<unknown> =>
  until(
    `expansions to be ${sizes.join()}, not ${world.expansions().join()}`,
    () => world.expansions().join() === sizes.join(),
  );

/** Whatever was to be done before this is done when this claim has grown: there is one worker. */
async function settled(): Promise<void> {
  world.add({ name: "barrier" });
  world.addPod("barrier", false, "barrier");
  await until("the barrier", () => grown("barrier"));
  world.removePod("barrier");
}

describe("a volume that the controller has grown", () => {
  test("is grown on the node where a pod has it, and the claim says so", async () => {
    world.add({ conditions: [{ kind: "resizing" }, { kind: "file-system-pending" }] });
    world.addPod();
    world.growth();
    await until("the claim to be grown", () => grown() && state() === "none");
    expect(world.expansions()).toEqual(["20Gi"]);
    expect(readClaim(world.claim()).conditions.size).toBe(0);
    expect(patches()).toBe(2);
    await until("the events", () => world.told.length === 2);
    expect(world.told).toEqual([
      "Pod db-0 FileSystemResizeSuccessful",
      "PersistentVolumeClaim data FileSystemResizeSuccessful",
    ]);
    const labels = {
      volume_plugin: `kubernetes.io/csi:${DRIVER}`,
      operation_name: "volume_fs_resize",
      status: "success",
    };
    expect(world.metrics.value("storage_operation_duration_seconds", labels)).toBeDefined();
  });

  test("waits for a pod of this node, and for the pod to have it mounted", async () => {
    world.add();
    world.growth();
    await settled();
    expect(world.expansions()).toEqual(["20Gi"]);
    world.driver.forgetCalls();
    world.mounted = false;
    const { looked } = world;
    world.addPod();
    await until("somebody to look for the mount", () => world.looked > looked);
    expect(world.expansions()).toEqual([]);
    world.mounted = true;
    await world.timers.advance(10_000);
    await expansionsAre("20Gi");
  });

  test("is not grown through a read-only mount; people are told, once", async () => {
    world.add();
    world.addPod("data", true);
    world.growth();
    await settled();
    world.patch("persistentvolumes", "pv-data", { metadata: { labels: { touched: "1" } } });
    await settled();
    expect(world.told.filter((each) => each.includes("Failed"))).toEqual([
      "Pod db-0 FileSystemResizeFailed",
      "PersistentVolumeClaim data FileSystemResizeFailed",
    ]);
    expect(state()).toBe("node-pending");
  });

  test("is grown as raw block, too", async () => {
    world.add({ volumeMode: "Block" });
    world.addPod();
    world.growth();
    await until("the claim to be grown", () => grown());
    expect(world.expansions()).toEqual(["20Gi"]);
  });

  test("of another driver is left alone", async () => {
    world.add({ volumeSpec: { csi: { driver: "other.example.com", volumeHandle: "v" } } });
    world.addPod();
    world.growth();
    await settled();
    expect(state()).toBe("node-pending");
  });

  test("by hand, with nothing recorded on a claim at rest, is grown to the volume's size", async () => {
    world.add({ request: "10Gi", capacity: "10Gi", allocated: null, state: "none", volume: "10Gi" });
    world.addPod();
    world.growth();
    await settled();
    world.driver.setVolume("vol-data", { backendBytes: 20n * 2n ** 30n });
    world.patch("persistentvolumes", "pv-data", { spec: { capacity: { storage: "20Gi" } } });
    await until("the claim to be grown", () => grown());
  });

  test("and that several nodes share is grown here as well, once, when another has finished the claim", async () => {
    world.add({ accessModes: ["ReadWriteMany"], state: "none", capacity: "20Gi" });
    world.addPod();
    world.growth();
    await expansionsAre("20Gi");
    world.patch("persistentvolumes", "pv-data", { spec: { capacity: { storage: "21Gi" } } });
    await settled();
    expect(world.expansions()).toEqual(["20Gi", "20Gi"]);
    expect(
      world.driver.calls().filter(({ volumeId, method }) => volumeId === "vol-data" && method === "NodeExpandVolume"),
    ).toHaveLength(1);
  });
});

describe("when the driver fails", () => {
  test("for good, the size is infeasible, and the next one is tried", async () => {
    world.answer({ aboveBytes: 15n * 2n ** 30n, answer: { kind: "error", code: "OutOfRange", message: "too large" } });
    world.add();
    world.addPod();
    world.growth();
    await until("it to be infeasible", () => state() === "node-infeasible");
    const { conditions } = readClaim(world.claim());
    expect(conditions.get("node-error")?.message).toBe(
      "failed to expand pvc with rpc error: code = OutOfRange desc = too large",
    );
    world.patch("persistentvolumeclaims", "data", {
      spec: { resources: { requests: { storage: "15Gi" } } },
      status: { allocatedResources: { storage: "15Gi" }, allocatedResourceStatuses: { storage: "NodeResizePending" } },
    });
    await until("15Gi", () => world.claim().status?.capacity?.["storage"] === "15Gi");
    expect(world.expansions()).toEqual(["20Gi", "15Gi"]);
  });

  test("it is called again after a backoff that doubles, and not before", async () => {
    world.answer({ times: 2, answer: { kind: "error", code: "Internal", message: "no luck" } });
    world.add();
    world.addPod();
    world.growth();
    await until("the first backoff", () => world.retries === 1);
    expect(readClaim(world.claim()).conditions.has("node-error")).toBe(true);
    expect(state()).toBe("node-in-progress");
    await world.timers.advance(499);
    expect(world.expansions()).toHaveLength(1);
    await world.timers.advance(1);
    await expansionsAre("20Gi", "20Gi");
    await until("the second backoff", () => world.retries === 2);
    await world.timers.advance(1_000);
    await until("the claim to be grown", () => grown());
    expect(readClaim(world.claim()).conditions.size).toBe(0);
  });

  test("in doubt, nothing is written but that it was begun", async () => {
    world.answer({ times: 1, answer: { kind: "error", code: "Unavailable", worked: true } });
    world.add();
    world.addPod();
    world.growth();
    await until("the backoff", () => world.retries === 1);
    expect(state()).toBe("node-in-progress");
    expect(readClaim(world.claim()).conditions.has("node-error")).toBe(false);
    await world.timers.advance(500);
    await until("the claim to be grown", () => grown());
  });

  test("because the volume is in use, it is left alone while a pod of the node has it", async () => {
    world.answer({ times: 1, answer: { kind: "error", code: "FailedPrecondition", message: "in use" } });
    world.add();
    world.addPod();
    world.growth();
    await until("the refusal to be written", () => readClaim(world.claim()).conditions.has("node-error"));
    world.patch("persistentvolumeclaims", "data", { spec: { resources: { requests: { storage: "19Gi" } } } });
    await settled();
    expect(world.expansions().filter((size) => size === "20Gi")).toHaveLength(2);
    world.driver.forgetCalls();
    world.removePod();
    await until("the pod to be gone", () => world.server.store("pods").get("prod/db-0") === undefined);
    world.addPod("data", false, "db-1");
    await expansionsAre("20Gi");
  });
});

describe("whatever happens in between", () => {
  test("a write of somebody else costs a read, and no second call", async () => {
    world.add();
    world.addPod();
    world.answer({ delayMs: 50 });
    world.growth();
    await until("the call", () => world.expansions().length === 1);
    world.patch("persistentvolumeclaims", "data", { metadata: { labels: { meddled: "true" } } });
    await until("the claim to be grown", () => grown());
    expect(world.claim().metadata.labels).toEqual({ meddled: "true" });
    expect(world.expansions()).toEqual(["20Gi"]);
  });

  test("one that was killed after it had begun is followed by one that finishes", async () => {
    world.answer({ times: 1, answer: { kind: "silence", worked: true } });
    world.add();
    world.addPod();
    const first = world.growth();
    await until("the call", () => world.expansions().length === 1);
    const stopping = first.stop();
    await world.timers.advance(1_000);
    await stopping;
    expect(state()).toBe("node-in-progress");
    world.growth();
    await until("the claim to be grown", () => grown() && state() === "none");
  });
});

describe("when a volume is taken away", () => {
  test("while it is to be grown, the driver's NotFound says nothing about the size", async () => {
    world.answer({ times: 1, delayMs: 50, answer: { kind: "error", code: "NotFound", message: "not at that path" } });
    world.add();
    world.addPod();
    world.growth();
    await until("the call", () => world.expansions().length === 1);
    world.mounted = false;
    await until("the backoff", () => world.retries === 1);
    expect(state()).toBe("node-in-progress");
    world.mounted = true;
    await world.timers.advance(500);
    await until("the claim to be grown", () => grown());
  });

  test("by who mounts it, it waits for a call under way, and nothing is remembered", async () => {
    world.answer({ times: 1, delayMs: 50, answer: { kind: "error", code: "FailedPrecondition" } });
    world.add();
    world.addPod();
    const growth = world.growth();
    await until("the call", () => world.expansions().length === 1);
    let released = false;
    await growth.release("prod/data", async () => {
      released = true;
      expect(readClaim(world.claim()).conditions.has("node-error")).toBe(true);
      world.mounted = false;
    });
    expect(released).toBe(true);
    world.mounted = true;
    world.patch("persistentvolumeclaims", "data", { spec: { resources: { requests: { storage: "19Gi" } } } });
    await until("the claim to be grown", () => grown());
  });
});

describe("at a mount", () => {
  const never = new AbortController().signal;
  const place = { volumePath: "/pods/x", stagingPath: "/staging", readOnly: false };

  test("the volume is grown before the pod starts", async () => {
    world.add();
    const pod = world.addPod();
    world.mounted = false;
    const growth = world.growth();
    await growth.atMount({ pod, claim: world.claim(), volume: world.volume(), place }, never);
    expect(grown()).toBe(true);
  });

  test.each([
    ["Internal", false],
    ["Unavailable", false],
    ["OutOfRange", true],
    ["FailedPrecondition", true],
  ] as const)("a driver that answers %s lets the pod start: %s", async (code, starts) => {
    world.answer({ answer: { kind: "error", code } });
    world.add();
    const pod = world.addPod();
    world.mounted = false;
    const mounting = world.growth().atMount({ pod, claim: world.claim(), volume: world.volume(), place }, never);
    if (starts) await expect(mounting).resolves.toBeUndefined();
    else await expect(mounting).rejects.toThrow(code);
  });
});
