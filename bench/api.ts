/**
 * The embedded API server beside kube-apiserver on etcd, both with every write on disk before it is acknowledged, and both over
 * HTTP/1.1 and HTTP/2.
 *
 *     npm run bench -- api [--rounds 3] [--seconds 5] [--objects 10000] [--watchers 1000] [--protocol 1|2]
 */
import { parseArgs } from "node:util";
import { table } from "../src/cli/output/table.ts";
import type { Protocol } from "./api/client.ts";
import { type Running, startKube, startOurs } from "./api/contender.ts";
import { type Created, type Load, startLoad } from "./api/load.ts";
import { layOut } from "./lay-out.ts";

interface Plan {
  readonly rounds: number;
  readonly seconds: number;
  readonly objects: number;
  readonly watchers: number;
}

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

type Pair = readonly [ours: Result, theirs: Result];

export async function run(words: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...words],
    options: {
      rounds: { type: "string", default: "3" },
      seconds: { type: "string", default: "5" },
      objects: { type: "string", default: "10000" },
      watchers: { type: "string", default: "1000" },
      protocol: { type: "string" },
    },
  });
  const plan = {
    rounds: Number(values.rounds),
    seconds: Number(values.seconds),
    objects: Number(values.objects),
    watchers: Number(values.watchers),
  };
  // Installed once and started several times, as people do: the first start of all has its code compiled, which Node keeps.
  using installed = layOut();
  for (const [at, protocol] of protocolsOf(values.protocol).entries()) {
    const ours: Result[] = [];
    const theirs: Result[] = [];
    // In turn: the machine and its disk are not as fast at every moment, which must not be one server's alone.
    while (ours.length < plan.rounds) {
      ours.push(await measure(() => startOurs(installed.program), protocol, plan));
      theirs.push(await measure(startKube, protocol, plan));
    }
    console.log(report([bestOf(ours), bestOf(theirs)], protocol, plan, at === 0));
  }
}

/**
 * The best of each measurement, since what is beside the point (other programs, a busy disk) only ever makes it worse; but the most
 * memory, which has nothing to do with others.
 */
function bestOf(results: readonly Result[]): Result {
  const [first] = results;
  if (first === undefined) throw new Error("there must be a round at least");
  const most = (read: (result: Result) => number): number => Math.max(...results.map(read));
  const least = (read: (result: Result) => number): number => Math.min(...results.map(read));
  return {
    name: first.name,
    alone: most(({ alone }) => alone),
    together: most(({ together }) => together),
    togetherFull: most(({ togetherFull }) => togetherFull),
    startMs: least(({ startMs }) => startMs),
    listMs: least(({ listMs }) => listMs),
    fanOutMs: least(({ fanOutMs }) => fanOutMs),
    memory: most(({ memory }) => memory),
  };
}

function protocolsOf(option: string | undefined): readonly Protocol[] {
  switch (option) {
    case undefined:
      return ["HTTP/1.1", "HTTP/2"];
    case "1":
      return ["HTTP/1.1"];
    case "2":
      return ["HTTP/2"];
    default:
      throw new Error(`there is no protocol ${option}; there is 1, and there is 2`);
  }
}

/** A new server for each, so that it has the same in it, and has done the same, whoever it is and however fast. */
async function measure(start: () => Promise<Running>, protocol: Protocol, plan: Plan): Promise<Result> {
  const { seconds, objects, watchers } = plan;
  const starts: number[] = [];
  const during = async <T>(act: (load: Load, server: Running) => Promise<T>): Promise<T> => {
    const server = await start();
    starts.push(server.startMs);
    try {
      await using load = await startLoad(server, protocol);
      return await act(load, server);
    } finally {
      await server.stop();
    }
  };
  const creating = (connections: number) =>
    during(async (load, { name }) => told(name, connections, await load.create(connections, seconds)));
  const told = (name: string, connections: number, { perSecond, clientMs }: Created): number => {
    const rate = `${perSecond.toFixed(0)} creations per second over ${connections}`;
    console.error(`${name}, ${protocol}: ${rate}, ${clientMs.toFixed(2)} ms of the client's CPU time each`);
    return perSecond;
  };

  const alone = await creating(1);
  const together = await creating(32);
  const full = await during(async (load, server) => {
    console.error(`${server.name}, ${protocol}: fills up to ${objects} claims`);
    await load.fillTo(objects);
    const lists = [await load.list(), await load.list(), await load.list()];
    const memory = server.memory();
    const fanOuts: Awaited<ReturnType<Load["fanOut"]>>[] = [];
    while (fanOuts.length < 5) fanOuts.push(await load.fanOut(watchers));
    const { ms, clientMs } = fanOuts.reduce((best, next) => (next.ms < best.ms ? next : best));
    const event = `an event is with ${watchers} after ${ms.toFixed(0)} ms`;
    console.error(`${server.name}, ${protocol}: ${event}, ${clientMs.toFixed(0)} of the client's CPU time`);
    return {
      name: server.name,
      listMs: Math.min(...lists.map(({ ms }) => ms)),
      memory,
      fanOutMs: ms,
      togetherFull: told(server.name, 32, await load.create(32, seconds)),
    };
  });
  return { ...full, alone, together, startMs: Math.min(...starts) };
}

/** What does not depend on the protocol is in the first table alone. */
function report(results: Pair, protocol: Protocol, { objects, watchers }: Plan, isFirst: boolean): string {
  type Column = readonly [string, (result: Result) => number, string];
  const start: Column = ["START", ({ startMs }) => startMs, "ms"];
  const memory: Column = ["MEMORY", ({ memory }) => memory, "MB"];
  const columns: readonly Column[] = [
    ...(isFirst ? [start] : []),
    ["1 CONNECTION", ({ alone }) => alone, "/s"],
    ["32", ({ together }) => together, "/s"],
    [`32, ${objects} THERE`, ({ togetherFull }) => togetherFull, "/s"],
    ["LIST ALL", ({ listMs }) => listMs, "ms"],
    [`EVENT TO ${watchers}`, ({ fanOutMs }) => fanOutMs, "ms"],
    ...(isFirst ? [memory] : []),
  ];
  const rows = results.map((result) => [
    result.name,
    ...columns.map(([, read, unit]) => `${read(result).toFixed(0)} ${unit}`),
  ]);
  const ratios = columns.map(([, read]) => (read(results[0]) / read(results[1])).toFixed(2));
  return table([`DURABLE CLAIMS, ${protocol}`, ...columns.map(([name]) => name)], [...rows, ["ratio", ...ratios]]);
}
