import { afterEach, describe, expect, it } from "vitest";
import type { KubeObject } from "../../core/types.ts";
import type { KubeClient } from "../client/client.ts";
import { PODS } from "../client/resources.ts";
import { type ApiServer, type ApiServerOptions, startApiServer } from "../testing/api-server.ts";
import { connect } from "../testing/connect.ts";
import { describeRequest } from "../testing/describe-request.ts";
import { createFastTimers, type FastTimers } from "../testing/fast-timers.ts";
import type { Fault } from "../testing/faults.ts";
import { createManualTimers } from "../testing/manual-timers.ts";
import { type RecordedMetrics, recordMetrics } from "../testing/recorded-metrics.ts";
import { until } from "../testing/until.ts";
import { type Informer, type InformerOptions, startInformer } from "./informer.ts";

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

const SPEED = 100;

interface Setup {
  readonly server: ApiServer;
  readonly client: KubeClient;
  readonly informer: Informer<KubeObject>;
  readonly timers: FastTimers;
  readonly metrics: RecordedMetrics;
  /** What the handler was told, in order. */
  readonly told: string[];
  /** The lists and watches that arrived, in order: what they asked for. */
  readonly asked: () => string[];
}

interface SetupOptions extends ApiServerOptions {
  readonly prepare?: (server: ApiServer) => void;
  /** How much faster time passes; 1 where a busy machine must not be taken for a server that says nothing. @default 100 */
  readonly speed?: number;
  /** The faults of the first requests, in order. */
  readonly faults?: readonly (Fault | undefined)[];
  readonly informer?: Partial<InformerOptions<KubeObject, KubeObject, never>>;
}

async function start(options: SetupOptions = {}): Promise<Setup> {
  const { prepare, faults = [], informer: more, speed = SPEED, ...serverOptions } = options;
  let count = 0;
  const timers = createFastTimers(speed);
  const server = await startApiServer({
    timers: createFastTimers(speed),
    fault: () => faults[count++],
    ...serverOptions,
  });
  open.push(() => server.close());
  prepare?.(server);
  const client = connect(server.url, { timers, maxRetries: 0 });
  open.push(() => client.close());
  const metrics = recordMetrics();
  const informer = startInformer<KubeObject>({
    client,
    resource: PODS,
    trim: (pod) => pod,
    timers,
    metrics,
    streaming: false,
    ...more,
  });
  open.push(() => informer.stop());
  const told: string[] = [];
  informer.addHandler({
    added: ({ metadata }, source) => told.push(`${source}: added ${metadata.name}`),
    updated: (_, { metadata }, source) => told.push(`${source}: updated ${metadata.name}`),
    deleted: ({ metadata }, source) => told.push(`${source}: deleted ${metadata.name}`),
  });
  return { server, client, informer, timers, metrics, told, asked: () => server.requests.map(describeRequest) };
}

const pod = (name: string, labels: Record<string, string> = {}): KubeObject => ({
  metadata: { namespace: "prod", name, labels },
});
const get = (informer: Informer<KubeObject>, name: string) => informer.get({ namespace: "prod", name });

describe("an informer", () => {
  it.each([
    ["serve", ["watch with the list"]],
    [
      "ignore",
      ["watch with the list", "list from the start (500)", "list more (500)", "list more (500)", "watch from 2200"],
    ],
    [
      "refuse",
      ["watch with the list", "list from the start (500)", "list more (500)", "list more (500)", "watch from 2200"],
    ],
  ] as const)("lists, then watches; servers that %s streaming lists", async (streamingLists, requests) => {
    const { server, informer, told, asked } = await start({
      streamingLists,
      speed: streamingLists === "serve" ? 1 : SPEED,
      informer: { streaming: true },
      window: 5000,
      prepare(server) {
        for (let i = 0; i < 1200; i++) server.store("pods").put(pod(`pod-${i}`));
      },
    });
    await informer.synced;
    expect([informer.size, informer.isSynced]).toEqual([1200, true]);
    await until("it watches", () => server.store("pods").subscribers === 1);
    expect(asked()).toEqual(requests);
    told.length = 0;
    server.store("pods").put(pod("pod-7", { app: "db" }));
    server.store("pods").remove("prod/pod-8");
    server.store("pods").put(pod("late"));
    await until("the news arrive", () => told.length === 3);
    expect(told).toEqual(["watch: updated pod-7", "watch: deleted pod-8", "watch: added late"]);
    expect(get(informer, "pod-7")?.metadata.labels).toEqual({ app: "db" });
    expect(get(informer, "pod-8")).toBeUndefined();
  });

  it("asks for what it was told to: namespace, selectors, bookmarks, a time between 5 and 10 minutes", async () => {
    const { server, informer } = await start({
      informer: { namespace: "prod", labelSelector: "app=db", fieldSelector: "metadata.name=a" },
      prepare(server) {
        server.store("pods").put(pod("a", { app: "db" }));
        server.store("pods").put(pod("b", { app: "db" }));
      },
    });
    await informer.synced;
    await until("it watches", () => server.requests.length === 2);
    expect(informer.size).toBe(1);
    for (const { path, query } of server.requests) {
      expect(path).toBe("/api/v1/namespaces/prod/pods");
      expect([query.get("labelSelector"), query.get("fieldSelector")]).toEqual(["app=db", "metadata.name=a"]);
    }
    const watch = server.requests[1]?.query;
    expect(watch?.get("allowWatchBookmarks")).toBe("true");
    expect(Number(watch?.get("timeoutSeconds"))).toBeGreaterThanOrEqual(300);
    expect(Number(watch?.get("timeoutSeconds"))).toBeLessThanOrEqual(600);
  });

  it("sees objects come into its selection and leave it", async () => {
    const { server, informer, told } = await start({ informer: { labelSelector: "app=db" } });
    await informer.synced;
    await until("it watches", () => server.store("pods").subscribers === 1);
    for (const app of ["web", "db", "web"]) server.store("pods").put(pod("a", { app }));
    await until("it has left", () => told.length === 2);
    expect(told).toEqual(["watch: added a", "watch: deleted a"]);
  });

  it("starts its list over, in one piece, when the pages outlive the server's memory", async () => {
    const { server, informer, asked } = await start({
      faults: [undefined, { kind: "status", status: 410, reason: "Expired" }],
      prepare(server) {
        for (let i = 0; i < 600; i++) server.store("pods").put(pod(`pod-${i}`));
      },
    });
    await informer.synced;
    await until("it watches", () => server.store("pods").subscribers === 1);
    expect(asked()).toEqual(["list from the start (500)", "list more (500)", "list from the start", "watch from 1600"]);
    expect(informer.size).toBe(600);
  });
});

describe("a watch that breaks", () => {
  const cut = (how: Extract<Fault, { kind: "watch" }>["how"], after: number): Fault => ({ kind: "watch", how, after });

  it.each(["cut", "cut-mid-line", "end", "error"] as const)(
    "(%s) goes on after the last event that came",
    async (how) => {
      const { server, informer, told, asked } = await start({ faults: [undefined, cut(how, 2)] });
      await informer.synced;
      await until("it watches", () => server.store("pods").subscribers === 1);
      for (const name of ["a", "b", "c", "d"]) server.store("pods").put(pod(name));
      await until("all have arrived", () => informer.size === 4);
      expect(told).toEqual(["watch: added a", "watch: added b", "watch: added c", "watch: added d"]);
      expect(asked()).toEqual(["list from the start (500)", "watch from 1000", "watch from 1002"]);
    },
  );

  it("goes on after the last bookmark", async () => {
    const { server, informer, asked } = await start({
      informer: { labelSelector: "app=db" },
      faults: [undefined, cut("end", 1)],
    });
    await informer.synced;
    await until("it watches", () => server.store("pods").subscribers === 1);
    for (const name of ["a", "b", "c", "d"]) server.store("pods").put(pod(name));
    server.bookmark("pods");
    server.bookmark("pods");
    await until("it watches again", () => asked().length === 3);
    expect(asked()).toEqual(["list from the start (500)", "watch from 1000", "watch from 1004"]);
  });

  it.each([
    ["within the stream", undefined],
    ["as an answer", { kind: "status", status: 410, reason: "Expired" }],
  ] as const)("and is too old (410 %s) is listed anew; what is gone is told as such", async (_, fault) => {
    const { server, informer, told, asked } = await start({ faults: [undefined, cut("cut", 1), fault] });
    await informer.synced;
    await until("it watches", () => server.store("pods").subscribers === 1);
    server.store("pods").put(pod("a"));
    await until("a has arrived", () => informer.size === 1);
    for (const name of ["b", "c"]) server.store("pods").put(pod(name));
    server.store("pods").remove("prod/a");
    if (fault === undefined) server.store("pods").compact(0);
    await until("all is known", () => informer.size === 2);
    expect(told).toEqual(["watch: added a", "list: added b", "list: added c", "list: deleted a"]);
    expect(asked().filter((request) => request.startsWith("list"))).toHaveLength(2);
  });

  it("is listed anew when the server was replaced by one that has not come so far", async () => {
    const { server, informer, asked } = await start();
    await informer.synced;
    await until("it watches", () => server.store("pods").subscribers === 1);
    for (let i = 0; i < 5; i++) server.store("pods").put(pod(`pod-${i}`));
    await until("they have arrived", () => informer.size === 5);
    server.reset("pods");
    server.store("pods").put(pod("other"));
    server.disconnect();
    await until("only the new one is there", () => informer.size === 1 && get(informer, "other"));
    expect(asked().filter((request) => request.startsWith("list"))).toHaveLength(2);
  });

  it("is noticed when nothing comes any more, and goes on", async () => {
    const timers = createFastTimers(1000);
    const { server, informer, asked } = await start({
      faults: [undefined, cut("silence", 1)],
      informer: { timers, random: () => 0 },
    });
    await informer.synced;
    await until("it watches", () => server.store("pods").subscribers === 1);
    for (const name of ["a", "b"]) server.store("pods").put(pod(name));
    await until("both have arrived", () => informer.size === 2);
    expect(asked()).toEqual(["list from the start (500)", "watch from 1000", "watch from 1001"]);
  });

  it.each([429, 500, 503, 401, 403])("with answer %s is tried again from where it was", async (status) => {
    const fault: Fault = { kind: "status", status, reason: "" };
    const { server, informer, asked } = await start({ faults: [undefined, fault, fault] });
    await informer.synced;
    await until("it watches", () => server.store("pods").subscribers === 1);
    expect(asked()).toEqual(["list from the start (500)", "watch from 1000", "watch from 1000", "watch from 1000"]);
  });

  it("while the server restarts misses nothing", async () => {
    const { server, informer, told } = await start();
    await informer.synced;
    await until("it watches", () => server.store("pods").subscribers === 1);
    await server.down();
    server.store("pods").put(pod("a"));
    server.store("pods").put(pod("b"));
    server.store("pods").remove("prod/a");
    await server.listen();
    await until("all has arrived", () => told.length === 3);
    expect(told).toEqual(["watch: added a", "watch: added b", "watch: deleted a"]);
  });
});

describe("a list that fails", () => {
  it.each([
    ["is dropped", { kind: "drop" }],
    ["is cut in the middle", { kind: "cut-body" }],
    ["is answered with 500", { kind: "status", status: 500, reason: "InternalError" }],
    ["is answered with 403", { kind: "status", status: 403, reason: "Forbidden" }],
  ] as const)("because it %s is tried again", async (_, fault) => {
    const { informer, metrics } = await start({
      faults: [fault, fault, fault],
      prepare: (server) => void server.store("pods").put(pod("a")),
    });
    await informer.synced;
    expect(informer.size).toBe(1);
    expect(metrics.value("outgrow_informer_failures_total", { resource: "pods" })).toBeGreaterThanOrEqual(1);
    expect(metrics.value("outgrow_informer_lists_total", { resource: "pods" })).toBe(1);
  });

  it("waits as long as the server asks for", async () => {
    const timers = createManualTimers();
    const { server, informer } = await start({
      faults: [{ kind: "status", status: 429, reason: "TooManyRequests", retryAfter: 90 }],
      informer: { timers },
    });
    await until("it waits", () => timers.pending === 1);
    await timers.advance(89_999);
    expect(server.requests).toHaveLength(1);
    await timers.advance(1);
    await informer.synced;
  });
});

describe("the server", () => {
  it("is not flooded when every watch fails: the waits grow to half a minute, and half of that for jitter", async () => {
    const timers = createManualTimers();
    const { server, informer, metrics } = await start({
      fault: ({ query }) => (query.get("watch") === "true" ? { kind: "status", status: 500, reason: "" } : undefined),
      informer: { timers, random: () => 0.5 },
    });
    await informer.synced;
    const failures = (): number => metrics.value("outgrow_informer_failures_total", { resource: "pods" }) ?? 0;
    for (const [index, wait] of [1200, 2400, 4800, 9600, 19_200, 38_400, 45_000, 45_000].entries()) {
      await until("it waits", () => failures() === index + 1);
      await timers.advance(wait - 1);
      expect(server.requests).toHaveLength(index + 2);
      await timers.advance(1);
    }
    await until("the last has failed", () => failures() === 9);
  });

  it("is not flooded when it ends every watch at once, as if its time were over", async () => {
    const timers = createManualTimers();
    const { server, informer } = await start({
      fault: ({ query }) => (query.get("watch") === "true" ? { kind: "watch", how: "end", after: 0 } : undefined),
      informer: { timers, random: () => 0 },
      prepare: (server) => void server.store("pods").put(pod("a")),
    });
    await informer.synced;
    await until("it watches", () => server.store("pods").subscribers === 1);
    server.store("pods").put(pod("b"));
    await until("the watch has ended", () => server.store("pods").subscribers === 0);
    expect(server.requests).toHaveLength(2);
    await until("it is opened again", async () => {
      await timers.advance(100);
      return server.requests.length === 3;
    });
    expect(timers.elapsed()).toBeGreaterThanOrEqual(800);
  });
});

describe("stopping", () => {
  it("leaves no connection, no timer and no listener, and may be done twice", async () => {
    const { server, informer, timers, client } = await start({ informer: { resyncPeriod: 60_000 } });
    await informer.synced;
    await until("it watches", () => server.store("pods").subscribers === 1);
    await informer.stop();
    await informer.stop();
    expect(timers.pending).toBe(0);
    await client.close();
    await until("the connections are gone", () => server.connections === 0);
    expect(server.store("pods").subscribers).toBe(0);
  });

  it("while it lists opens no watch, and whoever waits for it hears of it", async () => {
    const { server, informer, told } = await start({ faults: [{ kind: "silence" }] });
    await until("it lists", () => server.requests.length === 1);
    await informer.stop();
    await expect(informer.synced).rejects.toThrow("the informer of pods was stopped");
    await until("the connection is gone", () => server.connections === 0);
    expect(server.requests).toHaveLength(1);
    expect(told).toEqual([]);
  });

  it("happens with the signal that was given, also before it begins", async () => {
    const { server, client } = await start();
    const signal = AbortSignal.abort(new Error("too late"));
    const informer = startInformer({ client, resource: PODS, trim: (object) => object }, signal);
    await expect(informer.synced).rejects.toThrow("too late");
    const count = server.requests.length;
    await informer.stop();
    expect(server.requests).toHaveLength(count);
  });
});

describe("handlers", () => {
  it("are told everything again at the resync period", async () => {
    const { informer, told } = await start({
      informer: { resyncPeriod: 2_000 },
      prepare: (server) => void server.store("pods").put(pod("a")),
    });
    await informer.synced;
    await until("it is told again", () => told.filter((news) => news === "resync: updated a").length >= 2);
  });

  it("that throw are counted, and stop nothing", async () => {
    const { server, informer, metrics } = await start({ prepare: (server) => void server.store("pods").put(pod("a")) });
    informer.addHandler({
      added() {
        throw new Error("no");
      },
    });
    await informer.synced;
    await until("it watches", () => server.store("pods").subscribers === 1);
    server.store("pods").put(pod("b"));
    await until("b has arrived", () => informer.size === 2);
    expect(metrics.value("outgrow_informer_handler_errors_total", { resource: "pods" })).toBe(2);
    expect(metrics.value("outgrow_informer_objects", { resource: "pods" })).toBe(2);
  });
});

describe("an own write", () => {
  it("is seen at once, and told once", async () => {
    const { server, client, informer, told } = await start({
      prepare: (server) => void server.store("pods").put(pod("a")),
    });
    await informer.synced;
    await until("it watches", () => server.store("pods").subscribers === 1);
    const before = get(informer, "a")?.metadata.resourceVersion ?? "";
    const body = { metadata: { resourceVersion: before, labels: { app: "db" } } };
    const written = await client.patch(PODS, { namespace: "prod", name: "a" }, { type: "merge", body });
    informer.observe(written, before);
    expect(get(informer, "a")?.metadata.labels).toEqual({ app: "db" });
    server.store("pods").put(pod("b"));
    await until("the watch has caught up", () => get(informer, "b"));
    expect(told.filter((news) => news.endsWith("updated a"))).toHaveLength(1);
  });
});
