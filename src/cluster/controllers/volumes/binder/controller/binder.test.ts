/** The binder on the embedded cluster: what it writes, and how often. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CLAIMS, EVENTS, type KubeClient, type Patch, VOLUMES } from "../../../../../kube/index.ts";
import { until } from "../../../../../kube/testing/until.ts";
import { type Bench, startBench } from "../../testing/bench.ts";
import { aClaim, aVolume } from "../../testing/objects.ts";
import { startBinder } from "./binder.ts";

interface Write {
  readonly what: string;
  readonly patch: Patch;
}

let bench: Bench;
let writes: Write[];
let stop: () => Promise<void>;
beforeEach(async () => {
  bench = await startBench();
  const client = await bench.connect();
  writes = [];
  const binder = startBinder({ client: recorded(client, writes) });
  stop = () => binder.stop();
  await binder.synced;
});
afterEach(async () => {
  await stop();
  await bench[Symbol.asyncDispose]();
});

function recorded(client: KubeClient, into: Write[]): KubeClient {
  return {
    ...client,
    patch(resource, ref, patch, options, signal) {
      const what = [resource.plural, options?.subresource].filter(Boolean).join("/");
      if (resource.plural !== EVENTS.plural) into.push({ what: `${what} ${ref.name}`, patch });
      return client.patch(resource, ref, patch, options, signal);
    },
  };
}

const isBound = async (name: string): Promise<boolean> => (await bench.claim(name))?.status?.phase === "Bound";

describe("a binding", () => {
  test("costs five writes, the volume's before the claim's, each with what differs alone", async () => {
    await bench.client.create(VOLUMES, aVolume("disk", { spec: { storageClassName: "" } }));
    await until("the volume to be available", async () => (await bench.volume("disk"))?.status?.phase === "Available");
    await bench.client.create(CLAIMS, aClaim("data"));
    await until("the claim to be bound", () => isBound("data"));
    expect(writes.map(({ what }) => what)).toEqual([
      "persistentvolumes/status disk",
      "persistentvolumes disk",
      "persistentvolumes/status disk",
      "persistentvolumeclaims data",
      "persistentvolumeclaims/status data",
    ]);
    const last = writes.at(-1)?.patch.body as { metadata: object; status: object };
    expect(Object.keys(last.metadata).sort()).toEqual(["resourceVersion", "uid"]);
    expect(last.status).toEqual({
      phase: "Bound",
      accessModes: ["ReadWriteOnce"],
      capacity: { storage: "1Gi" },
    });
  });

  test("that is complete costs nothing when it is looked at again", async () => {
    await bench.client.create(VOLUMES, aVolume("disk"));
    await bench.client.create(CLAIMS, aClaim("data"));
    await until("the claim to be bound", () => isBound("data"));
    const before = writes.length;
    const body = { metadata: { labels: { touched: "yes" } } };
    await bench.client.patch(VOLUMES, { name: "disk" }, { type: "merge", body });
    await bench.client.patch(CLAIMS, { namespace: "default", name: "data" }, { type: "merge", body });
    // By the time that what came later is bound, the first has been looked at.
    await bench.client.create(VOLUMES, aVolume("later"));
    await bench.client.create(CLAIMS, aClaim("later"));
    await until("the later claim to be bound", () => isBound("later"));
    expect(writes.slice(before).filter(({ what }) => !what.endsWith(" later"))).toEqual([]);
  });
});

test("forty claims and forty volumes at once: everybody gets one, and nobody loses a race", async () => {
  const names = Array.from({ length: 40 }, (_, index) => `x${index}`);
  await Promise.all(
    names.flatMap((name) => [bench.client.create(VOLUMES, aVolume(name)), bench.client.create(CLAIMS, aClaim(name))]),
  );
  const claims = await until(
    "all to be bound",
    async () => {
      const { items } = await bench.client.list(CLAIMS);
      return items.every(({ status }) => status?.phase === "Bound") && items;
    },
    60_000,
  );
  expect(new Set(claims.map(({ spec }) => spec.volumeName)).size).toBe(40);
  expect(writes.length).toBe(40 * 5);
}, 90_000);
