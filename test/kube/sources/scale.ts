/** Many custom resources at once, in one namespace with one operator. */
import { MYSQL_CLUSTERS } from "../../../src/cluster/sample/mysql/index.ts";
import { VOLUME_EXPANSIONS } from "../../../src/statefulset/index.ts";
import { waitFor } from "../wait.ts";
import { conditionOf, DATA, dataOf } from "./scene.ts";
import type { SourceStage } from "./stage.ts";

export interface Scale {
  /** How long from the first edit to the last condition, in seconds. */
  readonly seconds: number;
  /** The generations that the conditions are about: each resource was edited once. */
  readonly generations: ReadonlySet<number | undefined>;
  readonly records: number;
}

/** `count` clusters of one pod each come up, are all asked for more at once, and have it. */
export async function growMany(stage: SourceStage, namespace: string, count: number): Promise<Scale> {
  const { client } = stage;
  await stage.scene(namespace);
  const names = Array.from({ length: count }, (_, index) => `many-${index}`);
  const templates = (storage: string) => ({ volumeClaimTemplates: [dataOf(storage, "memory")] });
  for (const name of names) {
    await client.create(MYSQL_CLUSTERS, { metadata: { namespace, name }, spec: { replicas: 1, ...templates("1Gi") } });
  }
  const untilAll = async (what: string, message: string) => {
    const probe = async () => {
      const clusters = await client.listAll(MYSQL_CLUSTERS, { namespace });
      const done = clusters.filter((each) => conditionOf(each)?.message === message && isAvailable(each));
      return done.length === count && clusters;
    };
    // A re-creation is some twenty calls, and each set waits for its pods: a second each on two busy cores.
    return waitFor(`${count} resources ${what}`, probe, { timeoutMs: 120_000 + count * 3_000, everyMs: 1_000 });
  };
  await untilAll("to come up", `every claim has its size: ${DATA} 1Gi`);
  const began = performance.now();
  const body = { spec: templates("2Gi") };
  await Promise.all(names.map((name) => client.patch(MYSQL_CLUSTERS, { namespace, name }, { type: "merge", body })));
  const clusters = await untilAll("to grow", `every claim has its size: ${DATA} 2Gi`);
  const records = await client.listAll(VOLUME_EXPANSIONS, { namespace });
  return {
    seconds: Math.round((performance.now() - began) / 1000),
    generations: new Set(clusters.map((each) => conditionOf(each)?.observedGeneration)),
    records: records.filter(({ spec }) => spec.wishedBy !== undefined).length,
  };
}

function isAvailable({ status }: Parameters<typeof conditionOf>[0]): boolean {
  return status?.conditions?.some(({ type, status: is }) => type === "Available" && is === "True") === true;
}
