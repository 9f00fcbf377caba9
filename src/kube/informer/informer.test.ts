import { afterEach, describe, expect, it } from "vitest";
import type { KubeObject } from "../../core/types.ts";
import type { KubeClient } from "../client/client.ts";
import { PODS } from "../client/resources.ts";
import { type ApiServer, type ApiServerOptions, startApiServer } from "../testing/api-server.ts";
import { connect } from "../testing/connect.ts";
import { createFastTimers } from "../testing/fast-timers.ts";
import { until } from "../testing/until.ts";
import type { Informer } from "./informer.ts";
import { startInformer } from "./informer.ts";

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

interface Setup {
  readonly server: ApiServer;
  readonly client: KubeClient;
  readonly informer: Informer<KubeObject>;
  readonly told: string[];
}

async function start(options: ApiServerOptions = {}, prepare: (server: ApiServer) => void = () => {}): Promise<Setup> {
  const server = await startApiServer({ speed: 100, ...options });
  open.push(() => server.close());
  prepare(server);
  const timers = createFastTimers(100);
  const client = connect(server.url, { timers });
  open.push(() => client.close());
  const informer = startInformer<KubeObject>({ client, resource: PODS, trim: (pod) => pod, timers });
  open.push(() => informer.stop());
  const told: string[] = [];
  informer.addHandler({
    added: (object, source) => told.push(`${source}: added ${object.metadata.name}`),
    updated: (_, object, source) => told.push(`${source}: updated ${object.metadata.name}`),
    deleted: (object, source) => told.push(`${source}: deleted ${object.metadata.name}`),
  });
  return { server, client, informer, told };
}

const pod = (name: string, labels: Record<string, string> = {}): KubeObject => ({
  metadata: { namespace: "prod", name, labels },
});

describe("an informer", () => {
  it.each(["serve", "ignore", "refuse"] as const)(
    "lists, then watches (streaming lists: %s)",
    async (streamingLists) => {
      const { server, informer, told } = await start({ streamingLists }, (server) => {
        for (let i = 0; i < 1200; i++) server.store("pods").put(pod(`pod-${i}`));
      });
      await informer.synced;
      expect(informer.size).toBe(1200);
      told.length = 0;

      server.store("pods").put(pod("pod-7", { app: "db" }));
      server.store("pods").remove("prod/pod-8");
      server.store("pods").put(pod("late"));
      await until("the news arrive", () => told.length === 3);
      expect(told).toEqual(["watch: updated pod-7", "watch: deleted pod-8", "watch: added late"]);
      expect(informer.get({ namespace: "prod", name: "pod-7" })?.metadata.labels).toEqual({ app: "db" });
      expect(informer.get({ namespace: "prod", name: "pod-8" })).toBeUndefined();
    },
  );
});
