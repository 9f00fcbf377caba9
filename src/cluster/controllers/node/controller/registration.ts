/**
 * The node in the API: its Node object, its drivers as a CSINode, and a Lease that is renewed as long as it lives. Each is
 * looked after by itself, again and again, so that what somebody deletes comes back.
 */
import type { KubeObject } from "../../../../core/types.ts";
import type { CsiClient } from "../../../../csi/index.ts";
import {
  createWorkQueue,
  defineResource,
  isAlreadyExists,
  isNotFound,
  type KubeClient,
  LEASES,
  type Logger,
  type Metrics,
  mergePatch,
  type Outcome,
  type Resource,
  refOf,
  runWorkers,
  type Timers,
  withPrecondition,
} from "../../../../kube/index.ts";
import { type Machine, newNode, nodeStatus, taintsWhenReady } from "../decide/node-object.ts";
import type { CSINode, Node } from "../decide/types.ts";

export interface RegistrationOptions {
  readonly client: KubeClient;
  readonly name: string;
  readonly machine: Machine;
  readonly drivers: ReadonlyMap<string, CsiClient>;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

export interface Registration {
  /** Resolves when the node is in the API, and ready. */
  readonly ready: Promise<void>;
  /** May be called twice. */
  stop(): Promise<void>;
}

export const NODES = defineResource<Node>("v1", "Node", "nodes", "Cluster");
const CSI_NODES = defineResource<CSINode>("storage.k8s.io/v1", "CSINode", "csinodes", "Cluster");
const LEASE_NAMESPACE = "kube-node-lease";
const LEASE_SECONDS = 40;
/** The kubelet's periods, in milliseconds. */
const RENEW_LEASE = 10_000;
const REPORT_STATUS = 300_000;

/** Begins at once. */
export function startRegistration(options: RegistrationOptions): Registration {
  const { client, name, machine, drivers, timers, logger, metrics } = options;
  const queue = createWorkQueue({ name: "node-registration", backoffBase: 200, backoffMax: 7_000, timers, metrics });
  const ready = Promise.withResolvers<void>();
  ready.promise.catch(() => {});
  const stopping = new AbortController();
  const { signal } = stopping;

  async function write<T extends KubeObject>(
    resource: Resource<T>,
    before: T,
    after: T,
    subresource?: string,
  ): Promise<T> {
    const patch = mergePatch(before, after);
    if (patch === undefined) return before;
    const body = withPrecondition(patch, before);
    const options = subresource === undefined ? {} : { subresource };
    return client.patch(resource, refOf(before), { type: "merge", body }, options, signal);
  }

  async function reportNode(): Promise<Outcome> {
    const node = await getOrCreate(client, NODES, newNode(name, machine), signal);
    const status = nodeStatus(machine, node.status, timers.now());
    const reported = await write(NODES, node, { ...node, status }, "status");
    const taints = taintsWhenReady(reported);
    if (taints !== undefined) await write(NODES, reported, { ...reported, spec: { ...reported.spec, taints } });
    ready.resolve();
    return { after: REPORT_STATUS };
  }

  async function reportDrivers(): Promise<Outcome> {
    const node = await client.get(NODES, { name }, {}, signal);
    const entries = [];
    for (const [driver, csi] of drivers) {
      const { nodeId, segments } = await csi.nodeInfo({}, signal);
      entries.push({ name: driver, nodeID: nodeId, topologyKeys: Object.keys(segments) });
    }
    const wanted: CSINode = { metadata: { name, ownerReferences: [ownedBy(node)] }, spec: { drivers: entries } };
    const found = await getOrCreate(client, CSI_NODES, wanted, signal);
    const same = (one: CSINode): string =>
      JSON.stringify(one.spec.drivers.map((each) => [each.name, each.nodeID, each.topologyKeys ?? []]));
    if (same(found) !== same(wanted)) await write(CSI_NODES, found, { ...found, spec: wanted.spec });
    return { after: REPORT_STATUS };
  }

  async function renewLease(): Promise<Outcome> {
    const renewTime = `${new Date(timers.now()).toISOString().slice(0, -1)}000Z`;
    const ref = { namespace: LEASE_NAMESPACE, name };
    const spec = { holderIdentity: name, leaseDurationSeconds: LEASE_SECONDS, renewTime };
    try {
      await client.patch(LEASES, ref, { type: "merge", body: { spec } }, {}, signal);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      const node = await client.get(NODES, { name }, {}, signal);
      await client.create(LEASES, { metadata: { ...ref, ownerReferences: [ownedBy(node)] }, spec }, {}, signal);
    }
    return { after: RENEW_LEASE };
  }

  const jobs: Readonly<Record<string, () => Promise<Outcome>>> = {
    node: reportNode,
    drivers: reportDrivers,
    lease: renewLease,
  };
  const reconcile = async (key: string): Promise<Outcome> => jobs[key]?.();
  queue.add("node");
  void ready.promise.then(
    () => ["drivers", "lease"].forEach((key) => queue.add(key)),
    () => {},
  );
  const running = runWorkers({ queue, workers: 2, reconcile, logger, timers, drain: 1_000 }, signal);

  return {
    ready: ready.promise,
    async stop() {
      stopping.abort(new DOMException("the node was stopped", "AbortError"));
      await running;
      ready.reject(signal.reason);
    },
  };
}

async function getOrCreate<T extends KubeObject>(
  client: KubeClient,
  resource: Resource<T>,
  object: T,
  signal: AbortSignal,
): Promise<T> {
  try {
    return await client.get(resource, refOf(object), {}, signal);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  try {
    return await client.create(resource, object, {}, signal);
  } catch (error) {
    if (isAlreadyExists(error)) return client.get(resource, refOf(object), {}, signal);
    throw error;
  }
}

/** What is the node's goes with it. */
function ownedBy({ metadata: { name, uid = "" } }: Node): {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
} {
  return { apiVersion: "v1", kind: "Node", name, uid };
}
