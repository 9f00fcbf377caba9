/**
 * The embedded API server beside kube-apiserver on etcd, both with every write on disk before it is acknowledged, and both over
 * HTTP/1.1 and HTTP/2.
 *
 *     npm run bench -- api [--rounds 3] [--turns 5] [--objects 10000] [--watchers 1000] [--protocol 1|2]
 */
import { parseArgs } from "node:util";
import { table } from "../src/cli/output/table.ts";
import type { Protocol } from "./api/client.ts";
import { type Running, startKube, startOurs } from "./api/contender.ts";
import { type Creations, type Load, startLoad } from "./api/load.ts";
import { type Column, least, median, most, type Pairs, ratioOf, shown } from "./api/paired.ts";
import { layOut } from "./lay-out.ts";

interface Plan {
  /** How often everything is done, with new servers. */
  readonly rounds: number;
  /** Of a second each, in a round. */
  readonly turns: number;
  readonly objects: number;
  readonly watchers: number;
}

/** One of the two, with who asks it. */
interface Side {
  readonly server: Running;
  readonly load: Load;
}

export async function run(words: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...words],
    options: {
      rounds: { type: "string", default: "3" },
      turns: { type: "string", default: "5" },
      objects: { type: "string", default: "10000" },
      watchers: { type: "string", default: "1000" },
      protocol: { type: "string" },
    },
  });
  const plan = {
    rounds: Number(values.rounds),
    turns: Number(values.turns),
    objects: Number(values.objects),
    watchers: Number(values.watchers),
  };
  // Installed once and started several times, as people do: the first start of all has its code compiled, which Node keeps.
  using installed = layOut();
  for (const [at, protocol] of protocolsOf(values.protocol).entries()) {
    const measured = measurements(plan);
    for (let round = 0; round < plan.rounds; round++) {
      await measure(() => startOurs(installed.program), protocol, plan, measured);
    }
    console.log(report(measured, protocol, at === 0));
  }
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

type Name = "start" | "alone" | "together" | "full" | "list" | "event" | "memory";

interface Measured {
  readonly column: Column;
  readonly pairs: Pairs;
}

function measurements({ objects, watchers }: Plan): Readonly<Record<Name, Measured>> {
  const of = (title: string, unit: string, counts?: Column["counts"]): Measured => ({
    column: { title, unit, ...(counts !== undefined && { counts }) },
    pairs: { ours: [], theirs: [] },
  });
  return {
    start: of("START", "ms", least),
    alone: of("1 CONNECTION", "/s"),
    together: of("32", "/s"),
    full: of(`32, ${objects} THERE`, "/s"),
    list: of("LIST ALL", "ms"),
    event: of(`EVENT TO ${watchers}`, "ms"),
    memory: of("MEMORY", "MB", most),
  };
}

type Sides<T> = readonly [ours: T, theirs: T];

/** One after the other. Neither is always the one that comes after the other's work, nor the one for whom the client does something for the first time. */
async function both([here, there]: Sides<() => Promise<number>>, theirsFirst: boolean): Promise<Sides<number>> {
  if (!theirsFirst) return [await here(), await there()];
  const theirs = await there();
  return [await here(), theirs];
}

/**
 * One round. Both servers are there all the time and are asked in turn, a second each: the machine and its disk are not as fast at
 * every moment, which must not be one server's alone. There are new ones for each measurement, so that both have the same in them, and
 * have done the same, however fast they are.
 */
async function measure(
  start: () => Promise<Running>,
  protocol: Protocol,
  { turns, objects, watchers }: Plan,
  measured: Readonly<Record<Name, Measured>>,
): Promise<void> {
  const note = (name: Name, [ours, theirs]: Sides<number>): void => {
    measured[name].pairs.ours.push(ours);
    measured[name].pairs.theirs.push(theirs);
  };
  const inTurn = async (name: Name, times: number, [here, there]: Sides<() => Promise<number>>): Promise<void> => {
    for (let turn = 0; turn < times; turn++) note(name, await both([here, there], turn % 2 === 1));
    const last = (values: readonly number[]): string => values.slice(-times).map(Math.round).join(" ");
    const { column, pairs } = measured[name];
    console.error(`${protocol}, ${column.title}: ${last(pairs.ours)} here, ${last(pairs.theirs)} there`);
  };
  const beside = async (act: (sides: Sides<Side>) => Promise<void>): Promise<void> => {
    await using servers = new AsyncDisposableStack();
    const side = async (begin: () => Promise<Running>): Promise<Side> => {
      const server = await begin();
      servers.defer(() => server.stop());
      return { server, load: servers.use(await startLoad(server, protocol)) };
    };
    const sides = [await side(start), await side(startKube)] as const;
    note("start", [sides[0].server.startMs, sides[1].server.startMs]);
    await act(sides);
  };
  const creating = async (name: Name, connections: number, [ours, theirs]: Sides<Side>): Promise<void> => {
    await using here = await ours.load.creations(connections);
    await using there = await theirs.load.creations(connections);
    const clientMs: number[] = [];
    const second = async (creations: Creations): Promise<number> => {
      const done = await creations.during(1);
      clientMs.push(done.clientMs);
      return done.perSecond;
    };
    await inTurn(name, turns, [() => second(here), () => second(there)]);
    console.error(`  ${median(clientMs).toFixed(2)} ms of the client's CPU time for each`);
  };

  await beside((sides) => creating("alone", 1, sides));
  await beside((sides) => creating("together", 32, sides));
  await beside(async (sides) => {
    const [ours, theirs] = sides;
    for (const { load } of sides) await load.fillTo(objects);
    const list = async ({ load }: Side): Promise<number> => (await load.list()).ms;
    await inTurn("list", 3, [() => list(ours), () => list(theirs)]);
    note("memory", [ours.server.memory(), theirs.server.memory()]);
    const event = async ({ load }: Side): Promise<number> => (await load.fanOut(watchers)).ms;
    // As with creations, the first does not count, at which both servers and the client do what they have never done.
    const first = [await event(ours), await event(theirs)].map(Math.round);
    console.error(`${protocol}, FIRST EVENT TO ${watchers}: ${first[0]} here, ${first[1]} there`);
    await inTurn("event", 9, [() => event(ours), () => event(theirs)]);
    await creating("full", 32, sides);
  });
}

/** What does not depend on the protocol is in the first table alone. */
function report(measured: Readonly<Record<Name, Measured>>, protocol: Protocol, isFirst: boolean): string {
  const { start, memory, ...others } = measured;
  const all = [...(isFirst ? [start] : []), ...Object.values(others), ...(isFirst ? [memory] : [])];
  const row = (title: string, cell: (each: Measured) => string): string[] => [title, ...all.map(cell)];
  return table(
    row(`DURABLE CLAIMS, ${protocol}`, ({ column }) => column.title),
    [
      row("outgrow up", ({ column, pairs }) => shown(column, pairs.ours)),
      row("kube-apiserver", ({ column, pairs }) => shown(column, pairs.theirs)),
      row("ratio", ({ column, pairs }) => ratioOf(column, pairs).toFixed(2)),
    ],
  );
}
