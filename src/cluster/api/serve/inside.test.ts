/** What lives in the process gets the answers that everybody gets, and loses what is under way when it goes. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Registry } from "@prometheus-io/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { KubeObject } from "../../../core/types.ts";
import {
  createClient,
  createTransport,
  defineResource,
  fixedCredentials,
  type KubeClient,
  type KubeRequest,
  startInformer,
} from "../../../kube/index.ts";
import { configFor } from "../../../kube/testing/connect.ts";
import { failure } from "../../../kube/testing/failure.ts";
import { until } from "../../../kube/testing/until.ts";
import type { Api } from "../index.ts";
import { ADMIN_TOKEN, createApiInMemory } from "../testing/api-in-memory.ts";

interface ConfigMap extends KubeObject {
  data?: Record<string, string>;
}
const CONFIG_MAPS = defineResource<ConfigMap>("v1", "ConfigMap", "configmaps");
const PATH = "/api/v1/namespaces/default/configmaps";
const aMap = (name: string, data = {}): ConfigMap => ({ metadata: { name, namespace: "default" }, data });

let api: Api;
let server: Server;
const registry = new Registry();
const clients: KubeClient[] = [];
beforeAll(async () => {
  api = createApiInMemory({ registry });
  server = createServer((request, response) => void api.handle(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  await api.begin(portOf(server));
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await api?.stop();
  server?.close();
});

function portOf(listening: Server): number {
  return (listening.address() as AddressInfo).port;
}

/** A client on the way that is given. */
function open(way: "inside" | "over HTTP", token = ADMIN_TOKEN, onWarning?: (text: string) => void): KubeClient {
  const credentials = fixedCredentials({ authorization: `Bearer ${token}` });
  const inside = way === "inside" ? { connect: () => api.connect() } : {};
  const config = configFor(`http://127.0.0.1:${portOf(server)}`, { credentials, ...inside });
  const client = createClient(createTransport(config, onWarning === undefined ? {} : { onWarning }));
  clients.push(client);
  return client;
}

async function openWatches(): Promise<number> {
  return Number(/^outgrow_api_watches (\d+)$/m.exec(await registry.metrics())?.[1]);
}

describe("an answer is the one that comes over HTTP", () => {
  const ways = ["inside", "over HTTP"] as const;
  const requests: Record<string, KubeRequest> = {
    "to what there is": { method: "GET", path: `${PATH}/there` },
    "to what there is not": { method: "GET", path: `${PATH}/nowhere` },
    "to a path that is none": { method: "GET", path: "/apis/none/v1/things" },
    "to a list": { method: "GET", path: `${PATH}?labelSelector=one%3Done` },
    "to a list as a table": { method: "GET", path: PATH, accept: "application/json;as=Table;v=v1;g=meta.k8s.io" },
    "in a document": { method: "GET", path: "/apis/apps/v1" },
    "to a write that would be done": {
      method: "POST",
      path: `${PATH}?dryRun=All`,
      body: { metadata: { name: "tried", uid: "1", creationTimestamp: null }, data: { "a\n": 1 } },
    },
    "to a patch": {
      method: "PATCH",
      path: `${PATH}/there?dryRun=All`,
      contentType: "application/merge-patch+json",
      body: { data: { size: "¼ größer" } },
    },
    "to a body that is too large": { method: "POST", path: PATH, body: "x".repeat(2 ** 22) },
  };
  beforeAll(async () => void (await open("inside").create(CONFIG_MAPS, aMap("there", { size: "¼ größer" }))));

  test.each(Object.entries(requests))("%s", async (_, request) => {
    const [inside, outside] = await Promise.all(
      ways.map((way) =>
        open(way)
          .raw<object>({ what: "it", ...request })
          .catch(({ reason, status, message }: { reason: string; status: number; message: string }) => ({
            reason,
            status,
            message,
          })),
      ),
    );
    expect(withoutMoments(inside)).toEqual(withoutMoments(outside));
  });

  test("to who is nobody", async () => {
    const refused = await failure(open("inside", "nonsense").get(CONFIG_MAPS, { namespace: "default", name: "there" }));
    expect(refused).toMatchObject({ status: 401, reason: "Unauthorized" });
  });

  test("to who may not, in the name of somebody else", async () => {
    const config = configFor("http://127.0.0.1:1", {
      connect: () => api.connect(),
      credentials: fixedCredentials({ authorization: `Bearer ${ADMIN_TOKEN}` }),
      headers: { "Impersonate-User": "eve", "Impersonate-Group": ["a", "b"] },
    });
    const client = createClient(createTransport(config));
    clients.push(client);
    expect(await failure(client.list(CONFIG_MAPS))).toMatchObject({
      status: 403,
      message: expect.stringContaining('User "eve" cannot list resource "configmaps"') as string,
    });
  });

  test("with its warnings", async () => {
    const warned = await Promise.all(
      ways.map(async (way) => {
        const warnings: string[] = [];
        const client = open(way, ADMIN_TOKEN, (text) => warnings.push(text));
        const unknown = { ...aMap("warned"), "no such field": 1 };
        await client.create(CONFIG_MAPS, unknown, { dryRun: true });
        return warnings;
      }),
    );
    expect(warned[0]).toEqual(warned[1]);
    expect(warned[0]).toHaveLength(1);
  });
});

/** What differs between two requests for the same. */
function withoutMoments(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value).replaceAll(/"(creationTimestamp|time|uid|resourceVersion)":"[^"]*"/g, '"$1":""'),
  );
}

describe("a watch", () => {
  test("tells what happens, and ends with its reader", async () => {
    const client = open("inside");
    const before = await openWatches();
    const { metadata } = await client.list(CONFIG_MAPS, { namespace: "default" });
    const watch = client.watch(CONFIG_MAPS, { namespace: "default", resourceVersion: metadata.resourceVersion });
    const first = watch.next();
    await client.create(CONFIG_MAPS, aMap("watched"));
    expect((await first).value).toMatchObject({ type: "ADDED", object: { metadata: { name: "watched" } } });
    expect(await openWatches()).toBe(before + 1);
    await watch.return();
    await until("the watch to end", async () => (await openWatches()) === before);
  });

  test("ends with the signal of who asked, read or not", async () => {
    const client = open("inside");
    const before = await openWatches();
    const stopping = new AbortController();
    const transport = createTransport(
      configFor("http://127.0.0.1:1", {
        connect: () => api.connect(),
        credentials: fixedCredentials({ authorization: `Bearer ${ADMIN_TOKEN}` }),
      }),
    );
    await transport.stream({ method: "GET", path: `${PATH}?watch=true` }, stopping.signal);
    const watch = client.watch(CONFIG_MAPS, { timeoutSeconds: 600 }, stopping.signal);
    await watch.next();
    stopping.abort(new Error("enough"));
    await expect(Array.fromAsync(watch)).rejects.toThrow("enough");
    await until("the watches to end", async () => (await openWatches()) === before);
    await transport.close();
  });

  test("is what informers live on: they see hundreds of changes, each in its turn", async () => {
    const client = open("inside");
    const seen: string[] = [];
    const fieldSelector = "metadata.name=counted";
    const informer = startInformer({ client, resource: CONFIG_MAPS, fieldSelector, trim: (object) => object });
    informer.addHandler({ updated: (_, after) => void seen.push(after.data?.["n"] ?? "") });
    await informer.synced;
    await client.create(CONFIG_MAPS, aMap("counted", { n: "0" }));
    for (let n = 1; n <= 300; n++) {
      const ref = { namespace: "default", name: "counted" };
      await client.patch(CONFIG_MAPS, ref, { type: "merge", body: { data: { n: String(n) } } });
    }
    await until("the last change to be seen", () => seen.at(-1) === "300");
    expect(seen).toEqual(Array.from({ length: 300 }, (_, index) => String(index + 1)));
    await informer.stop();
  });
});

test("closing a client cuts what is under way and refuses what comes, and nobody else's", async () => {
  const [client, other] = [open("inside"), open("inside")];
  const watch = client.watch(CONFIG_MAPS, {});
  await watch.next();
  const asked = failure(client.list(CONFIG_MAPS));
  await client.close();
  await client.close();
  expect(await asked).toMatchObject({ reason: "Unreachable" });
  expect(await failure(Array.fromAsync(watch))).toMatchObject({ reason: "Unreachable" });
  expect((await failure(client.list(CONFIG_MAPS))).message).toContain("was closed");
  expect((await other.list(CONFIG_MAPS)).items.length).toBeGreaterThan(0);
});
