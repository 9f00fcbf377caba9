/** What clients do to an API server: write claims, list them, watch them. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type Client, createClient, type Lanes, type Protocol, type Send, type Watchers } from "./client.ts";
import type { Access } from "./contender.ts";

const NAMESPACE = "bench";
const CLAIMS = `/api/v1/namespaces/${NAMESPACE}/persistentvolumeclaims`;

/** Creations that do not count, before those that do: connections are open then, and code is compiled. */
const WARM_UP = 500;

setFlagsFromString("--expose-gc");
/** Before what is over in a moment, which the client's own garbage must not make longer. */
const collectGarbage = runInNewContext("gc") as () => void;

export interface Load extends AsyncDisposable {
  /** Opens so many connections to create claims over, which are many already when it resolves. */
  creations(connections: number): Promise<Creations>;
  /** Creates claims until there are so many. */
  fillTo(count: number): Promise<void>;
  /** Milliseconds for one list of everything, and its bytes. */
  list(): Promise<{ readonly ms: number; readonly bytes: number }>;
  /** A change that so many watchers wait for. */
  fanOut(watchers: number): Promise<FannedOut>;
}

export interface Creations extends AsyncDisposable {
  /** Creates claims for so long. */
  during(seconds: number): Promise<Created>;
}

/** What this process itself takes is told as well: on a small machine it takes it from the server. */
export interface Created {
  readonly perSecond: number;
  /** Milliseconds of CPU time that one creation takes of the client. */
  readonly clientMs: number;
}

export interface FannedOut {
  /** From the write until the last has its event. */
  readonly ms: number;
  /** Milliseconds of CPU time that it takes of the client, for all of them. */
  readonly clientMs: number;
}

/** With a place for the claims, which are not there yet. */
export async function startLoad(access: Access, protocol: Protocol): Promise<Load> {
  const client = createClient(access, protocol);
  const main = await client.open(32);
  try {
    await first(main)("POST", "/api/v1/namespaces", { metadata: { name: NAMESPACE } });
  } catch (error) {
    await main[Symbol.asyncDispose]();
    throw error;
  }
  return loadOver(client, main);
}

function loadOver(client: Client, main: Lanes): Load {
  let serial = 0;

  async function together(lanes: Lanes, goOn: () => boolean): Promise<number> {
    let done = 0;
    const work = async (send: Send): Promise<void> => {
      while (goOn()) {
        await send("POST", CLAIMS, claim(`data-${serial++}`));
        done++;
      }
    };
    await Promise.all(lanes.senders.map(work));
    return done;
  }

  return {
    async creations(connections) {
      const lanes = await client.open(connections);
      const warm = serial + WARM_UP;
      await together(lanes, () => serial < warm);
      return {
        async during(seconds) {
          const cpu = process.cpuUsage();
          const start = performance.now();
          const done = await together(lanes, () => performance.now() - start < seconds * 1000);
          return { perSecond: done / ((performance.now() - start) / 1000), clientMs: cpuMsSince(cpu) / done };
        },
        [Symbol.asyncDispose]: () => lanes[Symbol.asyncDispose](),
      };
    },
    async fillTo(count) {
      await together(main, () => serial < count);
    },
    async list() {
      collectGarbage();
      const start = performance.now();
      const bytes = await first(main)("GET", CLAIMS);
      return { ms: performance.now() - start, bytes };
    },
    async fanOut(count) {
      await using watchers = client.watchers(count);
      const name = `seen-${serial++}`;
      await first(main)("POST", CLAIMS, claim(name));
      const path = `${CLAIMS}?watch=true&fieldSelector=metadata.name%3D${name}`;
      const seen: Promise<number>[] = [];
      while (seen.length < count) {
        const batch = Array.from({ length: Math.min(50, count - seen.length) }, () => watch(watchers, path));
        await Promise.all(batch.map(({ begun }) => begun));
        seen.push(...batch.map(({ modified }) => modified));
      }
      collectGarbage();
      const cpu = process.cpuUsage();
      const start = performance.now();
      await first(main)("PATCH", `${CLAIMS}/${name}`, { metadata: { labels: { seen: "yes" } } });
      const times = await Promise.all(seen);
      return { ms: Math.max(...times) - start, clientMs: cpuMsSince(cpu) };
    },
    [Symbol.asyncDispose]: () => main[Symbol.asyncDispose](),
  };
}

function first({ senders: [send] }: Lanes): Send {
  if (send === undefined) throw new Error("there is no connection to send over");
  return send;
}

function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** How the lines begin of an object that is there, and of a change. */
const ADDED = '{"type":"A';
const MODIFIED = '{"type":"M';
const NEW_LINE = 10;

/** Tells when the watch has begun, and when its object was modified: no more is looked at than the ends of each line. */
function watch(watchers: Watchers, path: string): { begun: Promise<void>; modified: Promise<number> } {
  const begun = Promise.withResolvers<void>();
  const modified = Promise.withResolvers<number>();
  let line = "";
  const onData = (piece: Buffer): void => {
    if (line.length < ADDED.length) line += piece.toString("latin1", 0, ADDED.length - line.length);
    if (piece[piece.length - 1] !== NEW_LINE) return;
    if (line === MODIFIED) modified.resolve(performance.now());
    else if (line === ADDED) begun.resolve();
    line = "";
  };
  watchers.watch(path, onData, (error) => {
    begun.reject(error);
    modified.reject(error);
  });
  modified.promise.catch(() => {});
  return { begun: begun.promise, modified: modified.promise };
}

function claim(name: string): object {
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name, namespace: NAMESPACE, labels: { app: "db", "app.kubernetes.io/instance": "bench" } },
    spec: {
      accessModes: ["ReadWriteOnce"],
      storageClassName: "",
      volumeName: `pv-${name}`,
      resources: { requests: { storage: "10Gi" } },
    },
  };
}
