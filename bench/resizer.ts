/**
 * How fast `outgrow resizer` grows claims, with how many calls and requests, and in how much memory; beside csi-resizer, when
 * `CSI_RESIZER` names its binary. On a real control plane whose etcd flushes every write, with a driver that answers at
 * once, in a process of its own.
 *
 *     npm run bench -- resizer [--claims 1000] [--objects 10000] [--seconds 60] [--rounds 2]
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { table } from "../src/cli/output/table.ts";
import { type Contender, incumbent, ours, type Running, start } from "./resizer/contender.ts";
import { finish, type Growth, grow } from "./resizer/grow.ts";
import { addClaims, addPods, type Scene, setScene } from "./resizer/scene.ts";

interface Result extends Growth {
  readonly contender: Contender;
  readonly calls: number;
  readonly requests: Readonly<Record<string, number>>;
  readonly cpu: number;
  readonly memory: ReturnType<Running["memory"]>;
}

export async function run(words: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...words],
    options: {
      claims: { type: "string", default: "1000" },
      objects: { type: "string", default: "10000" },
      seconds: { type: "string", default: "60" },
      rounds: { type: "string", default: "2" },
    },
  });
  const { claims, objects, seconds, rounds } = numbers(values);
  if (claims > 0) await benchSpeed(claims, seconds, rounds);
  if (objects > 0) await benchMemory(objects);
}

function numbers<K extends string>(texts: Readonly<Record<K, string>>): Record<K, number> {
  const entries = Object.entries<string>(texts).map(([name, text]) => [name, Number(text)] as const);
  return Object.fromEntries(entries) as Record<K, number>;
}

async function withScene(work: (scene: Scene, contenders: readonly Contender[]) => Promise<void>): Promise<void> {
  const scene = await setScene([userOf("outgrow resizer"), userOf("csi-resizer")]);
  try {
    const folder = join(scene.folder, "package");
    await mkdir(folder);
    const theirs = incumbent();
    await work(scene, [ours(folder), ...(theirs === undefined ? [] : [theirs])]);
  } finally {
    await scene.stop();
  }
}

/** All claims at once: with no limit but the server's own, and with the flags that people have. */
async function benchSpeed(claims: number, seconds: number, rounds: number): Promise<void> {
  await withScene(async (scene, contenders) => {
    const names = await addClaims(scene, claims);
    const sizes = sizesFrom(2);
    for (const [title, flagsOf] of [
      ["UNLIMITED", (contender: Contender) => contender.unlimited],
      ["DEFAULT FLAGS", () => []],
    ] as const) {
      const results: Result[] = [];
      for (let round = 0; round < rounds; round++) {
        for (const contender of contenders) {
          results.push(await measure(scene, contender, flagsOf(contender), names, sizes, seconds));
        }
      }
      console.log(
        speedTable(
          `${title}, ${claims} CLAIMS`,
          contenders.map((each) => fastest(results, each)),
        ),
      );
    }
  });
}

/** One in a hundred is the driver's. */
async function benchMemory(objects: number): Promise<void> {
  await withScene(async (scene, contenders) => {
    const names = await addClaims(scene, objects, (index) => index % 100 === 0);
    await addPods(scene, objects);
    const sizes = sizesFrom(2);
    const results: Result[] = [];
    for (const contender of contenders) {
      results.push(await measure(scene, contender, contender.unlimited, names, sizes, 120));
    }
    console.log(memoryTable(`${objects} CLAIMS, VOLUMES, PODS; ${names.length} OURS`, results));
  });
}

/** Starts a resizer, has one claim grown to know that it works, then all of them, and stops it. */
async function measure(
  scene: Scene,
  contender: Contender,
  flags: readonly string[],
  names: readonly string[],
  sizes: () => string,
  limit: number,
): Promise<Result> {
  const { plane, driver, socket, keeper, folder } = scene;
  const user = userOf(contender.name);
  const kubeconfig = plane.users.get(user)?.kubeconfig ?? "";
  const log = join(folder, `${user}.log`);
  const common = [`--csi-address=${socket}`, `--kubeconfig=${kubeconfig}`];
  const running = await start(contender, [...common, ...flags], keeper, log);
  try {
    const first = sizes();
    const warm = await grow(scene, names.slice(0, 1), first, 120);
    if (warm.grown === 0) throw new Error(`${contender.name} does not grow anything; see ${log}`);
    await finish(scene, names.slice(0, 1), first);
    const size = sizes();
    await driver.forgetCalls();
    const since = await plane.auditMark();
    const before = running.cpu();
    const growth = await grow(scene, names, size, limit);
    const cpu = running.cpu() - before;
    const memory = running.memory();
    const requests = await settled(() => plane.auditCounts({ user, since }));
    const calls = (await driver.calls()).length;
    await running.stop();
    await finish(scene, names, size);
    return { ...growth, contender, calls, requests, cpu, memory };
  } finally {
    await running.stop();
  }
}

/** Events come after what they tell of: counts are final when a second has brought nothing new, or after ten. */
async function settled(count: () => Promise<Record<string, number>>): Promise<Record<string, number>> {
  let last = await count();
  for (let second = 0; second < 10; second++) {
    await setTimeout(1000);
    const next = await count();
    if (total(next) === total(last)) return next;
    last = next;
  }
  return last;
}

function speedTable(title: string, results: readonly Result[]): string {
  const rows = results.map((result) => {
    const { contender, grown, seconds, calls, requests, cpu, memory } = result;
    return [
      contender.name,
      `${grown} in ${seconds.toFixed(1)} s`,
      rate(result).toFixed(1),
      (calls / grown).toFixed(2),
      (total(requests) / grown).toFixed(2),
      `${((cpu / grown) * 1000).toFixed(1)} ms`,
      `${memory.now.toFixed(0)} MB`,
      `${memory.peak.toFixed(0)} MB`,
    ];
  });
  const [mine, theirs] = results;
  if (mine !== undefined && theirs !== undefined) {
    rows.push([
      "ratio",
      "",
      (rate(mine) / rate(theirs)).toFixed(2),
      (mine.calls / mine.grown / (theirs.calls / theirs.grown)).toFixed(2),
      (total(mine.requests) / mine.grown / (total(theirs.requests) / theirs.grown)).toFixed(2),
      (mine.cpu / mine.grown / (theirs.cpu / theirs.grown)).toFixed(2),
      (mine.memory.now / theirs.memory.now).toFixed(2),
      (mine.memory.peak / theirs.memory.peak).toFixed(2),
    ]);
  }
  return table([title, "GROWN", "PER SECOND", "CSI CALLS", "API REQUESTS", "CPU", "MEMORY", "PEAK"], rows);
}

function memoryTable(title: string, results: readonly Result[]): string {
  const rows = results.map(({ contender, memory }) => [
    contender.name,
    `${memory.now.toFixed(0)} MB`,
    `${memory.peak.toFixed(0)} MB`,
  ]);
  const [mine, theirs] = results;
  if (mine !== undefined && theirs !== undefined) {
    const ratio = (field: "now" | "peak"): string => (mine.memory[field] / theirs.memory[field]).toFixed(2);
    rows.push(["ratio", ratio("now"), ratio("peak")]);
  }
  return table([title, "MEMORY", "PEAK"], rows);
}

function fastest(results: readonly Result[], contender: Contender): Result {
  const own = results.filter((result) => result.contender === contender);
  return own.reduce((best, next) => (rate(next) > rate(best) ? next : best));
}

const rate = ({ grown, seconds }: Growth): number => grown / seconds;
const total = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);
const userOf = (name: string): string => name.replaceAll(" ", "-");

/** A size that no claim has had yet, each time. */
function sizesFrom(first: number): () => string {
  let next = first;
  return () => `${next++}Gi`;
}
