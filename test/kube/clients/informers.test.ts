/**
 * client-go's informers, typed, dynamic and of metadata alone, streaming their lists and not, taking JSON or nothing but protobuf, on our server for what is hours of
 * their usual life: watches that last two seconds instead of minutes, a history of a few hundred events instead of
 * thousands, cut connections, a process that is stopped for a while, restarts of the server. At rest each cache is what the
 * server lists, nothing came out of order, and nobody listed more than there was a reason to.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Cluster, startCluster } from "../../../src/cluster/index.ts";
import { DEFAULT_GATES } from "../../../src/core/gates.ts";
import { silentLogger } from "../../../src/kube/logger.ts";
import { defineKind } from "../custom-kinds.ts";
import { waitFor } from "../wait.ts";
import { startWire, type Wire } from "./cut-off.ts";
import { type Dump, type InformerProcess, startInformers } from "./informer-process.ts";
import { connectTo, type Server } from "./server.ts";
import { claim, definition, widget } from "./sessions/manifests.ts";

const GROUP = "informers.example.com";
const HISTORY = { events: 600 };
const NAMES = ["typed", "dynamic", "metadata", "claims", "custom"] as const;
const PATHS: Readonly<Record<(typeof NAMES)[number], string>> = {
  typed: "/api/v1/namespaces/watched/configmaps",
  dynamic: "/api/v1/namespaces/watched/configmaps",
  metadata: "/api/v1/namespaces/watched/configmaps",
  claims: "/api/v1/namespaces/watched/persistentvolumeclaims",
  custom: `/apis/${GROUP}/v1/namespaces/watched/widgets`,
};

let folder: string;
let cluster: Cluster;
let server: Server;
let wire: Wire;
let streaming: InformerProcess;
let listing: InformerProcess;
let binary: InformerProcess;
const everyone = () => [streaming, listing, binary];

async function startServer(port: number): Promise<void> {
  const options = { folder: join(folder, "data"), port, gates: DEFAULT_GATES, logger: silentLogger, history: HISTORY };
  cluster = await startCluster(options);
  server = connectTo("ours", cluster.kubeconfig, folder, () => cluster.stop());
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "outgrow-informers-"));
  await startServer(0);
  const { api, ca, token } = server;
  await api.create("/api/v1/namespaces", { metadata: { name: "watched" } });
  await defineKind(api, definition(GROUP));
  await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      api.create(PATHS.typed, { metadata: { name: `config-${index}` }, data: { n: "0" } }),
    ),
  );
  await api.create(PATHS.claims, claim("data"));
  await api.create(PATHS.custom, widget(GROUP, "one"));

  wire = await startWire(Number(new URL(server.url).port));
  const flags = ["--watch-seconds=2", `--custom=widgets.v1.${GROUP}`];
  const options = { folder, url: wire.url, ca, token, namespace: "watched", flags };
  streaming = await startInformers({ ...options, streaming: true });
  listing = await startInformers({ ...options, streaming: false });
  binary = await startInformers({ ...options, streaming: true, flags: [...flags, "--only-protobuf"] });
});
afterAll(async () => {
  await Promise.all(everyone().map((each) => each?.stop()));
  await wire?.stop();
  await server?.api.close();
  await cluster?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Rounds of writes to everything that is watched; each object ends with another version than it began with. */
async function write(rounds: number): Promise<void> {
  const { api } = server;
  for (let round = 0; round < rounds; round++) {
    const data = { n: `${round} ${"x".repeat(200)}` };
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        api.patch(`${PATHS.typed}/config-${index}`, { data: { ...data, at: `${Date.now()}` } }),
      ),
    );
    await api.create(PATHS.typed, { metadata: { name: `short-lived-${round}` } });
    await api.delete(`${PATHS.typed}/short-lived-${round}`);
    await api.patch(`${PATHS.claims}/data`, { metadata: { annotations: { at: `${Date.now()} ${round}` } } });
    await api.patch(`${PATHS.custom}/one`, { spec: { size: (Date.now() % 1000) + 1 } });
  }
}

/** Waits until every cache of all is what the server lists, and gives what they say then. */
async function untilEqual(): Promise<readonly Dump[]> {
  const wanted: Record<string, Record<string, string>> = {};
  for (const name of NAMES) {
    const { items } = await server.api.get<{ items: { metadata: { name: string; resourceVersion: string } }[] }>(
      PATHS[name],
    );
    wanted[name] = Object.fromEntries(items.map(({ metadata }) => [metadata.name, metadata.resourceVersion]));
  }
  let last: readonly Dump[] = [];
  const probe = async (): Promise<boolean> => {
    last = await Promise.all(everyone().map((each) => each.dump()));
    return last.every(({ cache }) => sorted(cache) === sorted(wanted));
  };
  await waitFor("all caches to equal the lists", probe, { timeoutMs: 60_000, everyMs: 100 }).catch((error: unknown) => {
    expect(
      last.map(({ cache }) => cache),
      String(error),
    ).toEqual(last.map(() => wanted));
  });
  return last;
}

function sorted(value: Readonly<Record<string, Readonly<Record<string, string>>>>): string {
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(
    entries.map(([name, versions]) => [name, Object.entries(versions).toSorted(([a], [b]) => (a < b ? -1 : 1))]),
  );
}

/** Requests so far, of one verb, for what is watched here. */
async function requests(verb: string): Promise<number> {
  const text = await server.api.text("/metrics");
  const lines = text.matchAll(/^outgrow_api_requests_total\{(.*)\} (\d+)$/gm);
  return [...lines]
    .filter(
      ([, labels = ""]) =>
        labels.includes(`verb="${verb}"`) && /resource="(configmaps|persistentvolumeclaims|widgets)/.test(labels),
    )
    .reduce((sum, [, , count]) => sum + Number(count), 0);
}

/** Who leads may have had to give that up while there was no server, and is elected again. */
async function untilOneLeads(): Promise<void> {
  const leaders = async () =>
    (await Promise.all(everyone().map((each) => each.dump()))).filter(({ leading }) => leading);
  await waitFor("a leader", async () => (await leaders()).length === 1, { timeoutMs: 60_000 });
}

function expectNothingWrong(dumps: readonly Dump[]): void {
  for (const { told } of dumps) {
    for (const [name, { wrong }] of Object.entries(told)) expect(wrong, name).toBe(0);
  }
}

test("they fill themselves, and one of them is elected", async () => {
  const dumps = await untilEqual();
  expectNothingWrong(dumps);
  await untilOneLeads();
});

test("no event is lost while watches end and begin again", async () => {
  const before = await untilEqual();
  const [lists, watches] = [await requests("list"), await requests("watch")];
  // Ten lifetimes of a watch, which have to pass.
  const until = Date.now() + 20_000;
  let rounds = 0;
  while (Date.now() < until) {
    await write(1);
    rounds++;
    await delay(250);
  }
  const after = await untilEqual();
  expectNothingWrong(after);
  for (const [index, dump] of after.entries()) {
    for (const name of ["typed", "dynamic", "metadata"]) {
      const [then, now] = [before[index]?.told[name], dump.told[name]];
      expect((now?.updates ?? 0) - (then?.updates ?? 0), name).toBe(rounds * 40);
      expect((now?.adds ?? 0) - (then?.adds ?? 0), name).toBe(rounds);
      expect((now?.deletes ?? 0) - (then?.deletes ?? 0), name).toBe(rounds);
    }
  }
  expect((await requests("watch")) - watches).toBeGreaterThan(50);
  // Those of this test itself: one for each informer's list to compare with.
  expect((await requests("list")) - lists).toBeLessThanOrEqual(2 * NAMES.length);
});

test("cut connections lose nothing and make nobody list again", async () => {
  const before = await untilEqual();
  const lists = await requests("list");
  for (let cut = 0; cut < 5; cut++) {
    await write(1);
    wire.cut();
    await write(1);
    await untilEqual();
  }
  const after = await untilEqual();
  expectNothingWrong(after);
  for (const [index, { told }] of after.entries()) {
    expect((told["typed"]?.updates ?? 0) - (before[index]?.told["typed"]?.updates ?? 0)).toBe(10 * 40);
  }
  const own = 7 * NAMES.length;
  expect((await requests("list")) - lists).toBeLessThanOrEqual(own);
});

test("who is stopped for longer than history lasts lists again, once, and misses nothing that is left", async () => {
  const before = await untilEqual();
  const lists = await requests("list");
  await Promise.all(everyone().map((each) => each.suspend()));
  // Before the writes: what is on the way to a process that is stopped waits for it in the socket.
  wire.cut();
  await write(20);
  for (const each of everyone()) each.signal("SIGCONT");
  const after = await untilEqual();
  expectNothingWrong(after);
  for (const [index, { told }] of after.entries()) {
    // Fewer than were written: what history had lost by then came as one list.
    expect((told["typed"]?.updates ?? 0) - (before[index]?.told["typed"]?.updates ?? 0)).toBeLessThan(20 * 40);
  }
  // Each informer of the one that lists does so once or twice; those that stream do not list at all.
  expect((await requests("list")) - lists).toBeLessThanOrEqual(3 * NAMES.length);
});

test("a restarted server, with its data and its port, is taken for the same one", async () => {
  for (let restart = 0; restart < 3; restart++) {
    await write(2);
    const port = Number(new URL(server.url).port);
    await server.api.close();
    await cluster.stop();
    await startServer(port);
    await write(2);
    expectNothingWrong(await untilEqual());
  }
  // Since the last of the restarts.
  expect(await requests("list")).toBeLessThanOrEqual(4 * NAMES.length);
  await untilOneLeads();
});
