import { afterEach, describe, expect, test } from "vitest";
import { Quantity } from "../../core/quantity.ts";
import type { PersistentVolume } from "../../core/types.ts";
import { CSI_CODES, type CsiCode } from "../../csi/index.ts";
import type { Script } from "../../csi/testing/index.ts";
import { SECRETS } from "../../kube/index.ts";
import type { DriverAnswer } from "../decide/answer.ts";
import { DRIVER } from "../decide/fixtures.ts";
import { createWorld, type World } from "../testing/world.ts";
import { createDriver, type Driver } from "./driver.ts";

const { signal } = new AbortController();
const SIZE = Quantity.parse("20Gi");

let world: World;
let driver: Driver;
afterEach(() => world.stop());

async function start(script: Script = {}): Promise<void> {
  world = await createWorld(script);
  driver = createDriver(DRIVER, world.csi, world.client);
}
const volume = (spec: Partial<PersistentVolume["spec"]> = {}): PersistentVolume => ({
  metadata: { name: "pv-1" },
  spec: { accessModes: ["ReadWriteOnce"], csi: { driver: DRIVER, volumeHandle: "vol-1" }, ...spec },
});
const failed = (answer: DriverAnswer) => {
  if (answer.kind !== "failed") throw new Error("it went well");
  return answer.failure;
};
const calls = (): string[] => world.driver.calls().map(({ method }) => method);

test("a volume is grown by one call; what the driver can do is asked once per connection", async () => {
  await start();
  for (let time = 0; time < 3; time++) {
    expect(await driver.abilities(volume())).toEqual({ name: DRIVER, controller: true });
    expect(await driver.expand(volume(), SIZE, signal)).toEqual({
      kind: "expanded",
      capacity: SIZE,
      nodeExpansionRequired: true,
    });
  }
  expect(calls()).toEqual([
    "ControllerGetCapabilities",
    "ControllerExpandVolume",
    "ControllerExpandVolume",
    "ControllerExpandVolume",
  ]);
});

test("a driver that was restarted is asked anew what it can do", async () => {
  await start();
  await driver.expand(volume(), SIZE, signal);
  await world.driver.stop();
  await world.driver.start();
  await world.csi.waitUntilReady();
  world.driver.forgetCalls();
  await driver.expand(volume(), SIZE, signal);
  expect(calls()).toEqual(["ControllerGetCapabilities", "ControllerExpandVolume"]);
});

test("a rounding driver: what it has is what counts", async () => {
  await start({ roundToBytes: 3n * 2n ** 30n });
  expect(await driver.expand(volume(), SIZE, signal)).toMatchObject({ capacity: Quantity.parse("21Gi") });
});

test("a size below a byte is rounded up", async () => {
  await start();
  await driver.expand(volume(), Quantity.parse("1073741824500m"), signal);
  expect(world.driver.calls().at(-1)).toMatchObject({ requiredBytes: 1_073_741_825n });
});

test("of our own drivers each volume says by itself that only the node grows it", async () => {
  await start();
  const csi = { driver: "memory.csi.outgrow.dev", volumeHandle: "vol-1" };
  const ofClass = (volumeAttributes: Record<string, string>) => volume({ csi: { ...csi, volumeAttributes } });
  const can = async (of: PersistentVolume) => (await driver.abilities(of)).controller;
  expect(await can(ofClass({ controllerExpansion: "false" }))).toBe(false);
  expect(await can(ofClass({ controllerExpansion: "false", nodeExpansion: "false" }))).toBe(true);
  expect(
    await can(volume({ csi: { ...csi, driver: DRIVER, volumeAttributes: { controllerExpansion: "false" } } })),
  ).toBe(true);
  world.driver.forgetCalls();
  await driver.expand(ofClass({ controllerExpansion: "false" }), SIZE, signal);
  expect(calls()).toEqual([]);
});

test("a driver without a controller half is not called at all: the node has everything to do", async () => {
  await start({ abilities: { controllerExpansion: false } });
  expect(await driver.abilities(volume())).toEqual({ name: DRIVER, controller: false });
  const secret = { namespace: "storage", name: "none" };
  const of = volume({ csi: { driver: DRIVER, volumeHandle: "vol-1", controllerExpandSecretRef: secret } });
  expect(await driver.expand(of, SIZE, signal)).toEqual({
    kind: "expanded",
    capacity: SIZE,
    nodeExpansionRequired: true,
  });
  expect(calls()).toEqual(["ControllerGetCapabilities"]);
  expect(world.server.requests).toEqual([]);
});

test("a raw block device needs nothing from the node", async () => {
  await start();
  expect(await driver.expand(volume({ volumeMode: "Block" }), SIZE, signal)).toMatchObject({
    nodeExpansionRequired: false,
  });
});

describe("secrets", () => {
  const controllerExpandSecretRef = { namespace: "storage", name: "expand" };
  const secretive = (): PersistentVolume =>
    volume({ csi: { driver: DRIVER, volumeHandle: "vol-1", controllerExpandSecretRef } });

  test("are read for each call and come along", async () => {
    await start();
    world.server.store(SECRETS.plural).put({
      metadata: controllerExpandSecretRef,
      data: { user: btoa("admin"), password: Buffer.from("gehëim").toString("base64") },
    } as never);
    expect(await driver.expand(secretive(), SIZE, signal)).toMatchObject({ kind: "expanded" });
    expect(world.driver.calls().at(-1)).toMatchObject({ secretNames: ["user", "password"] });
    expect(world.journal).toEqual(["get secrets", "expand vol-1 to 20Gi"]);
  });

  test("are never told: a driver that repeats one in its error is not repeated", async () => {
    const answer = { kind: "error", code: "Internal", message: "login with s3cret-value failed" } as const;
    await start({ rules: [{ method: "ControllerExpandVolume", answer }] });
    world.server.store(SECRETS.plural).put({
      metadata: controllerExpandSecretRef,
      data: { password: btoa("s3cret-value") },
    } as never);
    expect(failed(await driver.expand(secretive(), SIZE, signal)).message).toBe(
      "rpc error: code = Internal desc = login with ***stripped*** failed",
    );
  });

  test("that are not there leave the outcome in doubt, and the driver is not called", async () => {
    await start();
    expect(failed(await driver.expand(secretive(), SIZE, signal))).toMatchObject({
      final: false,
      infeasible: false,
      inUse: false,
      message: expect.stringContaining('secrets "expand" not found'),
    });
    expect(calls()).not.toContain("ControllerExpandVolume");
  });
});

/** Reference: csi-lib-utils/accessmodes; the second column for drivers that have SINGLE_NODE_MULTI_WRITER. */
const ACCESS_MODES: readonly [modes: string[], plain: string, multiWriter: string][] = [
  [["ReadWriteOnce"], "SINGLE_NODE_WRITER", "SINGLE_NODE_MULTI_WRITER"],
  [["ReadOnlyMany"], "MULTI_NODE_READER_ONLY", "MULTI_NODE_READER_ONLY"],
  [["ReadWriteMany"], "MULTI_NODE_MULTI_WRITER", "MULTI_NODE_MULTI_WRITER"],
  [["ReadWriteOncePod"], "SINGLE_NODE_WRITER", "SINGLE_NODE_SINGLE_WRITER"],
  [["ReadWriteMany", "ReadWriteOnce"], "MULTI_NODE_MULTI_WRITER", "MULTI_NODE_MULTI_WRITER"],
  [["ReadWriteMany", "ReadOnlyMany"], "MULTI_NODE_MULTI_WRITER", "MULTI_NODE_MULTI_WRITER"],
  [["ReadOnlyMany", "ReadWriteOnce"], "refused", "refused"],
  [["ReadWriteOncePod", "ReadWriteOnce"], "refused", "refused"],
  [[], "refused", "refused"],
];

describe.each([false, true])("access modes, driver with SINGLE_NODE_MULTI_WRITER: %s", (singleNodeMultiWriter) => {
  test.each(ACCESS_MODES)("%j", async (accessModes, plain, multiWriter) => {
    await start({ abilities: { singleNodeMultiWriter } });
    const answer = await driver.expand(volume({ accessModes }), SIZE, signal);
    const expected = singleNodeMultiWriter ? multiWriter : plain;
    if (expected === "refused") {
      expect(failed(answer)).toMatchObject({ final: false, message: expect.stringContaining("access modes are [") });
      expect(calls()).toEqual(["ControllerGetCapabilities"]);
    } else {
      expect(world.driver.calls().at(-1)).toMatchObject({ accessMode: expected });
    }
  });
});

const INFEASIBLE: readonly CsiCode[] = ["InvalidArgument", "NotFound", "OutOfRange"];
const IN_DOUBT: readonly CsiCode[] = ["Canceled", "DeadlineExceeded", "ResourceExhausted", "Aborted", "Unavailable"];

test.each(CSI_CODES)("%s from the driver is an answer of its class", async (code) => {
  const rule = { method: "ControllerExpandVolume", answer: { kind: "error", code, message: "no" } } as const;
  await start({ rules: [rule] });
  expect(failed(await driver.expand(volume(), SIZE, signal))).toEqual({
    message: `rpc error: code = ${code} desc = no`,
    final: !IN_DOUBT.includes(code),
    infeasible: INFEASIBLE.includes(code),
    inUse: code === "FailedPrecondition",
  });
});

test("a driver that cannot say what it can do leaves everything in doubt, whatever it answers", async () => {
  await start({
    rules: [{ method: "ControllerGetCapabilities", answer: { kind: "error", code: "InvalidArgument", message: "no" } }],
  });
  expect(failed(await driver.expand(volume(), SIZE, signal))).toMatchObject({ final: false, infeasible: false });
  await expect(driver.abilities(volume())).rejects.toThrow("InvalidArgument");
});

test("an unreadable volume is in doubt, and the driver is not called", async () => {
  await start();
  const of = volume({ csi: { driver: DRIVER, volumeHandle: "" } });
  expect(failed(await driver.expand(of, SIZE, signal))).toMatchObject({
    final: false,
    message: expect.stringMatching(/empty volume handle$/),
  });
  expect(calls()).toEqual(["ControllerGetCapabilities"]);
});

test("a caller that gives up leaves it in doubt", async () => {
  await start({ rules: [{ method: "ControllerExpandVolume", answer: { kind: "silence", worked: true } }] });
  const giveUp = new AbortController();
  const answer = driver.expand(volume(), SIZE, giveUp.signal);
  await expect.poll(calls).toContain("ControllerExpandVolume");
  giveUp.abort();
  expect(failed(await answer)).toMatchObject({
    final: false,
    message: "rpc error: code = Canceled desc = context canceled",
  });
});
