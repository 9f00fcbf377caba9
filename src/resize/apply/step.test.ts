import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DIALECTS, type Dialect } from "../../core/dialect.ts";
import { NODE_EXPANSION_NOT_REQUIRED, PRE_RESIZE_CAPACITY } from "../../core/names.ts";
import type { Script } from "../../csi/testing/index.ts";
import { NOW, SLOW_RETRY } from "../decide/fixtures.ts";
import { EXPAND, GET_CLAIM, PATCH_CLAIM, PATCH_VOLUME, takeStep } from "../testing/take-step.ts";
import { createWorld, type World, type WorldTraits } from "../testing/world.ts";

let world: World;
beforeEach(() => start());
afterEach(() => world.stop());

async function start(script: Script = {}): Promise<void> {
  world = await createWorld(script);
}
async function restart(script: Script): Promise<void> {
  await world.stop();
  await start(script);
}
const failing = (code: "OutOfRange" | "Internal" | "Unavailable" | "FailedPrecondition"): Script => ({
  rules: [{ method: "ControllerExpandVolume", answer: { kind: "error", code, message: "no" } }],
});
const patches = (): unknown[] =>
  world.server.requests
    .filter(({ method }) => method === "PATCH")
    .map(({ body }) => {
      const { metadata: _, ...rest } = body as { metadata: object };
      return rest;
    });

describe("the order", () => {
  test("record, call, volume, claim; each of the two events when what it tells of is written", async () => {
    world.add();
    expect(await takeStep(world)).toMatchObject({
      kind: "called",
      after: { result: "node-expansion-required" },
      recovers: false,
    });
    expect(world.journal).toEqual([
      PATCH_CLAIM,
      "tell claim Resizing",
      EXPAND,
      PATCH_VOLUME,
      PATCH_CLAIM,
      "tell claim FileSystemResizeRequired",
    ]);
  });

  test("each write carries all that the step has to say about the object, and nothing else", async () => {
    world.add();
    await takeStep(world);
    const [record, volume, claim] = patches();
    expect(record).toEqual({
      status: {
        allocatedResources: { storage: "20Gi" },
        allocatedResourceStatuses: { storage: "ControllerResizeInProgress" },
        conditions: [expect.objectContaining({ type: "Resizing", status: "True" })],
      },
    });
    expect(volume).toEqual({ spec: { capacity: { storage: "20Gi" } } });
    expect(claim).toEqual({
      status: {
        allocatedResourceStatuses: { storage: "NodeResizePending" },
        conditions: [
          expect.objectContaining({ type: "Resizing" }),
          expect.objectContaining({
            type: "FileSystemResizePending",
            message: "Waiting for user to (re-)start a pod to finish file system resize of volume on node.",
          }),
        ],
      },
    });
  });

  test("a driver that leaves nothing to the node", async () => {
    await restart({ abilities: { nodeExpansion: false } });
    world.add();
    expect(await takeStep(world)).toMatchObject({ kind: "called", after: { result: "finished" } });
    expect(world.journal).toEqual([
      PATCH_CLAIM,
      "tell claim Resizing",
      EXPAND,
      PATCH_VOLUME,
      PATCH_CLAIM,
      "tell claim VolumeResizeSuccessful",
    ]);
    const { metadata, status } = world.claim();
    expect(metadata.annotations).toEqual({ [NODE_EXPANSION_NOT_REQUIRED]: "true" });
    expect(status).toEqual({
      phase: "Bound",
      capacity: { storage: "20Gi" },
      allocatedResources: { storage: "20Gi" },
    });
  });

  test("a driver with a node half only: the same writes, and no call", async () => {
    await restart({ abilities: { controllerExpansion: false } });
    world.add();
    expect(await takeStep(world)).toMatchObject({ kind: "called", after: { result: "node-expansion-required" } });
    expect(world.journal.filter((entry) => !entry.startsWith("tell"))).toEqual([
      PATCH_CLAIM,
      PATCH_VOLUME,
      PATCH_CLAIM,
    ]);
    expect(world.expansions()).toEqual([]);
  });

  test("a driver that rounds: the volume has what it has", async () => {
    await restart({ roundToBytes: 3n * 2n ** 30n });
    world.add();
    await takeStep(world);
    expect(world.volume().spec.capacity).toEqual({ storage: "21Gi" });
    expect(world.claim().status?.allocatedResources).toEqual({ storage: "20Gi" });
  });

  test.each([0n, 19n * 2n ** 30n])(
    "a driver that says %d bytes where 20Gi were asked for: nothing of it is recorded",
    async (sayBytes) => {
      await restart({ rules: [{ method: "ControllerExpandVolume", answer: { kind: "done", sayBytes } }] });
      world.add();
      expect(await takeStep(world)).toMatchObject({ kind: "called", after: { result: "in-doubt" } });
      expect(world.volume().spec.capacity).toEqual({ storage: "10Gi" });
      expect(world.claim().status?.capacity).toEqual({ storage: "10Gi" });
    },
  );
});

describe("failures", () => {
  test("a final one: its reason as a condition, in one patch", async () => {
    await restart(failing("Internal"));
    world.add();
    expect(await takeStep(world)).toMatchObject({ kind: "called", after: { result: "failed" } });
    expect(world.journal).toEqual([
      PATCH_CLAIM,
      "tell claim Resizing",
      EXPAND,
      PATCH_CLAIM,
      "tell claim VolumeResizeFailed",
    ]);
    expect(world.claim().status).toMatchObject({
      allocatedResourceStatuses: { storage: "ControllerResizeInProgress" },
      conditions: [
        { type: "Resizing" },
        { type: "ControllerResizeError", message: "failed to expand pvc with rpc error: code = Internal desc = no" },
      ],
    });
  });

  test("an infeasible size: the state says so", async () => {
    await restart(failing("OutOfRange"));
    world.add();
    expect(await takeStep(world)).toMatchObject({
      kind: "called",
      after: { result: "infeasible", memory: { notBefore: NOW + SLOW_RETRY } },
    });
    expect(world.claim().status?.allocatedResourceStatuses).toEqual({ storage: "ControllerResizeInfeasible" });
    expect(world.volume().spec.capacity).toEqual({ storage: "10Gi" });
  });

  test("one in doubt: nothing is written, the record stands", async () => {
    await restart(failing("Unavailable"));
    world.add();
    expect(await takeStep(world)).toMatchObject({ kind: "called", after: { result: "in-doubt" } });
    expect(world.journal).toEqual([PATCH_CLAIM, "tell claim Resizing", EXPAND, "tell claim VolumeResizeFailed"]);
    expect(world.claim().status?.allocatedResources).toEqual({ storage: "20Gi" });
  });

  test("tried again there is nothing to record: the claim is read, the driver called, and the failure written once", async () => {
    await restart(failing("Internal"));
    world.add();
    await takeStep(world);
    world.journal.length = 0;
    expect(await takeStep(world, { memory: { owned: true } })).toMatchObject({
      kind: "called",
      after: { result: "failed" },
    });
    expect(world.journal).toEqual([GET_CLAIM, EXPAND, "tell claim VolumeResizeFailed"]);
  });
});

describe("a claim that needs no call", () => {
  test.each<[string, WorldTraits, string, string[]]>([
    ["has what it asks for", { S: "10Gi" }, "nothing", []],
    ["is not bound", { phase: "Pending" }, "nothing", []],
    ["waits for its node", { A: "20Gi", P: "20Gi", state: "node-pending" }, "wait-for-node", []],
    [
      "was left behind by an old kubelet",
      { S: "20Gi", C: "20Gi", A: "20Gi", state: "node-pending" },
      "record",
      [PATCH_CLAIM],
    ],
  ])("%s", async (_, traits, kind, journal) => {
    world.add(traits);
    expect(await takeStep(world)).toMatchObject({ kind: "quiet", decision: { kind } });
    expect(world.journal).toEqual(journal);
  });

  test("a volume of another driver, or bound to another claim", async () => {
    world.add({ volumeSpec: { csi: { driver: "other.example.com", volumeHandle: "v" } } });
    world.add({ name: "two", volumeSpec: { claimRef: { namespace: "prod", name: "two", uid: "former" } } });
    for (const name of ["data", "two"]) {
      const input = { claim: world.claim(name), volume: world.volume(name) };
      expect(await takeStep(world, input)).toMatchObject({ kind: "quiet", decision: { kind: "nothing" } });
    }
    expect(world.journal).toEqual([]);
  });
});

describe("without the lease", () => {
  test("nobody is called; the record stays for whoever has it", async () => {
    world.add();
    await expect(takeStep(world, {}, { mayCall: () => false })).rejects.toThrow("the lease is not ours any more");
    expect(world.journal).toEqual([PATCH_CLAIM, "tell claim Resizing"]);
  });
});

describe("what is gone", () => {
  const remove = (plural: string, key: string) => void world.server.store(plural).remove(key);
  const removeClaim = (): void => remove("persistentvolumeclaims", "prod/data");
  const removeVolume = (): void => remove("persistentvolumes", "/pv-data");
  const atPatch = (moment: number, happen: () => void): void => {
    let patch = 0;
    world.meddle = ({ method }) => {
      if (method === "PATCH" && patch++ === moment) happen();
      return undefined;
    };
  };

  test.each<[string, number, () => void, number]>([
    ["a claim, before its record", 0, removeClaim, 0],
    ["a volume, during the call", 1, removeVolume, 1],
    ["a claim, during the call", 2, removeClaim, 1],
  ])("%s: the step ends, and nobody is told of a failure", async (_, moment, happen, calls) => {
    world.add();
    atPatch(moment, happen);
    expect(await takeStep(world)).toEqual({ kind: "gone" });
    expect(world.expansions()).toHaveLength(calls);
    expect(world.journal).not.toContain("tell claim VolumeResizeFailed");
  });

  test("a claim that was made anew under the same name is left alone", async () => {
    world.add();
    atPatch(2, () => {
      removeClaim();
      world.add({ S: "10Gi" });
    });
    expect(await takeStep(world)).toEqual({ kind: "gone" });
    expect(world.claim().status).toEqual({ phase: "Bound", capacity: { storage: "10Gi" } });
  });
});

test("a server that fails is no failure of the expansion: the step is rejected, and nobody is told", async () => {
  world.add();
  world.meddle = ({ method, path }) =>
    method === "PATCH" && path.includes("/persistentvolumes/")
      ? { kind: "status", status: 500, reason: "InternalError" }
      : undefined;
  await expect(takeStep(world)).rejects.toMatchObject({ status: 500 });
  expect(world.journal).toEqual([PATCH_CLAIM, "tell claim Resizing", EXPAND, PATCH_VOLUME]);
});

describe("AnnotateFsResize", () => {
  const annotate = { annotate: true };

  test("the capacity from before goes onto the volume together with the new one", async () => {
    world.add();
    await takeStep(world, {}, annotate);
    expect(world.journal.filter((entry) => entry === PATCH_VOLUME)).toHaveLength(1);
    expect(world.volume().metadata.annotations).toEqual({ [PRE_RESIZE_CAPACITY]: "10Gi" });
  });

  test("one that is there from an expansion that the node has not finished stays", async () => {
    world.add({ S: "30Gi" });
    world.patchVolume({ metadata: { annotations: { [PRE_RESIZE_CAPACITY]: "5Gi" } } });
    await takeStep(world, {}, annotate);
    expect(world.volume().metadata.annotations).toEqual({ [PRE_RESIZE_CAPACITY]: "5Gi" });
  });

  test("a driver that leaves nothing to the node needs none", async () => {
    await restart({ abilities: { nodeExpansion: false } });
    world.add();
    await takeStep(world, {}, annotate);
    expect(world.volume().metadata.annotations).toBeUndefined();
  });
});

test.each<[Dialect["name"], object]>([
  ["expansion", { resizeStatus: "NodeExpansionPending" }],
  ["resize", { allocatedResourceStatuses: { storage: "NodeResizePending" } }],
  ["infeasible", { allocatedResourceStatuses: { storage: "NodeResizePending" } }],
])("the state is written in the words of the server: %s", async (name, status) => {
  world.add();
  await takeStep(world, {}, { dialect: DIALECTS[name] });
  expect(world.claim().status).toMatchObject(status);
});
