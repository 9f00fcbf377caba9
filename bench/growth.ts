/**
 * How long many StatefulSets take to grow, and what that costs the API server: on a real control plane with
 * kube-controller-manager, our scheduler, node, provisioner and resizer, on the memory driver, and `outgrow controller` as
 * a process of its own. Writes are counted from the audit log.
 *
 *     npm run bench -- growth [--sets 200] [--replicas 5]
 */
import { parseArgs } from "node:util";
import { table } from "../src/cli/output/table.ts";
import { growMany } from "../test/kube/growth/scale.ts";
import { openStage } from "../test/kube/growth/stage.ts";

export async function run(words: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...words],
    options: { sets: { type: "string", default: "200" }, replicas: { type: "string", default: "5" } },
  });
  const options = { name: "bench", sets: Number(values.sets), replicas: Number(values.replicas) };
  await using stage = await openStage();
  await stage.controller();
  const { sets, claims, claimSeconds, seconds, writes, events } = await growMany(stage, options);
  console.log(
    `${sets} sets of ${options.replicas}: ${claims} claims grown in ${claimSeconds.toFixed(1)} s, ` +
      `all templates in ${seconds.toFixed(1)} s`,
  );
  const rows = Object.entries({ ...writes, events })
    .sort(([, a], [, b]) => b - a)
    .map(([what, count]) => [what, String(count), (count / claims).toFixed(2), (count / sets).toFixed(2)]);
  console.log(table(["WRITES OF THE CONTROLLER", "IN ALL", "PER CLAIM", "PER SET"], rows));
}
