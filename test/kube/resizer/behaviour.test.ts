/**
 * What `outgrow resizer` does with drivers of every kind, and what it costs the API server: one call, at most three
 * patches and two events per expansion. Each test has a namespace, a driver and a resizer of its own.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readClaim } from "../../../src/core/claim.ts";
import { NODE_EXPANSION_NOT_REQUIRED, PRE_RESIZE_CAPACITY, STORAGE_RESIZER } from "../../../src/core/names.ts";
import type { Event } from "../../../src/kube/index.ts";
import type { AuditEntry } from "../audit.ts";
import { waitFor } from "../wait.ts";
import { startNodeHalf } from "./node-half.ts";
import type { ResizerProcess } from "./resizer-process.ts";
import { openStage, type Scene, type Stage } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.stop());

const Gi = 1n << 30n;

/** `patch persistentvolumeclaims/status` and the like, in the order of their arrival; events, which have their own, aside. */
function split(requests: readonly AuditEntry[]): { readonly work: string[]; readonly events: number } {
  const isEvent = ({ resource }: AuditEntry): boolean => resource === "events";
  return {
    work: requests.filter((entry) => !isEvent(entry)).map(({ verb, resource }) => `${verb} ${resource}`),
    events: requests.filter(isEvent).length,
  };
}

const reasons = (events: readonly Event[]): string[] => events.map(({ reason }) => reason ?? "").sort();

function looks(resizer: ResizerProcess, scene: Scene, claim: string): number {
  return resizer
    .log()
    .filter(({ msg, ...line }) => msg === "looked at" && line["claim"] === `${scene.namespace}/${claim}`).length;
}

describe.concurrent("what an expansion costs", () => {
  test("with a node half: one call, three patches, two events; looking again costs nothing", async () => {
    await using scene = await stage.scene("both-halves");
    await scene.create({ name: "data", size: "10Gi" });
    const resizer = await scene.resizer(["--resync-period=300ms"]);
    const before = await stage.plane.auditMark();

    await scene.request("data", "20Gi");
    await scene.until("data", "waiting for the node", ({ state }) => state === "node-pending");
    expect(reasons(await scene.untilTold("FileSystemResizeRequired"))).toEqual([
      "FileSystemResizeRequired",
      "Resizing",
    ]);

    expect(scene.expansions().map(({ requiredBytes }) => requiredBytes)).toEqual([20n * Gi]);
    expect(split(await scene.requests(before))).toEqual({
      work: ["patch persistentvolumeclaims/status", "patch persistentvolumes", "patch persistentvolumeclaims/status"],
      events: 2,
    });
    const after = await stage.plane.auditMark();
    const seen = looks(resizer, scene, "data");
    await waitFor("three more looks", () => looks(resizer, scene, "data") >= seen + 3);
    expect(await scene.requests(after)).toEqual([]);
    expect(scene.expansions()).toHaveLength(1);
  });

  test("without a node half the controller finishes it, at the same cost", async () => {
    await using scene = await stage.scene("controller-only", { script: { abilities: { nodeExpansion: false } } });
    await scene.create({ name: "data", size: "10Gi" });
    await scene.resizer();
    const before = await stage.plane.auditMark();

    await scene.request("data", "20Gi");
    await scene.untilGrown("data", "20Gi");

    expect(reasons(await scene.untilTold("VolumeResizeSuccessful"))).toEqual(["Resizing", "VolumeResizeSuccessful"]);
    expect((await scene.read("data")).metadata.annotations).toMatchObject({ [NODE_EXPANSION_NOT_REQUIRED]: "true" });
    expect((await scene.readVolume("data")).spec.capacity).toEqual({ storage: "20Gi" });
    const { work, events } = split(await scene.requests(before));
    expect({ patches: work.length, events }).toEqual({ patches: 3, events: 2 });
  });

  test("with AnnotateFsResize the capacity from before stands on the volume until the node is done: a fourth patch", async () => {
    await using scene = await stage.scene("annotated");
    await scene.create({ name: "data", size: "10Gi" });
    await scene.resizer(["--feature-gates=AnnotateFsResize=true"]);
    const before = await stage.plane.auditMark();
    const noted = async (): Promise<string | undefined> =>
      (await scene.readVolume("data")).metadata.annotations?.[PRE_RESIZE_CAPACITY];

    await scene.request("data", "20Gi");
    await scene.until("data", "waiting for the node", ({ state }) => state === "node-pending");
    expect(await noted()).toBe("10Gi");

    await using _node = await startNodeHalf(scene);
    await scene.untilGrown("data", "20Gi");
    await waitFor("the annotation to go", async () => (await noted()) === undefined);
    const patches = split(await scene.requests(before)).work.filter((request) => request.startsWith("patch"));
    expect(patches).toHaveLength(4);
  });
});

describe.concurrent("drivers", () => {
  test("that grow on the node only are not called, and the node does it all", async () => {
    await using scene = await stage.scene("node-only", { script: { abilities: { controllerExpansion: false } } });
    await scene.create({ name: "data", size: "10Gi" });
    await scene.resizer();

    await scene.request("data", "20Gi");
    await scene.until("data", "waiting for the node", ({ state }) => state === "node-pending");
    expect((await scene.readVolume("data")).spec.capacity).toEqual({ storage: "20Gi" });
    expect(scene.driver.volume("pv-node-only-data")?.backendBytes).toBe(10n * Gi);

    await using _node = await startNodeHalf(scene);
    await scene.untilGrown("data", "20Gi");
    expect(scene.driver.volume("pv-node-only-data")?.fileSystemBytes).toBe(20n * Gi);
    expect(scene.expansions()).toEqual([]);
  });

  test("with neither half leave the resizer idle and healthy, and it says why", async () => {
    const abilities = { controllerExpansion: false, nodeExpansion: false };
    await using scene = await stage.scene("neither", { script: { abilities } });
    await scene.create({ name: "data", size: "10Gi" });
    await scene.request("data", "20Gi");
    const resizer = await scene.launch();

    await resizer.says("the driver has no expansion, neither in the controller nor on the node; nothing to do");
    const health = await fetch(`${await resizer.endpoint()}/healthz`);
    expect([health.status, await health.text()]).toEqual([200, "ok"]);
    expect(await scene.requests()).toEqual([]);
    expect(await resizer.kill("SIGTERM")).toEqual({ code: 0, signal: null });
  });

  test("that round up: the volume gets what the driver made, the record stays what was asked for", async () => {
    await using scene = await stage.scene("rounding", { script: { roundToBytes: 4n * Gi } });
    await scene.create({ name: "data", size: "8Gi" });
    await scene.resizer();
    await using _node = await startNodeHalf(scene);

    await scene.request("data", "10Gi");
    const { allocated } = await scene.untilGrown("data", "10Gi");
    expect(allocated?.toString()).toBe("10Gi");
    expect((await scene.readVolume("data")).spec.capacity).toEqual({ storage: "12Gi" });
    expect(scene.expansions()).toHaveLength(1);
  });

  test.each([
    { name: "says-zero", sayBytes: 0n },
    { name: "says-less", sayBytes: 15n * Gi },
  ])(
    "that answer with less than asked for ($sayBytes bytes) have failed, and nothing wrong is recorded",
    async (row) => {
      const rule = { method: "ControllerExpandVolume", answer: { kind: "done", sayBytes: row.sayBytes } } as const;
      await using scene = await stage.scene(row.name, { script: { rules: [rule] } });
      await scene.create({ name: "data", size: "10Gi" });
      await scene.resizer(["--retry-interval-start=100ms"]);

      await scene.request("data", "20Gi");
      await scene.untilTold("VolumeResizeFailed");
      await waitFor("a second attempt", () => scene.expansions().length >= 2);
      const { state, capacity, allocated } = readClaim(await scene.read("data"));
      expect([state, capacity?.toString(), allocated?.toString()]).toEqual(["controller-in-progress", "10Gi", "20Gi"]);
      expect((await scene.readVolume("data")).spec.capacity).toEqual({ storage: "10Gi" });

      scene.driver.setRules([]);
      await scene.until("data", "waiting for the node", (claim) => claim.state === "node-pending");
      expect(new Set(scene.expansions().map(({ requiredBytes }) => requiredBytes))).toEqual(new Set([20n * Gi]));
    },
  );

  test("are told the access mode, block or not, and the secrets that the volume names", async () => {
    await using scene = await stage.scene("told");
    await stage.plane.api.create("/api/v1/namespaces/told/secrets", {
      metadata: { name: "keys" },
      stringData: { token: "open sesame" },
    });
    const csi = { driver: scene.driverName, volumeHandle: "pv-told-secret", fsType: "ext4" };
    const controllerExpandSecretRef = { name: "keys", namespace: "told" };
    const shared = { accessModes: ["ReadWriteMany"], volumeMode: "Block" };
    await scene.create(
      { name: "secret", size: "10Gi", volumeSpec: { csi: { ...csi, controllerExpandSecretRef } } },
      { name: "block", size: "10Gi", claimSpec: shared, volumeSpec: shared },
    );
    await scene.resizer();

    await Promise.all([scene.request("secret", "20Gi"), scene.request("block", "20Gi")]);
    await scene.until("secret", "waiting for the node", ({ state }) => state === "node-pending");
    await scene.untilGrown("block", "20Gi"); // a raw block device has no file system for the node to grow
    expect(scene.expansions("secret")).toMatchObject([{ secretNames: ["token"], accessMode: "SINGLE_NODE_WRITER" }]);
    expect(scene.expansions("block")).toMatchObject([{ secretNames: [], accessMode: "MULTI_NODE_MULTI_WRITER" }]);
  });

  test("that took over in-tree volumes are called with the handle that the volume has there", async () => {
    await using scene = await stage.scene("migrated", { script: { name: "ebs.csi.aws.com", adoptUnknown: true } });
    const volumeSpec = { csi: undefined, awsElasticBlockStore: { volumeID: "aws://zone-a/vol-1", fsType: "ext4" } };
    const metadata = { annotations: { [STORAGE_RESIZER]: "ebs.csi.aws.com" } };
    await scene.create({ name: "old", size: "10Gi", metadata, volumeSpec: volumeSpec as object });
    await scene.create({ name: "unmarked", size: "10Gi", volumeSpec: volumeSpec as object });
    await scene.resizer();

    await Promise.all([scene.request("unmarked", "20Gi"), scene.request("old", "20Gi")]);
    await scene.until("old", "waiting for the node", ({ state }) => state === "node-pending");
    expect(scene.expansions().map(({ volumeId }) => volumeId)).toEqual(["vol-1"]);
  });
});

describe.concurrent("claims", () => {
  test("of other drivers are left alone", async () => {
    await using scene = await stage.scene("ours");
    await using other = await stage.scene("theirs");
    await scene.create({ name: "data", size: "10Gi" });
    await other.create({ name: "data", size: "10Gi" });
    await scene.resizer();

    await Promise.all([other.request("data", "20Gi"), scene.request("data", "20Gi")]);
    await scene.until("data", "waiting for the node", ({ state }) => state === "node-pending");
    expect(await other.requests()).toEqual([]);
    expect(other.expansions()).toEqual([]);
  });

  test("with a NodeResizePending that an old kubelet left behind are healed, and grow again (k/k#131402)", async () => {
    await using scene = await stage.scene("stale");
    await scene.create({ name: "data", size: "20Gi" });
    await stage.plane.api.patch("/api/v1/namespaces/stale/persistentvolumeclaims/data/status", {
      status: {
        allocatedResources: { storage: "20Gi" },
        allocatedResourceStatuses: { storage: "NodeResizePending" },
        conditions: [{ type: "FileSystemResizePending", status: "True" }],
      },
    });
    await scene.resizer();
    await using _node = await startNodeHalf(scene);

    await scene.untilGrown("data", "20Gi");
    await scene.request("data", "30Gi");
    await scene.untilGrown("data", "30Gi");
    expect(scene.expansions().map(({ requiredBytes }) => requiredBytes)).toEqual([30n * Gi]);
  });

  test("whose request is lowered: events on the claim and on the volume say so (KEP-1790, Monitoring)", async () => {
    const tooMuch = { aboveBytes: 50n * Gi, answer: { kind: "error", code: "OutOfRange" } } as const;
    await using scene = await stage.scene("lowered", { script: { rules: [tooMuch] } });
    await scene.create({ name: "data", size: "10Gi" });
    await scene.resizer();
    await scene.request("data", "100Gi");
    await scene.until("data", "infeasible", ({ state }) => state === "controller-infeasible");

    await scene.request("data", "20Gi");
    await scene.untilTold("VolumeResizeLowered");
    const onVolume = await waitFor("the event on the volume", async () => {
      const { items } = await stage.plane.api.get<{ items: { involvedObject: { name: string }; message: string }[] }>(
        "/api/v1/namespaces/default/events",
      );
      return items.find(({ involvedObject }) => involvedObject.name === "pv-lowered-data");
    });
    expect(onVolume.message).toBe("lowered/data: requested size was lowered from 100Gi to 20Gi");
  });

  test("with the gate RecoverVolumeExpansionFailure off go by the request and the conditions alone", async () => {
    await using scene = await stage.scene("gate-off");
    await scene.create({ name: "data", size: "10Gi" });
    await scene.resizer(["--feature-gates=RecoverVolumeExpansionFailure=false"]);

    await scene.request("data", "20Gi");
    const pending = await scene.until("data", "waiting for the node", ({ conditions }) =>
      conditions.has("file-system-pending"),
    );
    expect([pending.allocated, pending.state, pending.conditions.has("resizing")]).toEqual([undefined, "none", false]);

    await using _node = await startNodeHalf(scene);
    await scene.untilGrown("data", "20Gi");
    expect(scene.expansions()).toHaveLength(1);
  });
});

test("metrics have the names of the texts and of the incumbent, and ours", async () => {
  const slowly = { method: "ControllerExpandVolume", delayMs: 200 } as const;
  const script = { abilities: { nodeExpansion: false }, rules: [slowly] };
  await using scene = await stage.scene("metrics", { script });
  await scene.create({ name: "data", size: "10Gi" });
  const resizer = await scene.resizer(["--workers=3", "--vmodule=x=1"]);
  await scene.request("data", "20Gi");
  await scene.untilGrown("data", "20Gi");
  await resizer.says("the volume was grown");

  const text = await (await fetch(`${await resizer.endpoint()}/metrics`)).text();
  const label = `driver="${scene.driverName}"`;
  expect(text).toContain(`outgrow_expansions_total{${label},result="finished"} 1`);
  expect(text).toContain(`outgrow_request_duration_seconds_count{${label}} 1`);
  const [, seconds] = text.split(`outgrow_request_duration_seconds_sum{${label}} `);
  expect(Number.parseFloat(seconds ?? "")).toBeGreaterThan(0.19);
  for (const name of [
    'storage_operation_duration_seconds_count{volume_plugin="kubernetes.io/csi:metrics.csi.example.com",operation_name="expand_volume",status="success"} 1',
    "storage_operation_errors_total",
    "operation_operation_volume_recovery_total",
    `csi_sidecar_operations_seconds_count{driver_name="${scene.driverName}",method_name="/csi.v1.Controller/ControllerExpandVolume",grpc_status_code="OK"} 1`,
    `workqueue_adds_total{name="${scene.driverName}-pvc"}`,
    `leader_election_master_status{name="external-resizer-metrics-csi-example-com"} 1`,
    "process_start_time_seconds",
    "outgrow_claims{",
  ]) {
    expect(text).toContain(name);
  }
  expect((await fetch(`${await resizer.endpoint()}/healthz/leader-election`)).status).toBe(200);
  expect(resizer.log().find(({ msg }) => msg.includes("have no effect"))).toMatchObject({ flags: ["vmodule"] });
});

test("in all of this nothing was asked for that the account may not do", async () => {
  const entries = await stage.plane.auditEntries({ user: stage.user.name });
  expect(entries.length).toBeGreaterThan(100);
  expect(entries.filter(({ code }) => code === 401 || code === 403)).toEqual([]);
});
