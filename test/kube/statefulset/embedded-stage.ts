/** An embedded cluster with sets on the memory driver, to grow them on. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ControllerName, startCluster } from "../../../src/cluster/index.ts";
import type { Gates } from "../../../src/core/gates.ts";
import { WISH_ANNOTATION } from "../../../src/core/names.ts";
import type { KubeObject, PersistentVolumeClaim, Pod, StatefulSet } from "../../../src/core/types.ts";
import {
  CLAIMS,
  createClient,
  createTransport,
  EVENTS,
  type Event,
  isNotFound,
  type KubeClient,
  loadConfig,
  PODS,
  STATEFUL_SETS,
  silentLogger,
} from "../../../src/kube/index.ts";
import { VOLUME_EXPANSIONS, type VolumeExpansion, type VolumeExpansionSpec } from "../../../src/statefulset/index.ts";
import { waitFor } from "../wait.ts";

export const NAMESPACE = "default";

export interface Stage {
  readonly client: KubeClient;
  /** Creates a set of this many with `data` of 1Gi, and waits until its pods are ready. */
  create(name: string, traits?: SetTraits): Promise<StatefulSet>;
  wish(name: string, text: string | null): Promise<void>;
  order(name: string, spec: Partial<VolumeExpansionSpec>): Promise<void>;
  set(name: string): Promise<StatefulSet>;
  record(name: string): Promise<VolumeExpansion | undefined>;
  /** Waits until the record says this of itself. */
  says(name: string, what: string, is: (record: VolumeExpansion) => boolean): Promise<VolumeExpansion>;
  done(name: string): Promise<VolumeExpansion>;
  /** What claims ask for and have, by ordinal: `2Gi/1Gi`. */
  sizes(name: string): Promise<string[]>;
  /** Who the pods and claims of a set are. */
  uids(name: string): Promise<string[]>;
  events(object: string): Promise<Event[]>;
  stop(): Promise<void>;
}

export interface SetTraits {
  readonly replicas?: number;
  readonly className?: string;
  readonly spec?: object;
}

export interface StageOptions {
  readonly gates: Gates;
  readonly without?: readonly ControllerName[];
}

export async function openStage({ gates, without = [] }: StageOptions): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), "outgrow-growth-"));
  const life = { driver: "memory", sample: false, without: new Set(without) } as const;
  const cluster = await startCluster({ folder, port: 0, gates, logger: silentLogger, life });
  const client = createClient(createTransport(await loadConfig({ env: {}, kubeconfig: cluster.kubeconfig })));

  const ref = (name: string) => ({ namespace: NAMESPACE, name });
  const record = async (name: string): Promise<VolumeExpansion | undefined> => {
    try {
      return await client.get(VOLUME_EXPANSIONS, ref(name));
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  };
  const ofSet = async <T extends KubeObject>(resource: Parameters<KubeClient["listAll"]>[0], name: string) =>
    (await client.listAll(resource, { namespace: NAMESPACE, labelSelector: `app=${name}` })) as T[];
  const says: Stage["says"] = async (name, what, is) => {
    let last: VolumeExpansion | undefined;
    const probe = async (): Promise<VolumeExpansion | undefined> => {
      last = await record(name);
      return last !== undefined && is(last) ? last : undefined;
    };
    return waitFor(`record ${name} to say ${what}`, probe, { timeoutMs: 60_000 }).catch((error: unknown) => {
      throw new Error(`${String(error)}; it says ${JSON.stringify(last?.status)}`, { cause: error });
    });
  };

  return {
    client,
    async create(name, { replicas = 3, className = "memory", spec = {} } = {}) {
      await client.create(STATEFUL_SETS, aSet(name, replicas, className, spec));
      await waitFor(
        `${name} to be ready`,
        async () => (await client.get(STATEFUL_SETS, ref(name))).status?.readyReplicas === replicas,
      );
      return client.get(STATEFUL_SETS, ref(name));
    },
    async wish(name, text) {
      const body = { metadata: { annotations: { [WISH_ANNOTATION]: text } } };
      await client.patch(STATEFUL_SETS, ref(name), { type: "merge", body }, { fieldManager: "person" });
    },
    async order(name, spec) {
      if ((await record(name)) === undefined) {
        const object: VolumeExpansion = { metadata: ref(name), spec: { statefulSetName: name, ...spec } };
        await client.create(VOLUME_EXPANSIONS, object);
      } else await client.patch(VOLUME_EXPANSIONS, ref(name), { type: "merge", body: { spec } });
    },
    set: (name) => client.get(STATEFUL_SETS, ref(name)),
    record,
    says,
    done: (name) => says(name, "that it is done", ({ status }) => status?.phase === "Done"),
    async sizes(name) {
      const claims = await ofSet<PersistentVolumeClaim>(CLAIMS, name);
      return claims.map(
        ({ spec, status }) => `${spec.resources?.requests?.["storage"]}/${status?.capacity?.["storage"]}`,
      );
    },
    async uids(name) {
      const objects = [...(await ofSet<Pod>(PODS, name)), ...(await ofSet<PersistentVolumeClaim>(CLAIMS, name))];
      return objects.map(({ metadata }) => `${metadata.name} ${metadata.uid}`);
    },
    async events(object) {
      return client.listAll(EVENTS, { namespace: NAMESPACE, fieldSelector: `involvedObject.name=${object}` });
    },
    async stop() {
      await client.close();
      await cluster.stop();
      await rm(folder, { recursive: true });
    },
  };
}

function aSet(name: string, replicas: number, className: string, spec: object): StatefulSet {
  const labels = { app: name };
  return {
    metadata: { namespace: NAMESPACE, name },
    spec: {
      replicas,
      serviceName: name,
      podManagementPolicy: "Parallel",
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: "main", image: "database" }], terminationGracePeriodSeconds: 0 } as object,
      },
      volumeClaimTemplates: [
        {
          metadata: { name: "data" },
          spec: {
            accessModes: ["ReadWriteOnce"],
            storageClassName: className,
            resources: { requests: { storage: "1Gi" } },
          },
        },
      ],
      ...spec,
    },
  };
}
