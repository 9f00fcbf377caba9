/** The provisioner with a driver that does not always say what it has done. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type ControllerHandlers, type CsiCode, CsiError, serveCsi } from "../../../../../csi/index.ts";
import { CLAIMS, VOLUMES } from "../../../../../kube/index.ts";
import { until } from "../../../../../kube/testing/until.ts";
import { startVolumes } from "../../start-volumes.ts";
import { type Bench, startBench } from "../../testing/bench.ts";
import { aClaim } from "../../testing/objects.ts";

interface Driver {
  /** The ids of the volumes that there are. */
  readonly volumes: Set<string>;
  /** Every name that a volume was asked for under. */
  readonly asked: string[];
  /** What is said after a volume was made; undefined: that it was. */
  says: CsiCode | undefined;
  /** The size that volumes get. */
  bytes: bigint;
}

let bench: Bench;
let driver: Driver;
const open: (() => Promise<void>)[] = [];
beforeEach(async () => {
  bench = await startBench();
  open.push(async () => bench[Symbol.asyncDispose]());
  driver = { volumes: new Set(), asked: [], says: undefined, bytes: 2n ** 30n };
  const controller: ControllerHandlers = {
    controllerGetCapabilities: () => ({ capabilities: [] }),
    createVolume({ name }) {
      driver.asked.push(name);
      driver.volumes.add(name);
      if (driver.says !== undefined) throw new CsiError(driver.says, "as the test wants it");
      return { volume: { volumeId: name, capacityBytes: driver.bytes } };
    },
    deleteVolume({ volumeId }) {
      driver.volumes.delete(volumeId);
      return {};
    },
  };
  const server = await serveCsi({ address: bench.driver.address, identity: {}, controller });
  open.push(() => server.stop(0));
  const client = await bench.connect();
  const provisioning = { backoff: { base: 5, max: 20 } };
  const volumes = startVolumes({ client, drivers: [bench.driver], provisioning });
  open.push(() => volumes.stop());
  await volumes.synced;
});
afterEach(async () => {
  for (const end of open.splice(0).reverse()) await end();
});

const createClaim = (name = "data") =>
  bench.client.create(CLAIMS, aClaim(name, { spec: { storageClassName: "memory" } }));
const deleteClaim = () => bench.client.delete(CLAIMS, { namespace: "default", name: "data" });
const isBound = async (name = "data"): Promise<boolean> => (await bench.claim(name))?.status?.phase === "Bound";

describe("a volume that the driver may have made", () => {
  test.each(["DeadlineExceeded", "Aborted", "Unavailable"] as const)(
    "(%s) is asked for under the same name until the driver says, and is one volume",
    async (code) => {
      driver.says = code;
      const { metadata } = await createClaim();
      await until("a few attempts", () => driver.asked.length > 2);
      driver.says = undefined;
      await until("the claim to be bound", () => isBound());
      expect(new Set(driver.asked)).toEqual(new Set([`pvc-${metadata.uid}`]));
      expect([...driver.volumes]).toEqual([`pvc-${metadata.uid}`]);
    },
  );

  test("is not left behind when the claim goes meanwhile", async () => {
    driver.says = "DeadlineExceeded";
    await createClaim();
    await until("an attempt", () => driver.asked.length > 0);
    await deleteClaim();
    await until("the claim to go", async () => (await bench.claim("data")) === undefined);
    driver.says = undefined;
    await until("the volume to go", () => driver.volumes.size === 0);
    await until("its object to go", async () => (await bench.client.list(VOLUMES)).items.length === 0);
  });

  test("does not keep another claim of the same name from getting its own", async () => {
    driver.says = "DeadlineExceeded";
    await createClaim();
    await until("an attempt", () => driver.asked.length > 0);
    await deleteClaim();
    await until("the claim to go", async () => (await bench.claim("data")) === undefined);
    const { metadata } = await createClaim();
    driver.says = undefined;
    await until("the claim to be bound", () => isBound());
    await until("the first volume to go", () => driver.volumes.size === 1);
    expect([...driver.volumes]).toEqual([`pvc-${metadata.uid}`]);
  });
});

describe("a volume that the driver says it has not made", () => {
  test("is nobody's business any more when the claim goes", async () => {
    driver.says = "InvalidArgument";
    await createClaim();
    await until("an attempt", () => driver.asked.length > 0);
    await deleteClaim();
    await until("the claim to go", async () => (await bench.claim("data")) === undefined);
    driver.says = undefined;
    // Whoever has heard of this one has heard before that the first is gone.
    await createClaim("later");
    await until("the later claim to be bound", () => isBound("later"));
    const attempts = driver.asked.length;
    const { metadata } = await createClaim();
    await until("the claim to be bound", () => isBound());
    expect(driver.asked.slice(attempts)).toEqual([`pvc-${metadata.uid}`]);
  });
});

test("a volume that is smaller than asked for is given back, and people are told", async () => {
  driver.bytes = 2n ** 20n;
  await createClaim();
  const message = "created volume capacity 1048576 less than requested capacity 1073741824";
  await until("the event", async () => (await bench.told("data")).some((text) => text.includes(message)));
  driver.bytes = 2n ** 30n;
  await until("the claim to be bound", () => isBound());
});
