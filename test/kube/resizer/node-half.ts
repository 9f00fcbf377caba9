/**
 * The kubelet's half of growing claims, for tests without a node: the steps of our own node half, taken for every claim of
 * one namespace as if a pod had each mounted, with the rights of the administrator.
 */
import { dialectFor } from "../../../src/core/dialect.ts";
import type { Pod } from "../../../src/core/types.ts";
import { openCsiClient } from "../../../src/csi/index.ts";
import {
  CLAIMS,
  createWorkQueue,
  keyOf,
  refOfKey,
  runWorkers,
  startInformer,
  VOLUMES,
} from "../../../src/kube/index.ts";
import { createNodeEvents } from "../../../src/node/apply/events.ts";
import { csiGrower } from "../../../src/node/apply/grower.ts";
import { runNodeStep } from "../../../src/node/apply/step.ts";
import { createWriter } from "../../../src/node/apply/writes.ts";
import type { NodeMemory } from "../../../src/node/decide/facts.ts";
import { connectAsAdmin } from "./connect.ts";
import type { Scene } from "./stage.ts";

export interface NodeHalf extends AsyncDisposable {
  stop(): Promise<void>;
}

/** Begins at once; the caller stops it. */
export async function startNodeHalf({ stage: { plane }, namespace, driver }: Scene): Promise<NodeHalf> {
  const client = await connectAsAdmin(plane);
  const csi = openCsiClient({ address: driver.socketPath });
  const memories = new Map<string, NodeMemory>();
  const queue = createWorkQueue({ name: "node", backoffBase: 50, backoffMax: 1_000 });
  const informer = startInformer({ client, resource: CLAIMS, namespace, trim: (claim) => claim });
  informer.addHandler({
    added: ({ metadata }) => queue.add(keyOf(metadata)),
    updated: (_, { metadata }) => queue.add(keyOf(metadata)),
  });
  const pod: Pod = { metadata: { name: "pod", namespace }, spec: {} };
  const grower = csiGrower(csi, client);
  const options = {
    writer: createWriter(client, () => {}),
    events: createNodeEvents({ event: () => {} }, "node"),
    dialect: dialectFor(plane.version),
    now: () => Date.now(),
  };

  async function reconcile(key: string, signal: AbortSignal): Promise<void> {
    const claim = await client.get(CLAIMS, refOfKey(key));
    const volume = await client.get(VOLUMES, { name: claim.spec.volumeName ?? "" });
    const uid = claim.metadata.uid ?? "";
    const place = { volumePath: `/pods/${uid}`, stagingPath: `/staging/${uid}`, readOnly: false };
    const memory = memories.get(uid) ?? {};
    const input = { claim, volume, pod, place, grower, memory, grownTo: undefined };
    const result = await runNodeStep(options, input, signal);
    if (result.kind !== "called") return;
    const { after } = result;
    memories.set(uid, after.memory);
    if (after.result === "failed" || after.result === "in-doubt") throw new Error(after.message);
  }

  const stopping = new AbortController();
  const working = runWorkers({ queue, workers: 4, reconcile }, stopping.signal);
  const stop = async (): Promise<void> => {
    stopping.abort();
    await working;
    await informer.stop();
    csi.stop();
    await client.close();
  };
  return { stop, [Symbol.asyncDispose]: stop };
}
