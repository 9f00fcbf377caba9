import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type CsiClient, openCsiClient } from "./client.ts";
import { CSI_CODES, type CsiCode, CsiError } from "./error.ts";
import { type CsiServer, type CsiServerOptions, type NodeHandlers, type ServerCall, serveCsi } from "./server.ts";
import { spawnScriptedDriver } from "./testing/index.ts";
import { type TempDir, tempDir } from "./testing/temp-dir.ts";

let dir: TempDir;
let address: string;
let servers: CsiServer[];
let client: CsiClient;

beforeEach(() => {
  dir = tempDir();
  address = dir.file("csi.sock");
  servers = [];
  client = openCsiClient({ address, probeIntervalMs: 20 });
});
afterEach(async () => {
  client.stop();
  await Promise.all(servers.map((server) => server.stop()));
  dir.remove();
});

const identity = { probe: () => ({}) };
const serve = async (options: Partial<CsiServerOptions> = {}): Promise<CsiServer> => {
  const server = await serveCsi({ address, identity, ...options });
  servers.push(server);
  return server;
};
const thrown = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error);

describe("handlers", () => {
  test("get the request and give the answer", async () => {
    await serve({
      controller: {
        controllerExpandVolume: ({ volumeId, capacityRange }) => {
          expect(volumeId).toBe("v");
          return { capacityBytes: (capacityRange?.requiredBytes ?? 0n) + 1n };
        },
      },
    });
    const result = await client.controllerExpand({ volumeId: "v", requiredBytes: 41n });
    expect(result).toEqual({ capacityBytes: 42n, nodeExpansionRequired: false });
  });

  test.each(CSI_CODES)("an error %s reaches the caller as it is", async (code: CsiCode) => {
    await serve({
      node: {
        nodeGetInfo: () => {
          throw new CsiError(code, "it ist so: 100% wahr, ehrlich™");
        },
      },
    });
    expect(await thrown(client.nodeInfo())).toMatchObject({ code, description: "it ist so: 100% wahr, ehrlich™" });
  });

  test.each([
    ["a plain error", new Error("disk on fire"), "disk on fire"],
    ["a rejected promise of anything", "plainly no", "plainly no"],
  ])("%s is Unknown, with its message", async (_, error, description) => {
    await serve({ node: { nodeGetInfo: () => Promise.reject(error) } });
    expect(await thrown(client.nodeInfo())).toMatchObject({ code: "Unknown", description });
  });

  test("a method or service that is not there is Unimplemented", async () => {
    await serve({ node: {} });
    expect(await thrown(client.nodeInfo())).toMatchObject({ code: "Unimplemented" });
    expect(await thrown(client.listVolumes())).toMatchObject({ code: "Unimplemented" });
  });

  test("hear when the caller gave up", async () => {
    const { promise: gaveUp, resolve } = Promise.withResolvers<ServerCall>();
    await serve({
      node: {
        nodeGetInfo: (_, call) => {
          call.signal.addEventListener("abort", () => resolve(call));
          return new Promise(() => {});
        },
      },
    });
    await thrown(client.nodeInfo({ timeoutMs: 200 }));
    expect((await gaveUp).method).toBe("/csi.v1.Node/NodeGetInfo");
  });
});

test("interceptors stand around every handler, the first outermost", async () => {
  const heard: string[] = [];
  const around =
    (name: string): NonNullable<CsiServerOptions["interceptors"]>[number] =>
    async (call, next) => {
      heard.push(`${name} before ${call.method} ${call.request.$typeName}`);
      await next();
      heard.push(`${name} after`);
      throw new CsiError("Unavailable", `${name} says no`);
    };
  const work = () => {
    heard.push("work");
    return { nodeId: "n" };
  };
  const quiet: ReturnType<typeof around> = (_, next) => next().catch(() => ({ nodeId: "made up" }));
  await serve({ node: { nodeGetInfo: work }, interceptors: [quiet, around("inner")] });
  expect(await client.nodeInfo()).toMatchObject({ nodeId: "made up" });
  expect(heard).toEqual(["inner before /csi.v1.Node/NodeGetInfo csi.v1.NodeGetInfoRequest", "work", "inner after"]);
});

describe("the socket", () => {
  test("is for the own user only", async () => {
    await serve();
    expect(statSync(address).mode & 0o777).toBe(0o600);
  });

  test("that a killed process left behind is replaced", async () => {
    const dead = await spawnScriptedDriver(address);
    await dead.kill("SIGKILL");
    expect(existsSync(address)).toBe(true);
    await serve();
    await client.waitUntilReady();
  });

  test("is not taken from one who listens there", async () => {
    await serve();
    expect(await thrown(serve())).toMatchObject({
      code: "CSI_ADDRESS_IN_USE",
      message: `a process listens at ${address} already; stop it, or serve elsewhere`,
    });
    await client.waitUntilReady();
  });

  test.each([
    ["a file", (path: string) => writeFileSync(path, "precious")],
    ["a folder", (path: string) => mkdirSync(path)],
  ])("does not replace %s", async (_, make) => {
    make(address);
    expect(await thrown(serve())).toMatchObject({ code: "CSI_ADDRESS_IN_USE" });
    expect(existsSync(address)).toBe(true);
  });

  test("needs its folder to be there", async () => {
    expect(await thrown(serve({ address: dir.file("no/csi.sock") }))).toMatchObject({
      code: "CSI_ADDRESS_INVALID",
      message: `cannot serve at ${dir.file("no/csi.sock")}: there is no folder ${dir.file("no")}; make it first`,
    });
  });

  test("is gone after stop; stopping twice is fine", async () => {
    const server = await serve();
    await client.waitUntilReady();
    await Promise.all([server.stop(), server.stop()]);
    await server.stop();
    expect(existsSync(address)).toBe(false);
  });
});

describe("stopping with calls under way", () => {
  const slow = (ms: number): NodeHandlers => ({
    nodeGetInfo: async (_, { signal }) => {
      await sleep(ms, undefined, { signal });
      return { nodeId: "slow" };
    },
  });
  const underWay = async (ms: number): Promise<[CsiServer, Promise<unknown>]> => {
    const { promise: arrived, resolve } = Promise.withResolvers<void>();
    const server = await serve({
      node: slow(ms),
      interceptors: [
        (_, next) => {
          resolve();
          return next();
        },
      ],
    });
    const call = thrown(client.nodeInfo());
    await arrived;
    return [server, call];
  };

  test("lets them finish while there is time", async () => {
    const [server, call] = await underWay(100);
    await server.stop(10_000);
    expect(await call).toMatchObject({ nodeId: "slow" });
  });

  test("cuts them off when it is over: in doubt", async () => {
    const [server, call] = await underWay(60_000);
    await server.stop(50);
    expect(await call).toMatchObject({ code: "Unavailable", final: false });
  });

  test("cuts them off at once without a grace: in doubt", async () => {
    const [server, call] = await underWay(60_000);
    await server.stop();
    expect(await call).toMatchObject({ code: "Unavailable", final: false });
  });
});
