import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { PRE_RESIZE_CAPACITY, STORAGE_RESIZER } from "../../core/names.ts";
import { until } from "../../kube/testing/until.ts";
import { createDriver } from "../apply/driver.ts";
import { type AtWork, startWork } from "../testing/at-work.ts";
import { createWorld, type World } from "../testing/world.ts";

let world: World;
let work: AtWork | undefined;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(async () => {
  await work?.stop();
  work = undefined;
  await world.stop();
});

const state = (name = "data"): string | undefined => world.claim(name).status?.allocatedResourceStatuses?.["storage"];
/** The node's half: a kubelet has grown the file system. */
const finishNode = (name: string, size: string): void =>
  world.patchClaim(
    { status: { capacity: { storage: size }, allocatedResourceStatuses: null, conditions: null } },
    name,
  );

describe("which claims are seen to", () => {
  test("those that are there, those that come, and those that ask for more", async () => {
    world.add({ name: "first" });
    world.add({ name: "rest", S: "10Gi" });
    work = startWork(world);
    await work.expanded("first", "20Gi");
    world.add({ name: "second" });
    await work.expanded("second", "20Gi");
    world.request("15Gi", "rest");
    await work.expanded("rest", "15Gi");
  });

  test("a claim at rest costs no request at all", async () => {
    world.add({ name: "rest", S: "10Gi" });
    work = startWork(world);
    await work.settled();
    expect(world.server.requests.filter(({ path }) => path.endsWith("/rest") || path.endsWith("/pv-rest"))).toEqual([]);
  });

  test("a claim of another driver is left alone", async () => {
    world.add({ volumeSpec: { csi: { driver: "other.example.com", volumeHandle: "v" } } });
    work = startWork(world);
    await work.settled();
    expect(state()).toBeUndefined();
    expect(work.told.filter((each) => each.startsWith("data"))).toEqual([]);
  });

  test("a claim whose volume is seen after it is grown when the volume is there", async () => {
    world.add();
    const volume = world.volume();
    world.server.store("persistentvolumes").remove("/pv-data");
    work = startWork(world);
    await work.settled();
    expect(world.expansions("data")).toEqual([]);
    world.server.store("persistentvolumes").put(volume);
    await work.expanded("data", "20Gi");
  });

  test("a claim whose volume is bound to it late is grown then", async () => {
    world.add();
    const uid = world.claim().metadata.uid;
    world.patchVolume({ spec: { claimRef: { uid: null } } });
    work = startWork(world);
    await work.settled();
    expect(world.expansions("data")).toEqual([]);
    world.patchVolume({ spec: { claimRef: { uid } } });
    await work.expanded("data", "20Gi");
  });

  test("growth on growth: the second when the node is done with the first", async () => {
    world.add();
    work = startWork(world);
    await work.expanded("data", "20Gi");
    world.request("30Gi");
    await work.settled();
    expect(world.expansions("data")).toEqual(["20Gi"]);
    finishNode("data", "20Gi");
    await work.expanded("data", "20Gi", "30Gi");
  });

  test("what an old kubelet left behind is healed", async () => {
    world.add({ S: "20Gi", C: "20Gi", A: "20Gi", state: "node-pending" });
    work = startWork(world);
    await until("the state to be cleared", () => state() === undefined);
    world.request("30Gi");
    await work.expanded("data", "30Gi");
  });
});

test("a claim of a volume that was migrated is grown once it says that the driver is to grow it", async () => {
  const driver = "ebs.csi.aws.com";
  await world.stop();
  world = await createWorld({ name: driver });
  world.add({ volumeSpec: { awsElasticBlockStore: { volumeID: "aws://zone/vol-data" } } });
  const { csi: _, ...spec } = world.volume().spec;
  world.server.store("persistentvolumes").put({ ...world.volume(), spec } as never);
  work = startWork(world, { driverName: driver, driver: createDriver(driver, world.csi, world.client) });
  await until("the claim to be seen", () => work?.metrics.value("outgrow_claims", { driver, state: "none" }) === 1);
  expect(world.expansions()).toEqual([]);
  world.patchClaim({ metadata: { annotations: { [STORAGE_RESIZER]: driver } } });
  await work.expanded("data", "20Gi");
});

describe("one claim's trouble never delays another", () => {
  test("a driver that hangs over one volume", async () => {
    world.driver.setRules([{ volumeId: "vol-stuck", answer: { kind: "silence" } }]);
    world.add({ name: "stuck" });
    work = startWork(world, { workers: 2 });
    await work.expanded("stuck", "20Gi");
    for (const name of ["a", "b", "c"]) world.add({ name });
    for (const name of ["a", "b", "c"]) await work.expanded(name, "20Gi");
    work.cutOff();
  });
});

describe("a claim that is made anew under the same name", () => {
  test("is another one: nothing of the former is remembered", async () => {
    world.driver.setRules([{ volumeId: "vol-data", answer: { kind: "error", code: "OutOfRange" }, times: 1 }]);
    world.add();
    work = startWork(world);
    await until("the size to be infeasible", () => state() === "ControllerResizeInfeasible");
    await work.settled();
    world.server.store("persistentvolumeclaims").remove("prod/data");
    world.server.store("persistentvolumes").remove("/pv-data");
    world.add();
    await work.expanded("data", "20Gi", "20Gi");
    await until("the new claim to be grown", () => state() === "NodeResizePending");
  });
});

describe("the lease", () => {
  test("without it nobody is called", async () => {
    let held = false;
    world.add();
    work = startWork(world, { mayCall: () => held });
    await until("the record", () => state() === "ControllerResizeInProgress");
    expect(world.expansions()).toEqual([]);
    held = true;
    await work.timers.advance(1000);
    await work.expanded("data", "20Gi");
  });

  test("what was remembered is gone with it: another may have called the driver since", async () => {
    world.driver.setRules([{ volumeId: "vol-data", answer: { kind: "error", code: "Internal" } }]);
    world.add();
    work = startWork(world);
    await work.expanded("data", "20Gi");
    await work.stop();
    world.request("15Gi");
    work = startWork(world);
    // A driver's refusal that this process has not heard itself allows nothing less than what is recorded.
    await work.expanded("data", "20Gi", "20Gi");
  });
});

describe("the end", () => {
  test("what is under way may finish, and nothing new begins", async () => {
    const called = Promise.withResolvers<void>();
    world.driver.setRules([{ method: "ControllerExpandVolume", delayMs: 300 }]);
    world.add({ name: "a" });
    world.add({ name: "b" });
    world.meddle = ({ path, method }) => {
      if (method === "PATCH" && path.includes("persistentvolumeclaims")) called.resolve();
      return undefined;
    };
    work = startWork(world);
    await called.promise;
    await until("a call", () => world.expansions().length === 1);
    await work.stop();
    expect([state("a"), state("b")].filter(Boolean)).toEqual(["NodeResizePending"]);
    expect(world.expansions()).toHaveLength(1);
  });

  test("before the caches are filled it comes at once", async () => {
    world.meddle = ({ method }) =>
      method === "GET" ? { kind: "status", status: 403, reason: "Forbidden" } : undefined;
    work = startWork(world);
    await until("a list", () => world.server.requests.length > 0);
    await work.stop();
    expect(world.expansions()).toEqual([]);
  });
});

describe("AnnotateFsResize", () => {
  const noted = (): string | undefined => world.volume().metadata.annotations?.[PRE_RESIZE_CAPACITY];

  test("the capacity from before goes away when the node is done, and not before", async () => {
    world.add();
    work = startWork(world, { annotate: true });
    await until("the claim to be grown", () => state() === "NodeResizePending");
    await work.settled();
    expect(noted()).toBe("10Gi");
    finishNode("data", "20Gi");
    await until("the annotation to go", () => noted() === undefined);
  });

  test("one that was left behind by another process goes away, too", async () => {
    world.add({ S: "20Gi", C: "20Gi", A: "20Gi" });
    world.patchVolume({ metadata: { annotations: { [PRE_RESIZE_CAPACITY]: "10Gi" } } });
    work = startWork(world, { annotate: true });
    await until("the annotation to go", () => noted() === undefined);
  });

  test("it stays while the claim is gone: that is what it is there for", async () => {
    world.add({ S: "20Gi", C: "10Gi", A: "20Gi", P: "20Gi", state: "node-pending" });
    world.patchVolume({ metadata: { annotations: { [PRE_RESIZE_CAPACITY]: "10Gi" } } });
    work = startWork(world, { annotate: true });
    await work.settled();
    world.server.store("persistentvolumeclaims").remove("prod/data");
    await work.settled();
    expect(noted()).toBe("10Gi");
  });

  test("without the gate nobody looks at it", async () => {
    world.add({ S: "20Gi", C: "20Gi", A: "20Gi" });
    world.patchVolume({ metadata: { annotations: { [PRE_RESIZE_CAPACITY]: "10Gi" } } });
    work = startWork(world);
    await work.settled();
    expect(noted()).toBe("10Gi");
  });
});
