/**
 * The embedded API server beside kube-apiserver on etcd, both with every write on disk before it is acknowledged.
 *
 *     npm run bench -- api [--seconds 5] [--objects 10000] [--watchers 1000]
 */
import { parseArgs } from "node:util";
import { table } from "../src/cli/output/table.ts";
import { type Running, startKube, startOurs } from "./api/contender.ts";
import { createLoad, type Load } from "./api/load.ts";
import { layOut } from "./lay-out.ts";

interface Result {
  readonly name: string;
  readonly startMs: number;
  readonly alone: number;
  readonly together: number;
  readonly togetherFull: number;
  readonly listMs: number;
  readonly fanOutMs: number;
  readonly memory: number;
}

export async function run(words: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...words],
    options: {
      seconds: { type: "string", default: "5" },
      objects: { type: "string", default: "10000" },
      watchers: { type: "string", default: "1000" },
    },
  });
  const [seconds, objects, watchers] = [values.seconds, values.objects, values.watchers].map(Number) as [
    number,
    number,
    number,
  ];
  // Installed once and started several times, as people do: the first start of all has its code compiled, which Node keeps.
  using installed = layOut();
  const ours = await measure(() => startOurs(installed.program), seconds, objects, watchers);
  const theirs = await measure(startKube, seconds, objects, watchers);
  console.log(report([ours, theirs], objects, watchers));
}

async function measure(
  start: () => Promise<Running>,
  seconds: number,
  objects: number,
  watchers: number,
): Promise<Result> {
  const empty = await during(start, async (server, load) => {
    console.error(`${server.name}: creates claims`);
    return { startMs: server.startMs, alone: await load.create(1, seconds), together: await load.create(32, seconds) };
  });
  // Another one, which has exactly as many as are asked for: a fast server would have more by now than a slow one.
  const full = await during(start, async (server, load) => {
    console.error(`${server.name}: fills up to ${objects} claims`);
    await load.fillTo(objects);
    console.error(`${server.name}: lists and watches`);
    const lists = [await load.list(), await load.list(), await load.list()];
    const memory = server.memory();
    const fanOuts = [await load.fanOut(watchers), await load.fanOut(watchers)];
    return {
      name: server.name,
      startMs: server.startMs,
      listMs: Math.min(...lists.map(({ ms }) => ms)),
      memory,
      fanOutMs: Math.min(...fanOuts),
      togetherFull: await load.create(32, seconds),
    };
  });
  return { ...empty, ...full, startMs: Math.min(empty.startMs, full.startMs) };
}

async function during<T>(start: () => Promise<Running>, act: (server: Running, load: Load) => Promise<T>): Promise<T> {
  const server = await start();
  const load = createLoad(server);
  try {
    await load.begin();
    return await act(server, load);
  } finally {
    await load.close();
    await server.stop();
  }
}

function report(results: readonly [Result, Result], objects: number, watchers: number): string {
  const columns: readonly [string, (result: Result) => number, string][] = [
    ["START", ({ startMs }) => startMs, "ms"],
    ["1 CONNECTION", ({ alone }) => alone, "/s"],
    ["32", ({ together }) => together, "/s"],
    [`32, ${objects} THERE`, ({ togetherFull }) => togetherFull, "/s"],
    ["LIST ALL", ({ listMs }) => listMs, "ms"],
    [`EVENT TO ${watchers}`, ({ fanOutMs }) => fanOutMs, "ms"],
    ["MEMORY", ({ memory }) => memory, "MB"],
  ];
  const rows = results.map((result) => [
    result.name,
    ...columns.map(([, read, unit]) => `${read(result).toFixed(0)} ${unit}`),
  ]);
  const ratios = columns.map(([, read]) => (read(results[0]) / read(results[1])).toFixed(2));
  return table(["DURABLE CLAIMS", ...columns.map(([name]) => name)], [...rows, ["ratio", ...ratios]]);
}
