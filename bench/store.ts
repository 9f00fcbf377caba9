/** How fast the embedded cluster's store writes, lists, tells watchers and opens, and what it takes in memory. */
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { table } from "../src/cli/output/table.ts";
import { keyOf, openSqliteStore, prefixOf, type RevisionedStore } from "../src/cluster/store/index.ts";
import { best, measure } from "./measure.ts";

const RESOURCE = "persistentvolumeclaims";
const SIZES = [10_000, 100_000];
const WATCHERS = 1000;
const WRITE_SECONDS = 3;
const RUNS = 3;

export async function run(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "outgrow-bench-"));
  try {
    const writes: string[][] = [];
    const reads: string[][] = [];
    const opens: string[][] = [];
    for (const size of [0, ...SIZES]) {
      const file = join(folder, `${size}.db`);
      await fill(file, size);
      if (size > 0) opens.push([count(size), ...(await benchOpen(file))]);
      const store = openSqliteStore(file);
      for (const writers of [1, 32]) writes.push([count(size), count(writers), ...(await benchWrites(store, writers))]);
      if (size === SIZES[0]) reads.push(...(await benchLists(store)), ...(await benchWatches(store)));
      await store.close();
    }
    console.log(table(["OBJECTS", "WRITERS", "DURABLE WRITES/S", "P50", "P99"], writes));
    console.log(table(["READING", "TIME"], reads));
    console.log(table(["OBJECTS", "FILE", "OPEN", "PEAK MEMORY"], opens));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A claim as the API server stores it, of the 1.4 KB that one with a growing volume has. */
function claim(name: string, revision: number): string {
  const metadata = {
    name,
    namespace: "prod",
    resourceVersion: String(revision),
    uid: "0b5e8c64-3c5b-4c1e-9d8e-2f5f0a1b2c3d",
  };
  const managedFields = [{ manager: "kube-controller-manager", operation: "Update", fieldsV1: "f".repeat(700) }];
  const spec = {
    accessModes: ["ReadWriteOnce"],
    resources: { requests: { storage: "100Gi" } },
    volumeName: `pvc-${name}`,
  };
  const status = { phase: "Bound", capacity: { storage: "100Gi" }, conditions: [{ message: "m".repeat(200) }] };
  return JSON.stringify({ kind: "PersistentVolumeClaim", metadata: { ...metadata, managedFields }, spec, status });
}

const nameOf = (n: number): string => `data-db-${n}`;
const keyFor = (name: string): string => keyOf({ resource: RESOURCE, namespace: "prod", name });
const create = (store: RevisionedStore, name: string) =>
  store.create(keyFor(name), (revision) => claim(name, revision));

async function fill(file: string, size: number): Promise<void> {
  const BATCH = 1000;
  const store = openSqliteStore(file);
  for (let at = 0; at < size; at += BATCH) {
    await Promise.all(Array.from({ length: BATCH }, (_, n) => create(store, nameOf(at + n))));
  }
  await store.close();
}

/** Writers that wait for each write before the next, as clients do; each changes one object of its own. */
async function benchWrites(store: RevisionedStore, writers: number): Promise<string[]> {
  const times: number[] = [];
  const start = performance.now();
  const end = start + WRITE_SECONDS * 1000;
  const write = async (writer: number): Promise<void> => {
    const name = `writer-${writers}-${writer}`;
    let { revision } = await create(store, name);
    while (performance.now() < end) {
      const asked = performance.now();
      ({ revision } = await store.update(keyFor(name), revision, (next) => claim(name, next)));
      times.push(performance.now() - asked);
    }
  };
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
  const seconds = (performance.now() - start) / 1000;
  times.sort((a, b) => a - b);
  const at = (share: number): string => milliseconds(times[Math.floor(times.length * share)] ?? 0);
  return [count(Math.round(times.length / seconds)), at(0.5), at(0.99)];
}

async function benchLists(store: RevisionedStore): Promise<string[][]> {
  const prefix = prefixOf(RESOURCE, "prod");
  const timed = async (act: () => void): Promise<string> => {
    const once = async (): Promise<number> => {
      const start = performance.now();
      act();
      return performance.now() - start;
    };
    return milliseconds(await best(RUNS * 3, once, (time) => time));
  };
  const { revision } = store;
  await create(store, "since");
  const items = (page: { entries: readonly { value: string }[] }): Buffer =>
    Buffer.from(`[${page.entries.map(({ value }) => value).join(",")}]`);
  return [
    ["list of 10,000", await timed(() => store.list({ prefix }))],
    ["list of 10,000, as one text of bytes", await timed(() => items(store.list({ prefix })))],
    ["page of 500, as of now", await timed(() => store.list({ prefix, limit: 500 }))],
    ["page of 500, as of an earlier revision", await timed(() => store.list({ prefix, limit: 500, revision }))],
    ["count of 10,000", await timed(() => store.count(prefix))],
  ];
}

/** From the acknowledgement of a write to the moment when the last watcher has its event. */
async function benchWatches(store: RevisionedStore): Promise<string[][]> {
  let told = 0;
  let everybody = Promise.withResolvers<void>();
  const watches = Array.from({ length: WATCHERS }, () => store.watch(prefixOf(RESOURCE), store.revision));
  const readers = watches.map(async (watch) => {
    for await (const events of watch) {
      told += events.length;
      if (told >= WATCHERS) everybody.resolve();
    }
  });
  let n = 0;
  const once = async (): Promise<number> => {
    told = 0;
    everybody = Promise.withResolvers();
    await create(store, `watched-${n++}`);
    const start = performance.now();
    await everybody.promise;
    return performance.now() - start;
  };
  const time = await best(50, once, (each) => each);
  for (const watch of watches) watch.stop();
  await Promise.all(readers);
  return [[`a write to ${count(WATCHERS)} watchers`, milliseconds(time)]];
}

async function benchOpen(file: string): Promise<string[]> {
  const once = async (): Promise<number> => {
    const start = performance.now();
    const store = openSqliteStore(file);
    const time = performance.now() - start;
    await store.close();
    return time;
  };
  const time = await best(RUNS, once, (each) => each);
  const { peakMegabytes } = await measure([join(import.meta.dirname, "store-open.ts"), file]);
  return [
    `${Math.round((await stat(file)).size / 2 ** 20)} MiB`,
    milliseconds(time),
    `${Math.round(peakMegabytes)} MiB`,
  ];
}

const count = (number: number): string => number.toLocaleString("en");
const milliseconds = (time: number): string => `${time.toFixed(time < 10 ? 2 : 0)} ms`;
