import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type CsiClient, openCsiClient } from "../client.ts";
import { CSI_CODES, type CsiError } from "../error.ts";
import { type Rule, type Script, type ScriptedDriver, startScriptedDriver } from "./index.ts";
import type { ScriptedDriverOptions } from "./scripted-driver.ts";
import { type TempDir, tempDir } from "./temp-dir.ts";

const GI = 2n ** 30n;

let dir: TempDir;
let client: CsiClient;
let driver: ScriptedDriver | undefined;

beforeEach(() => {
  dir = tempDir();
  client = openCsiClient({ address: dir.file("csi.sock"), probeIntervalMs: 20 });
});
afterEach(async () => {
  client.stop();
  await driver?.stop();
  dir.remove();
});

const start = async (script: Script, hooks: Partial<ScriptedDriverOptions> = {}): Promise<ScriptedDriver> => {
  driver = await startScriptedDriver({ address: dir.file("csi.sock"), script, ...hooks });
  return driver;
};
const one = { volumes: { v: { backendBytes: GI } } };
const expand = (requiredBytes: bigint, timeoutMs = 10_000): Promise<string> =>
  client.controllerExpand({ volumeId: "v", requiredBytes, timeoutMs }).then(
    ({ capacityBytes }) => `${capacityBytes / GI}Gi`,
    ({ code }: CsiError) => code,
  );
const backend = (): bigint | undefined => driver?.volume("v")?.backendBytes;

describe("answers", () => {
  test("without a rule: done", async () => {
    await start(one);
    expect(await expand(2n * GI)).toBe("2Gi");
    expect(backend()).toBe(2n * GI);
  });

  test("done, rounded", async () => {
    await start({ ...one, rules: [{ answer: { kind: "done", roundToBytes: 5n * GI } }] });
    expect(await expand(6n * GI)).toBe("10Gi");
    expect(backend()).toBe(10n * GI);
  });

  test.each([0n, 2n * GI])("done, but the driver says %d", async (sayBytes) => {
    await start({ ...one, rules: [{ answer: { kind: "done", sayBytes } }] });
    expect(await expand(3n * GI)).toBe(`${sayBytes / GI}Gi`);
    expect(backend()).toBe(3n * GI);
  });

  test.each(CSI_CODES)("refused with %s, nothing done", async (code) => {
    await start({ ...one, rules: [{ answer: { kind: "error", code } }] });
    expect(await expand(2n * GI)).toBe(code);
    expect(backend()).toBe(GI);
  });

  test("in doubt, having done it", async () => {
    await start({ ...one, rules: [{ answer: { kind: "error", code: "Unavailable", worked: true } }] });
    expect(await expand(2n * GI)).toBe("Unavailable");
    expect(backend()).toBe(2n * GI);
  });

  test.each([
    [true, 2n * GI],
    [false, GI],
  ])("silence until the deadline, having worked: %s", async (worked, size) => {
    const driver = await start({ ...one, rules: [{ volumeId: "v", answer: { kind: "silence", worked } }] });
    await client.waitUntilReady();
    expect(await expand(2n * GI, 300)).toBe("DeadlineExceeded");
    expect(backend()).toBe(size);
    expect(driver.calls().at(-1)?.outcome).toBeUndefined();
  });

  test("above a size only", async () => {
    await start({ ...one, rules: [{ aboveBytes: 10n * GI, answer: { kind: "error", code: "OutOfRange" } }] });
    expect(await expand(10n * GI)).toBe("10Gi");
    expect(await expand(10n * GI + 1n)).toBe("OutOfRange");
  });

  test("so many times, one rule after the other, then as if there were none", async () => {
    const rules: Rule[] = [
      { method: "ControllerExpandVolume", volumeId: "v", times: 2, answer: { kind: "error", code: "Internal" } },
      { method: "NodeExpandVolume", answer: { kind: "error", code: "DataLoss" } },
      { times: 1, answer: { kind: "error", code: "Aborted" } },
    ];
    const driver = await start({ ...one, rules });
    const answers = [];
    for (let call = 0; call < 4; call++) answers.push(await expand(2n * GI));
    expect(answers).toEqual(["Internal", "Internal", "Aborted", "2Gi"]);
    driver.setRules([{ answer: { kind: "error", code: "NotFound" } }]);
    expect(await expand(2n * GI)).toBe("NotFound");
  });
});

describe("it is a correct driver underneath", () => {
  test("an unknown volume is NotFound, unless such are adopted", async () => {
    await start({});
    expect(await expand(GI)).toBe("NotFound");
    await driver?.stop();
    await start({ adoptUnknown: true });
    await client.waitUntilReady();
    expect(await expand(GI)).toBe("1Gi");
  });

  test("while it works on a volume, another call for it is Aborted; the work is done though nobody waits", async () => {
    const { promise: worked, resolve } = Promise.withResolvers<void>();
    const { promise: hold, resolve: release } = Promise.withResolvers<void>();
    await start(one, {
      onArrived: ({ requiredBytes }) => (requiredBytes === 2n * GI ? hold : undefined),
      onWorked: () => resolve(),
    });
    await client.waitUntilReady();
    expect(await expand(2n * GI, 300)).toBe("DeadlineExceeded");
    expect(await expand(3n * GI)).toBe("Aborted");
    expect(backend()).toBe(GI);
    release();
    await worked;
    expect(backend()).toBe(2n * GI);
    expect(await expand(3n * GI)).toBe("3Gi");
  });

  test("one that only grows volumes out of use says FailedPrecondition while one is used", async () => {
    const driver = await start({
      volumes: { v: { backendBytes: GI, inUse: true } },
      abilities: { online: false },
    });
    expect((await client.pluginCapabilities()).expansion).toBe("offline");
    expect(await expand(2n * GI)).toBe("FailedPrecondition");
    driver.setVolume("v", { inUse: false });
    expect(await expand(2n * GI)).toBe("2Gi");
  });

  test("one without a controller half grows on the node alone", async () => {
    await start({ ...one, abilities: { controllerExpansion: false } });
    expect(await client.controllerCapabilities()).not.toContain("EXPAND_VOLUME");
    expect(await expand(2n * GI)).toBe("Unimplemented");
    const { capacityBytes } = await client.nodeExpand({ volumeId: "v", volumePath: "/p", requiredBytes: 2n * GI });
    expect(capacityBytes).toBe(2n * GI);
    expect(driver?.volume("v")).toMatchObject({ backendBytes: 2n * GI, fileSystemBytes: 2n * GI });
  });

  test("one without a node half needs none", async () => {
    await start({ ...one, abilities: { nodeExpansion: false } });
    expect(await client.nodeCapabilities()).not.toContain("EXPAND_VOLUME");
    const { nodeExpansionRequired } = await client.controllerExpand({ volumeId: "v", requiredBytes: GI });
    expect(nodeExpansionRequired).toBe(false);
  });

  test("a limit below the rounded size is OutOfRange", async () => {
    await start({ ...one, roundToBytes: 4n * GI });
    const asked = client.controllerExpand({ volumeId: "v", requiredBytes: 5n * GI, limitBytes: 6n * GI });
    await expect(asked).rejects.toMatchObject({ code: "OutOfRange" });
    expect(backend()).toBe(GI);
  });

  test("volumes are made once, listed, and deleted once", async () => {
    const driver = await start({ roundToBytes: GI });
    const create = () => client.createVolume({ name: "n", requiredBytes: 5n, capabilities: [] });
    expect(await create()).toMatchObject({ volumeId: "n", capacityBytes: GI });
    expect(await create()).toMatchObject({ volumeId: "n", capacityBytes: GI });
    expect(await client.listVolumes()).toMatchObject([{ volumeId: "n", capacityBytes: GI }]);
    await client.deleteVolume({ volumeId: "n" });
    await client.deleteVolume({ volumeId: "n" });
    expect(driver.volume("n")).toBeUndefined();
  });

  test("whatever it is told, a volume never shrinks and asking again changes nothing", async () => {
    const sizes = fc.bigInt({ min: 1n, max: 20n });
    const answer = fc.oneof(
      fc.record({ kind: fc.constant("done" as const), roundToBytes: sizes, sayBytes: fc.constantFrom(0n, 7n) }),
      fc.record({ kind: fc.constant("done" as const) }),
      fc.record({ kind: fc.constant("error" as const), code: fc.constantFrom(...CSI_CODES), worked: fc.boolean() }),
    );
    const step = fc.record({ requiredBytes: sizes, answer, node: fc.boolean() });
    const driver = await start({ volumes: { v: { backendBytes: 3n } } });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        for (const { requiredBytes, answer, node } of steps) {
          const call = () =>
            node
              ? client.nodeExpand({ volumeId: "v", volumePath: "/p", requiredBytes })
              : client.controllerExpand({ volumeId: "v", requiredBytes });
          const before = driver.volume("v")!;
          driver.setRules([{ answer }]);
          await call().catch(() => {});
          const after = driver.volume("v")!;
          expect(after.backendBytes).toBeGreaterThanOrEqual(before.backendBytes);
          expect(after.fileSystemBytes).toBeGreaterThanOrEqual(before.fileSystemBytes);
          await call().catch(() => {});
          expect(driver.volume("v")).toEqual(after);
        }
      }),
      { seed: 1790, numRuns: 40 },
    );
  });
});

test("the backend cannot be told to shrink a volume either", async () => {
  const driver = await start(one);
  expect(() => driver.setVolume("v", { backendBytes: 1n })).toThrow("volume v would shrink");
  expect(backend()).toBe(GI);
});

test("calls are recorded with sizes, times and outcome, and can be forgotten", async () => {
  const driver = await start(one);
  const before = Date.now();
  await expand(2n * GI);
  const [call] = driver.calls();
  expect(call).toMatchObject({ method: "ControllerExpandVolume", requiredBytes: 2n * GI, backendBytes: 2n * GI });
  expect(call?.startedAt).toBeGreaterThanOrEqual(before);
  expect(call?.endedAt).toBeGreaterThanOrEqual(call?.startedAt ?? Number.NaN);
  driver.forgetCalls();
  expect(driver.calls()).toEqual([]);
});

test("what a hook throws is what the caller gets", async () => {
  await start(one, {
    onWorked: () => {
      throw new Error("killed here");
    },
  });
  expect(await expand(2n * GI)).toBe("Unknown");
  expect(backend()).toBe(2n * GI);
});
