/**
 * The kubelet's half of growing claims, for tests without a node: our own node rules, played for every claim of one
 * namespace as if a pod had each mounted, with the rights of the administrator.
 */
import { type ClaimView, readClaim } from "../../../src/core/claim.ts";
import { applyClaimChange, type ClaimChange } from "../../../src/core/claim-change.ts";
import { dialectFor } from "../../../src/core/dialect.ts";
import { messageOf } from "../../../src/core/errors.ts";
import type { PersistentVolumeClaim } from "../../../src/core/types.ts";
import { readVolume } from "../../../src/core/volume.ts";
import { type CsiClient, consequenceOf, openCsiClient } from "../../../src/csi/index.ts";
import {
  CLAIMS,
  createWorkQueue,
  type KubeClient,
  keyOf,
  mergePatch,
  refOf,
  refOfKey,
  runWorkers,
  startInformer,
  VOLUMES,
  withPrecondition,
} from "../../../src/kube/index.ts";
import { afterNodeAnswer, type NodeAnswer } from "../../../src/node/decide/answer.ts";
import type { NodeFacts, NodeMemory } from "../../../src/node/decide/facts.ts";
import { decideNodeStep } from "../../../src/node/decide/step.ts";
import { connectAsAdmin } from "./connect.ts";
import type { Scene } from "./stage.ts";

export interface NodeHalf extends AsyncDisposable {
  stop(): Promise<void>;
}

/** Begins at once; the caller stops it. */
export async function startNodeHalf({ stage: { plane }, namespace, driver }: Scene): Promise<NodeHalf> {
  const client = await connectAsAdmin(plane);
  const csi = openCsiClient({ address: driver.socketPath });
  const dialect = dialectFor(plane.version);
  const memories = new Map<string, NodeMemory>();
  const queue = createWorkQueue({ name: "node", backoffBase: 50, backoffMax: 1_000 });
  const informer = startInformer({ client, resource: CLAIMS, namespace, trim: (claim) => claim });
  informer.addHandler({
    added: ({ metadata }) => queue.add(keyOf(metadata)),
    updated: (_, { metadata }) => queue.add(keyOf(metadata)),
  });

  async function write(claim: PersistentVolumeClaim, change: ClaimChange): Promise<PersistentVolumeClaim> {
    const body = mergePatch(claim, applyClaimChange(claim, change, dialect, Date.now()));
    if (body === undefined) return claim;
    const patch = { type: "merge", body: withPrecondition(body, claim) } as const;
    return client.patch(CLAIMS, refOf(claim), patch, { subresource: "status" });
  }

  async function reconcile(key: string): Promise<void> {
    const claim = await client.get(CLAIMS, refOfKey(key));
    const facts = await gather(client, claim, memories.get(claim.metadata.uid ?? "") ?? {});
    const decision = decideNodeStep(facts);
    if (decision.kind === "record") await write(claim, decision.change);
    if (decision.kind !== "expand") return;

    await write(claim, decision.record);
    const answer = await expand(csi, facts.claim, decision.size.toBytes());
    const now = await client.get(CLAIMS, refOf(claim));
    const after = afterNodeAnswer({ ...facts, claim: readClaim(now) }, decision.size, answer);
    await write(now, after.claim);
    memories.set(facts.claim.uid, after.memory);
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

async function gather(client: KubeClient, claim: PersistentVolumeClaim, memory: NodeMemory): Promise<NodeFacts> {
  const volume = await client.get(VOLUMES, { name: claim.spec.volumeName ?? "" });
  return { claim: readClaim(claim), volume: readVolume(volume), canExpand: true, readOnly: false, memory };
}

async function expand(csi: CsiClient, claim: ClaimView, requiredBytes: bigint): Promise<NodeAnswer> {
  try {
    await csi.nodeExpand({ volumeId: claim.volumeName, volumePath: `/pods/${claim.uid}`, requiredBytes });
    return { kind: "expanded" };
  } catch (error) {
    const { final, infeasible, inUse } = consequenceOf(error);
    return { kind: "failed", message: messageOf(error), final, infeasible, inUse };
  }
}
