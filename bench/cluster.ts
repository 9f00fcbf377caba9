/**
 * The embedded cluster as a whole: from nothing to a StatefulSet that grows, and how it does with many.
 *
 *     npm run bench -- cluster [--claims 1000] [--sets 200]
 */
import { parseArgs } from "node:util";
import { table } from "../src/cli/output/table.ts";
import { CLAIMS, NAMESPACES, STATEFUL_SETS, STORAGE_CLASSES } from "../src/kube/index.ts";
import { aClaim, areReady, aSet, haveGrown, inParallel, request } from "./cluster/people.ts";
import { type RunningCluster, startProgram } from "./cluster/program.ts";
import { layOut } from "./lay-out.ts";

const PODS_EACH = 5;

export async function run(words: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...words],
    options: { claims: { type: "string", default: "1000" }, sets: { type: "string", default: "200" } },
  });
  using laidOut = layOut();
  await firstMinutes(laidOut.folder);
  await manyClaims(laidOut.folder, Number(values.claims));
  await manySets(laidOut.folder, Number(values.sets));
}

/** What `npm start` gives a newcomer, on real file systems. */
async function firstMinutes(folder: string): Promise<void> {
  const cluster = await startProgram(folder, "--sample");
  const { client, startMs } = cluster;
  // The sample has two sets of three: both, or the growth of one would wait for the other.
  const ready = await timed(cluster, () => areReady(client, "demo", 2));
  const path = "/spec/volumeClaimTemplates/0/spec/resources/requests/storage";
  const grown = await timed(cluster, async () => {
    const body = [{ op: "replace", path, value: "2Gi" }] as const;
    await client.patch(STATEFUL_SETS, { namespace: "demo", name: "db" }, { type: "json", body });
    await haveGrown(client, "demo", 3, "2Gi");
  });
  const { now } = cluster.memory();
  const stopMs = await cluster.stop();
  const columns = ["NPM START", "API READY", "TWO SETS OF 3 READY", "GROWN", "MEMORY", "CTRL-C"];
  const row = ["on file systems", ms(startMs), ms(startMs + ready.ms), ms(grown.ms), mb(now), ms(stopMs)];
  console.log(table(columns, [row]));
}

/** Without pods: on a driver that has no node half. */
async function manyClaims(folder: string, count: number): Promise<void> {
  const cluster = await startProgram(folder, "--driver", "memory");
  const { client } = cluster;
  const provisioner = "memory.csi.outgrow.dev";
  const parameters = { nodeExpansion: "false" };
  const metadata = { name: "controller-only" };
  await client.create(STORAGE_CLASSES, { metadata, provisioner, parameters, allowVolumeExpansion: true });
  await client.create(NAMESPACES, { metadata: { name: "many" } });
  const atRest = cluster.memory().now;
  const names = Array.from({ length: count }, (_, index) => `c${index}`);
  const bound = await timed(cluster, async () => {
    await inParallel(names, (name) => client.create(CLAIMS, aClaim(name, "many", "controller-only")));
    await haveGrown(client, "many", count, "1Gi");
  });
  const grown = await timed(cluster, async () => {
    await request(client, "many", "2Gi");
    await haveGrown(client, "many", count, "2Gi");
  });
  const { now, peak } = cluster.memory();
  await request(client, "many", "3Gi");
  const stopMs = await cluster.stop();
  const columns = [`${count} CLAIMS`, "BOUND", "CPU", "GROWN", "CPU", "AT REST", "MEMORY", "PEAK", "CTRL-C AT WORK"];
  const sizes = [mb(atRest), mb(now), mb(peak)];
  console.log(
    table(columns, [["no pods", ms(bound.ms), ms(bound.cpuMs), ms(grown.ms), ms(grown.cpuMs), ...sizes, ms(stopMs)]]),
  );
}

/** With pods: every volume is staged, published and grown on the node as well. */
async function manySets(folder: string, count: number): Promise<void> {
  const cluster = await startProgram(folder, "--driver", "memory");
  const { client } = cluster;
  await client.create(NAMESPACES, { metadata: { name: "many" } });
  const names = Array.from({ length: count }, (_, index) => `s${index}`);
  const ready = await timed(cluster, async () => {
    await inParallel(names, (name) => client.create(STATEFUL_SETS, aSet(name, "many", PODS_EACH)));
    await areReady(client, "many", count);
  });
  const grown = await timed(cluster, async () => {
    await request(client, "many", "2Gi");
    await haveGrown(client, "many", count * PODS_EACH, "2Gi");
  });
  const { now, peak } = cluster.memory();
  const stopMs = await cluster.stop();
  const columns = [`${count} SETS OF ${PODS_EACH}`, "READY", "CPU", "GROWN", "CPU", "MEMORY", "PEAK", "CTRL-C"];
  console.log(
    table(columns, [
      ["in pods", ms(ready.ms), ms(ready.cpuMs), ms(grown.ms), ms(grown.cpuMs), mb(now), mb(peak), ms(stopMs)],
    ]),
  );
}

/** How long it took, and what the cluster itself spent on it. */
async function timed(
  cluster: RunningCluster,
  work: () => Promise<void>,
): Promise<{ readonly ms: number; readonly cpuMs: number }> {
  const [start, cpu] = [performance.now(), cluster.cpu()];
  await work();
  return { ms: performance.now() - start, cpuMs: (cluster.cpu() - cpu) * 1000 };
}

function ms(value: number): string {
  return `${value.toFixed(0)} ms`;
}

function mb(value: number): string {
  return `${value.toFixed(0)} MB`;
}
