import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type CsiClient, type CsiClientOptions, openCsiClient } from "./client.ts";
import { CsiError } from "./error.ts";
import type { ObservedCall } from "./observer.ts";
import { serveCsi } from "./server.ts";
import {
  type ScriptedDriver,
  type ScriptedDriverOptions,
  spawnScriptedDriver,
  startScriptedDriver,
} from "./testing/index.ts";
import { type TempDir, tempDir } from "./testing/temp-dir.ts";
import { volumeCapability } from "./volume-capability.ts";

const GI = 2n ** 30n;

let dir: TempDir;
let address: string;
let clean: (() => unknown)[];

beforeEach(() => {
  dir = tempDir();
  address = dir.file("csi.sock");
  clean = [];
});
afterEach(async () => {
  for (const step of clean.reverse()) await step();
  dir.remove();
});

const open = (options: Partial<CsiClientOptions> = {}): CsiClient => {
  const client = openCsiClient({ address, probeIntervalMs: 20, ...options });
  clean.push(() => client.stop());
  return client;
};
const start = async (script: ScriptedDriverOptions["script"] = { adoptUnknown: true }): Promise<ScriptedDriver> => {
  const driver = await startScriptedDriver({ address, script });
  clean.push(() => driver.stop());
  return driver;
};
const failure = async (promise: Promise<unknown>): Promise<CsiError> => {
  const error = await promise.then(
    () => new Error("it did not fail"),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(CsiError);
  return error as CsiError;
};
const until = async (holds: () => boolean): Promise<void> => {
  const deadline = Date.now() + 10_000;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error(`still not: ${holds}`);
    await sleep(5);
  }
};

describe("expanding a volume", () => {
  test("gives the size that the driver says, and whether the node has to follow", async () => {
    const driver = await start({ volumes: { "vol-1": { backendBytes: GI } }, roundToBytes: 2n * GI });
    const capability = volumeCapability({ accessModes: ["ReadWriteOnce"], volumeMode: "Filesystem" }, true);
    const result = await open().controllerExpand({
      volumeId: "vol-1",
      requiredBytes: 3n * GI,
      capability,
      secrets: { login: "x" },
    });
    expect(result).toEqual({ capacityBytes: 4n * GI, nodeExpansionRequired: true });
    expect(driver.calls()).toMatchObject([
      {
        method: "ControllerExpandVolume",
        volumeId: "vol-1",
        requiredBytes: 3n * GI,
        accessMode: "SINGLE_NODE_MULTI_WRITER",
        secretNames: ["login"],
        outcome: "OK",
        backendBytes: 4n * GI,
      },
    ]);
  });

  test("a raw block volume needs no node expansion", async () => {
    await start();
    const capability = volumeCapability({ accessModes: ["ReadWriteOnce"], volumeMode: "Block" }, false);
    const result = await open().controllerExpand({ volumeId: "v", requiredBytes: GI, capability });
    expect(result.nodeExpansionRequired).toBe(false);
  });

  test("the node half grows the file system to what the storage has", async () => {
    const driver = await start({ volumes: { v: { backendBytes: 5n * GI, fileSystemBytes: GI } } });
    const client = open();
    const node = { volumeId: "v", volumePath: "/var/lib/kubelet/v", requiredBytes: 5n * GI };
    expect(await client.nodeExpand(node)).toEqual({ capacityBytes: 5n * GI });
    expect(driver.volume("v")?.fileSystemBytes).toBe(5n * GI);
    expect(await client.nodeGetVolumeStats(node)).toEqual({
      bytes: { total: 5n * GI, used: 0n, available: 5n * GI },
      inodes: undefined,
      abnormal: undefined,
    });
  });

  test.each([-1n, 2n ** 63n])(
    "%d bytes cannot be said in CSI: infeasible, and nothing is sent",
    async (requiredBytes) => {
      const driver = await start();
      const error = await failure(open().controllerExpand({ volumeId: "v", requiredBytes }));
      expect(error).toMatchObject({ code: "OutOfRange", infeasible: true });
      expect(driver.calls()).toEqual([]);
    },
  );

  test("500 at the same time all get their own answer", async () => {
    const driver = await start();
    const client = open({ timeoutMs: 60_000 });
    const sizes = Array.from({ length: 500 }, (_, index) => BigInt(index + 1));
    const results = await Promise.all(
      sizes.map((requiredBytes) => client.controllerExpand({ volumeId: `v${requiredBytes}`, requiredBytes })),
    );
    expect(results.map((result) => result.capacityBytes)).toEqual(sizes);
    expect(driver.calls()).toHaveLength(500);
  });
});

describe("a driver that cannot be reached", () => {
  test("a missing socket is Unavailable, in doubt, and says where it looked", async () => {
    const error = await failure(open().controllerExpand({ volumeId: "v", requiredBytes: GI }));
    expect(error).toMatchObject({ code: "Unavailable", final: false });
    expect(error.description).toBe(`cannot reach the driver at ${address}: connect ENOENT ${address}`);
  });

  test("a driver killed in the middle of a call leaves it in doubt; its successor is found", async () => {
    const script = { adoptUnknown: true, rules: [{ answer: { kind: "silence", worked: true } }] } as const;
    const first = await spawnScriptedDriver(address, script);
    clean.push(() => first.kill());
    let lost = 0;
    const client = open({ onConnectionLost: () => lost++ });
    const call = failure(client.controllerExpand({ volumeId: "v", requiredBytes: GI }));
    while ((await first.volume("v"))?.backendBytes !== GI) await sleep(5);
    await first.kill("SIGKILL");
    expect(await call).toMatchObject({ code: "Unavailable", final: false });
    await until(() => lost === 1);

    const second = await spawnScriptedDriver(address, { adoptUnknown: true });
    clean.push(() => second.kill());
    await client.waitUntilReady();
    expect(await client.controllerExpand({ volumeId: "v", requiredBytes: GI })).toMatchObject({ capacityBytes: GI });
  });

  test("a driver that is stopped in the middle of a call leaves it in doubt", async () => {
    const driver = await start({ adoptUnknown: true, rules: [{ answer: { kind: "silence" } }] });
    const call = failure(open().controllerExpand({ volumeId: "v", requiredBytes: GI }));
    await until(() => driver.calls().length === 1);
    await driver.stop();
    expect(await call).toMatchObject({ code: "Unavailable", final: false });
  });

  test("it is found again, each time it comes back", async () => {
    const driver = await start();
    let lost = 0;
    const client = open({ onConnectionLost: () => lost++ });
    await client.waitUntilReady();
    for (const round of [1, 2, 3]) {
      await driver.stop();
      await until(() => lost === round);
      await driver.start();
      await client.waitUntilReady();
      expect(await client.controllerExpand({ volumeId: "v", requiredBytes: GI })).toMatchObject({ capacityBytes: GI });
    }
    expect(lost).toBe(3);
  });

  test("it is looked for without any call being made", async () => {
    const driver = await start();
    let lost = 0;
    const client = open({ onConnectionLost: () => lost++ });
    await client.waitUntilReady();
    await driver.stop();
    await until(() => lost === 1);

    let connections = 0;
    const listener = createServer((socket) => {
      connections++;
      socket.destroy();
    }).listen(address);
    clean.push(() => listener.close());
    await until(() => connections > 0);
  });
});

describe("deadlines and signals", () => {
  const rule = { method: "ControllerExpandVolume", answer: { kind: "silence" } } as const;
  const silent = { adoptUnknown: true, rules: [rule] };

  test("a driver that does not answer in time is DeadlineExceeded, and hears of it", async () => {
    const driver = await start(silent);
    const client = open();
    await client.waitUntilReady();
    driver.forgetCalls();
    const error = await failure(client.controllerExpand({ volumeId: "v", requiredBytes: GI, timeoutMs: 300 }));
    expect(error).toMatchObject({ code: "DeadlineExceeded", final: false });
    expect(error.message).toBe("rpc error: code = DeadlineExceeded desc = context deadline exceeded");
    await until(() => driver.calls()[0]?.endedAt !== undefined);
  });

  test("the client's own timeout holds for calls that say none", async () => {
    await start(silent);
    const call = open({ timeoutMs: 50 }).controllerExpand({ volumeId: "v", requiredBytes: GI });
    expect(await failure(call)).toMatchObject({ code: "DeadlineExceeded" });
  });

  test("an aborted call is Canceled, in doubt, and the driver hears of it", async () => {
    const driver = await start(silent);
    const abort = new AbortController();
    const call = failure(open().controllerExpand({ volumeId: "v", requiredBytes: GI }, abort.signal));
    await until(() => driver.calls().length === 1);
    abort.abort(new Error("shutting down"));
    const error = await call;
    expect(error).toMatchObject({ code: "Canceled", final: false, cause: new Error("shutting down") });
    expect(error.message).toBe("rpc error: code = Canceled desc = context canceled");
    await until(() => driver.calls()[0]?.endedAt !== undefined);
  });

  test("a call is not sent when its signal is aborted already", async () => {
    const driver = await start();
    const error = await failure(open().controllerExpand({ volumeId: "v", requiredBytes: GI }, AbortSignal.abort()));
    expect(error.code).toBe("Canceled");
    expect(driver.calls()).toEqual([]);
  });

  test("stopping the client ends its calls, and every later one; twice is fine", async () => {
    const driver = await start(silent);
    const client = open();
    const call = failure(client.controllerExpand({ volumeId: "v", requiredBytes: GI }));
    await until(() => driver.calls().length === 1);
    client.stop();
    client.stop();
    expect(await call).toMatchObject({ code: "Canceled" });
    expect(await failure(client.nodeInfo())).toMatchObject({
      code: "Canceled",
      description: `the connection to ${address} is closed`,
    });
  });
});

describe("waiting for a driver to be ready", () => {
  test("goes on while it is not there, not answering or not ready, and says why", async () => {
    const heard: string[] = [];
    const client = open({ timeoutMs: 1000 });
    const ready = client.waitUntilReady((why) => heard.push(why));
    await until(() => heard.length > 0);

    const answers = [() => ({ ready: false }), () => new Promise<never>(() => {}), () => ({ ready: true })];
    const server = await serveCsi({ address, identity: { probe: () => answers.shift()?.() ?? {} } });
    clean.push(() => server.stop());
    await ready;
    expect([...new Set(heard)]).toEqual([
      `rpc error: code = Unavailable desc = cannot reach the driver at ${address}: connect ENOENT ${address}`,
      "the driver says that it is not ready",
      "rpc error: code = DeadlineExceeded desc = context deadline exceeded",
    ]);
    expect(answers).toEqual([]);
  });

  test("a driver that does not say is ready", async () => {
    const server = await serveCsi({ address, identity: { probe: () => ({}) } });
    clean.push(() => server.stop());
    await expect(open().waitUntilReady()).resolves.toBeUndefined();
  });

  test("any other failure is thrown", async () => {
    await start({ rules: [{ method: "Probe", answer: { kind: "error", code: "FailedPrecondition" } }] });
    expect(await failure(open().waitUntilReady())).toMatchObject({ code: "FailedPrecondition" });
  });

  test("ends when the client is stopped", async () => {
    const client = open();
    expect(await failure(client.waitUntilReady(() => client.stop()))).toMatchObject({ code: "Canceled" });
  });

  test("ends when the signal is aborted, also between two probes", async () => {
    const abort = new AbortController();
    const waiting = open({ probeIntervalMs: 60_000 }).waitUntilReady(() => abort.abort(), abort.signal);
    expect(await failure(waiting)).toMatchObject({ code: "Canceled" });
  });
});

describe("what a driver is and can do", () => {
  const asked = (driver: ScriptedDriver): string[] => driver.calls().map((call) => call.method);

  test("is asked once, however many ask at the same time", async () => {
    const driver = await start({ abilities: { singleNodeMultiWriter: true } });
    const client = open();
    const ask = async () => [
      await client.pluginInfo(),
      await client.pluginCapabilities(),
      await client.controllerCapabilities(),
      await client.nodeCapabilities(),
    ];
    const answers = await Promise.all(Array.from({ length: 50 }, ask));
    for (const answer of answers) {
      expect(answer).toEqual([
        { name: "scripted.csi.outgrow.dev", version: "1" },
        { controllerService: true, topology: false, expansion: "online" },
        new Set(["CREATE_DELETE_VOLUME", "LIST_VOLUMES", "EXPAND_VOLUME", "SINGLE_NODE_MULTI_WRITER"]),
        new Set(["GET_VOLUME_STATS", "EXPAND_VOLUME"]),
      ]);
    }
    expect(asked(driver)).toEqual([
      "GetPluginInfo",
      "GetPluginCapabilities",
      "ControllerGetCapabilities",
      "NodeGetCapabilities",
    ]);
  });

  test("is asked anew after the connection was lost: another version may be there", async () => {
    const driver = await start({ abilities: { nodeExpansion: false } });
    let lost = 0;
    const client = open({ onConnectionLost: () => lost++ });
    expect(await client.nodeCapabilities()).not.toContain("EXPAND_VOLUME");
    await driver.stop();
    await until(() => lost === 1);
    const next = await start({ abilities: { nodeExpansion: true } });
    await client.waitUntilReady();
    expect(await client.nodeCapabilities()).toContain("EXPAND_VOLUME");
    expect(await client.nodeCapabilities()).toContain("EXPAND_VOLUME");
    expect(asked(next).filter((method) => method === "NodeGetCapabilities")).toHaveLength(1);
  });

  test("a failure is not remembered, and is never final: it decides nothing about a volume", async () => {
    await start({
      rules: [
        { method: "ControllerGetCapabilities", times: 1, answer: { kind: "error", code: "Internal", message: "oops" } },
      ],
    });
    const client = open();
    const error = await failure(client.controllerCapabilities());
    expect(error).toMatchObject({ final: false, cause: { code: "Internal" } });
    expect(error.message).toContain("rpc error: code = Internal desc = oops");
    expect(await client.controllerCapabilities()).toContain("EXPAND_VOLUME");
  });

  test("one who gives up does not take the answer from the others", async () => {
    const driver = await start({ rules: [{ method: "NodeGetCapabilities", delayMs: 50 }] });
    const client = open();
    const abort = new AbortController();
    const [impatient, patient] = [client.nodeCapabilities(abort.signal), client.nodeCapabilities()];
    abort.abort();
    expect(await failure(impatient)).toMatchObject({ code: "Canceled" });
    expect(await patient).toContain("EXPAND_VOLUME");
    expect(asked(driver)).toEqual(["NodeGetCapabilities"]);
  });

  test("a socket on which a service is not served has none of its abilities", async () => {
    const server = await serveCsi({ address, identity: { probe: () => ({}) } });
    clean.push(() => server.stop());
    const client = open();
    expect(await client.controllerCapabilities()).toEqual(new Set());
    expect(await client.nodeCapabilities()).toEqual(new Set());
  });
});

test("every call is observed: which, how it ended, how long it took, and whose driver", async () => {
  await start({ rules: [{ volumeId: "bad", answer: { kind: "error", code: "OutOfRange" } }], adoptUnknown: true });
  const seen: ObservedCall[] = [];
  const client = open({ observe: (call) => seen.push(call) });
  await client.controllerExpand({ volumeId: "v", requiredBytes: GI });
  await client.pluginInfo();
  await failure(client.controllerExpand({ volumeId: "bad", requiredBytes: GI }));
  expect(seen.map(({ driverName, method, code }) => [driverName, method, code])).toEqual([
    ["unknown-driver", "/csi.v1.Controller/ControllerExpandVolume", "OK"],
    ["unknown-driver", "/csi.v1.Identity/GetPluginInfo", "OK"],
    ["scripted.csi.outgrow.dev", "/csi.v1.Controller/ControllerExpandVolume", "OutOfRange"],
  ]);
  expect(seen.every(({ seconds }) => seconds >= 0)).toBe(true);
});
