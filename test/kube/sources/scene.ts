/** One namespace with a MySQLCluster `shop` and its operator: what people do to it, and how it looks. */
import { MYSQL_CLUSTERS, type MySQLCluster } from "../../../src/cluster/sample/mysql/index.ts";
import type { ClaimTemplate, Condition } from "../../../src/core/types.ts";
import type { KubeClient } from "../../../src/kube/index.ts";
import { isReady, type Look } from "../growth/look.ts";
import type { Scene } from "../growth/scene.ts";
import { waitFor } from "../wait.ts";

export interface SourceScene {
  /** Of its set `moco-shop`. */
  readonly sets: Scene;
  readonly operator: { stop(): Promise<void> };
  /** Creates the cluster and waits until its pods are ready. */
  make(sketch?: ClusterSketch): Promise<Look>;
  /** The same, and until the condition says that all is well. */
  create(sketch?: ClusterSketch): Promise<Look>;
  /** Somebody edits the size of its data. */
  resize(storage: string): Promise<void>;
  change(patch: object): Promise<void>;
  cluster(): Promise<MySQLCluster>;
  /** Waits until the condition is this: `True Resized: ...`, or a part of it. */
  untilCondition(text: string): Promise<MySQLCluster>;
  /** Waits until all has this size, and the condition says so. */
  untilResized(storage: string): Promise<Look>;
}

export interface ClusterSketch {
  readonly storage?: string;
  readonly replicas?: number;
  readonly className?: string;
}

const SHOP = "shop";
export const DATA = "mysql-data";
const PATIENCE = { timeoutMs: 240_000, everyMs: 250 };

export function openCluster(client: KubeClient, sets: Scene, operator: SourceScene["operator"]): SourceScene {
  const { namespace } = sets;
  const ref = { namespace, name: SHOP };
  let className = "memory";
  const cluster = (): Promise<MySQLCluster> => client.get(MYSQL_CLUSTERS, ref);
  const change: SourceScene["change"] = async (body) => {
    await client.patch(MYSQL_CLUSTERS, ref, { type: "merge", body: body as Readonly<Record<string, unknown>> });
  };
  const untilCondition: SourceScene["untilCondition"] = async (text) => {
    let last: MySQLCluster | undefined;
    const probe = async (): Promise<MySQLCluster | undefined> => {
      last = await cluster();
      return says(last).includes(text) ? last : undefined;
    };
    return waitFor(`${namespace}: the condition to say "${text}"`, probe, PATIENCE).catch(async (error: unknown) => {
      const { record, claims } = await sets.look();
      throw new Error(`${String(error)}; it says "${last && says(last)}"\n${JSON.stringify({ record, claims })}`);
    });
  };
  const make: SourceScene["make"] = async ({ storage = "1Gi", replicas = 2, className: name = "memory" } = {}) => {
    className = name;
    const spec = { replicas, volumeClaimTemplates: [dataOf(storage, className)] };
    await client.create(MYSQL_CLUSTERS, { metadata: ref, spec });
    return sets.until("its pods to be ready", isReady);
  };
  return {
    sets,
    operator,
    make,
    async create(sketch) {
      await make(sketch);
      await untilCondition("True Resized");
      return sets.look();
    },
    resize: (storage) => change({ spec: { volumeClaimTemplates: [dataOf(storage, className)] } }),
    change,
    cluster,
    untilCondition,
    async untilResized(storage) {
      const look = await sets.untilGrown({ [DATA]: storage });
      await untilCondition(`True Resized: every claim has its size: ${DATA} ${storage}`);
      return look;
    },
  };
}

export function conditionOf({ status }: Pick<MySQLCluster, "status">): Condition | undefined {
  return status?.conditions?.find(({ type }) => type === "VolumeResized");
}

function says(cluster: MySQLCluster): string {
  const { status, reason, message } = conditionOf(cluster) ?? {};
  return `${status} ${reason}: ${message}`;
}

export function dataOf(storage: string, storageClassName: string, name = DATA): ClaimTemplate {
  const spec = { accessModes: ["ReadWriteOnce"], storageClassName, resources: { requests: { storage } } };
  return { metadata: { name }, spec };
}
