/** Volume controllers that die after any of their writes, and others that go on from there. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openCsiClient } from "../../../csi/index.ts";
import { CLAIMS, type KubeClient, VOLUMES } from "../../../kube/index.ts";
import { until } from "../../../kube/testing/until.ts";
import { startVolumes } from "./start-volumes.ts";
import { type Bench, startBench } from "./testing/bench.ts";
import { mortalClient } from "./testing/mortal-client.ts";
import { aClaim, aVolume } from "./testing/objects.ts";

let bench: Bench;
beforeAll(async () => {
  bench = await startBench();
  await bench.startDriver();
});
afterAll(() => bench[Symbol.asyncDispose]());

/** The parts of the play, each with what holds at its end. */
const ACTS: readonly { readonly act: () => Promise<unknown>; readonly isOver: () => Promise<boolean> }[] = [
  {
    act: async () => {
      await bench.client.create(VOLUMES, aVolume("disk"));
      await bench.client.create(CLAIMS, aClaim("static"));
      await bench.client.create(CLAIMS, aClaim("data", { spec: { storageClassName: "memory" } }));
    },
    isOver: async () => {
      const claims = await Promise.all([bench.claim("static"), bench.claim("data")]);
      return claims.every((claim) => claim?.status?.phase === "Bound");
    },
  },
  {
    act: async () => {
      await bench.client.delete(CLAIMS, { namespace: "default", name: "static" });
      await bench.client.delete(CLAIMS, { namespace: "default", name: "data" });
    },
    isOver: async () => {
      const { items } = await bench.client.list(VOLUMES);
      return items.length === 1 && items[0]?.status?.phase === "Released";
    },
  },
  {
    act: () => bench.client.delete(VOLUMES, { name: "disk" }),
    isOver: async () => (await bench.volume("disk")) === undefined,
  },
];

const start = (client: KubeClient) =>
  startVolumes({ client, drivers: [bench.driver], provisioning: { backoff: { base: 5, max: 20 } } });

/** Plays all acts; after the death of the first controllers others take over. Gives whether they died. */
async function play(lastWrite: number, arrives: boolean): Promise<boolean> {
  const client = await bench.connect();
  const mortal = mortalClient(client, { lastWrite, arrives });
  let volumes = start(mortal);
  let died = false;
  for (const [index, { act, isOver }] of ACTS.entries()) {
    await act();
    const what = `act ${index + 1}, the last write being ${lastWrite}`;
    await until(what, async () => (!died && mortal.isDead()) || (await isOver()), 60_000);
    if (!died && mortal.isDead()) {
      died = true;
      await volumes.stop();
      volumes = start(client);
    }
    await until(what, isOver, 60_000);
  }
  await volumes.stop();
  await client.close();
  return died;
}

describe("controllers that die", () => {
  test.each([
    ["before their last write arrives", false],
    ["before they hear of their last write", true],
  ])(
    "%s leave nothing that others cannot finish",
    async (_, arrives) => {
      let last = 1;
      while (await play(last, arrives)) last++;
      expect(last).toBeGreaterThan(15);
      const csi = openCsiClient({ address: bench.driver.address });
      expect(await csi.listVolumes()).toEqual([]);
      csi.stop();
    },
    180_000,
  );
});
