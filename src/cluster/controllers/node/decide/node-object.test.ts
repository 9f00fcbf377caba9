import { describe, expect, test } from "vitest";
import { BEFORE_ALL, nextAddress } from "./addresses.ts";
import { type Machine, newNode, nodeStatus, taintsWhenReady } from "./node-object.ts";

const MACHINE: Machine = {
  hostname: "laptop",
  address: "127.0.0.1",
  cpus: 4,
  memoryBytes: 8n * 2n ** 30n,
  architecture: "amd64",
  operatingSystem: "linux",
  kernelVersion: "6.1",
  version: "v1.36.3+outgrow",
};
const NOW = Date.UTC(2026, 10, 16, 3, 0, 0);

describe("a node", () => {
  test("is labelled as Kubernetes labels nodes", () => {
    expect(newNode("one", MACHINE).metadata).toMatchObject({
      name: "one",
      labels: { "kubernetes.io/hostname": "laptop", "kubernetes.io/arch": "amd64", "kubernetes.io/os": "linux" },
    });
  });

  test("says what it has, that it is ready, and that nothing is run", () => {
    const { capacity, conditions, nodeInfo } = nodeStatus(MACHINE, undefined, NOW);
    expect(capacity).toMatchObject({ cpu: "4", memory: "8388608Ki" });
    expect(conditions?.map(({ type, status }) => `${type}=${status}`)).toEqual([
      "MemoryPressure=False",
      "DiskPressure=False",
      "PIDPressure=False",
      "Ready=True",
    ]);
    expect(nodeInfo).toMatchObject({ containerRuntimeVersion: "outgrow://1.36.3+outgrow" });
  });

  test("keeps since when it is ready, and what others say of it", () => {
    const before = nodeStatus(MACHINE, { conditions: [{ type: "Theirs", status: "True" }] }, NOW);
    const after = nodeStatus(MACHINE, before, NOW + 300_000);
    const ready = after.conditions?.find(({ type }) => type === "Ready");
    expect([ready?.lastTransitionTime, ready?.lastHeartbeatTime]).toEqual([
      "2026-11-16T03:00:00Z",
      "2026-11-16T03:05:00Z",
    ]);
    expect(after.conditions?.[0]).toEqual({ type: "Theirs", status: "True" });
  });

  test("that is ready loses the taint of a new one, and no other", () => {
    const mine = { key: "example.com/mine", effect: "NoSchedule" };
    const fresh = { key: "node.kubernetes.io/not-ready", effect: "NoSchedule" };
    expect(taintsWhenReady({ metadata: { name: "one" }, spec: { taints: [mine, fresh] } })).toEqual([mine]);
    expect(taintsWhenReady({ metadata: { name: "one" }, spec: { taints: [mine] } })).toBeUndefined();
    expect(taintsWhenReady({ metadata: { name: "one" } })).toBeUndefined();
  });
});

describe("addresses of pods", () => {
  test("are given one after the other, those that are taken left out", () => {
    const taken = new Set(["10.244.0.3"]);
    const first = nextAddress(BEFORE_ALL, (address) => taken.has(address));
    expect(first?.address).toBe("10.244.0.2");
    expect(nextAddress(first?.number ?? 0, (address) => taken.has(address))?.address).toBe("10.244.0.4");
  });

  test("begin again after the last", () => {
    expect(nextAddress(256 * 256 - 2, () => false)?.address).toBe("10.244.0.2");
    expect(nextAddress(300, () => false)?.address).toBe("10.244.1.45");
  });

  test("come to an end", () => {
    expect(nextAddress(BEFORE_ALL, () => true)).toBeUndefined();
  });
});
