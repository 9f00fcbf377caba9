import { afterEach, beforeEach, expect, test } from "vitest";
import { openCsiClient } from "../client.ts";
import { fromJson, toJson } from "./json.ts";
import { type SpawnedDriver, spawnScriptedDriver } from "./spawn.ts";
import { type TempDir, tempDir } from "./temp-dir.ts";

let dir: TempDir;
let driver: SpawnedDriver | undefined;

beforeEach(() => {
  dir = tempDir();
});
afterEach(async () => {
  await driver?.kill();
  dir.remove();
});

test("a driver in a process of its own can be told, asked, and killed", async () => {
  const address = dir.file("csi.sock");
  driver = await spawnScriptedDriver(address, { volumes: { v: { backendBytes: 5n } }, roundToBytes: 10n });
  const client = openCsiClient({ address });
  try {
    const expand = (requiredBytes: bigint) => client.controllerExpand({ volumeId: "v", requiredBytes });
    expect(await expand(2n ** 60n + 1n)).toMatchObject({ capacityBytes: 2n ** 60n + 4n });
    await driver.setRules([{ aboveBytes: 2n ** 62n, answer: { kind: "error", code: "OutOfRange", message: "no" } }]);
    await expect(expand(2n ** 62n + 1n)).rejects.toMatchObject({ code: "OutOfRange", description: "no" });
    await driver.setVolume("w", { backendBytes: 1n, inUse: true });

    expect(await driver.volume("w")).toEqual({ backendBytes: 1n, fileSystemBytes: 0n, inUse: true });
    expect(await driver.volume("unheard-of")).toBeUndefined();
    expect(await driver.calls()).toMatchObject([
      { requiredBytes: 2n ** 60n + 1n, outcome: "OK", backendBytes: 2n ** 60n + 4n },
      { requiredBytes: 2n ** 62n + 1n, outcome: "OutOfRange", backendBytes: 2n ** 60n + 4n },
    ]);
    await driver.forgetCalls();
    expect(await driver.calls()).toEqual([]);
    await expect(driver.setVolume("v", { backendBytes: 1n })).rejects.toThrow("volume v would shrink");

    await driver.kill("SIGTERM");
    await driver.kill();
    await expect(driver.calls()).rejects.toThrow("the scripted driver is gone");
    await expect(expand(1n)).rejects.toMatchObject({ code: "Unavailable" });
  } finally {
    client.stop();
  }
});

test("a driver that cannot start says so", async () => {
  await expect(spawnScriptedDriver(dir.file("no/such/folder"))).rejects.toThrow(
    /^the scripted driver did not start: cannot serve at .*: there is no folder/,
  );
});

test("sizes survive JSON, beyond what a number can hold; they may be written as numbers", () => {
  const script = { volumes: { v: { backendBytes: 2n ** 62n + 1n } }, rules: [{ delayMs: 5, aboveBytes: 0n }] };
  expect(fromJson(toJson(script))).toEqual(script);
  expect(fromJson('{"aboveBytes": 1073741824, "delayMs": 3}')).toEqual({ aboveBytes: 2n ** 30n, delayMs: 3 });
});
