import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { endpointsOf } from "./endpoints.ts";
import { planSlices } from "./slices.ts";
import type { EndpointSlice, Service, ServingPod } from "./types.ts";

const service = (spec: Service["spec"] = {}): Service => ({
  metadata: { name: "db", namespace: "prod", uid: "s", labels: { team: "a" } },
  spec: {
    clusterIP: "10.0.0.1",
    ipFamilies: ["IPv4"],
    selector: { app: "db" },
    ports: [{ name: "sql", port: 80, targetPort: 5432, protocol: "TCP" }],
    ...spec,
  },
});

interface PodShape {
  readonly ready?: boolean;
  readonly going?: boolean;
  readonly ip?: string;
  readonly phase?: string;
  readonly port?: number;
}

const pod = (name: string, shape: PodShape = {}): ServingPod => {
  const { ready = true, going = false, ip = `10.1.0.${name}`, phase = "Running", port = 5432 } = shape;
  return {
    metadata: {
      name,
      namespace: "prod",
      uid: `u${name}`,
      labels: { app: "db" },
      ...(going ? { deletionTimestamp: "2026-01-01T00:00:00Z" } : {}),
    },
    spec: { nodeName: "n", containers: [{ ports: [{ name: "sql", containerPort: port }] }] },
    status: {
      phase,
      conditions: [{ type: "Ready", status: ready ? "True" : "False" }],
      ...(ip === "" ? {} : { podIP: ip, podIPs: [{ ip }] }),
    },
  };
};

const noZone = (): undefined => undefined;

describe("Endpoints", () => {
  const ips = (given: Service, pods: readonly ServingPod[]) =>
    (endpointsOf(given, pods, undefined).subsets ?? []).map(({ addresses, notReadyAddresses, ports }) => ({
      ready: addresses?.map(({ ip }) => ip) ?? [],
      notReady: notReadyAddresses?.map(({ ip }) => ip) ?? [],
      ports: ports?.map(({ port }) => port) ?? [],
    }));

  test.each([
    ["ready pods and others", [pod("2"), pod("1"), pod("3", { ready: false })], ["10.1.0.1", "10.1.0.2"], ["10.1.0.3"]],
    ["no pod that is going", [pod("1"), pod("2", { going: true })], ["10.1.0.1"], []],
    ["no pod that has ended", [pod("1"), pod("2", { phase: "Failed" })], ["10.1.0.1"], []],
    ["no pod without an address", [pod("1"), pod("2", { ip: "" })], ["10.1.0.1"], []],
    ["no pod of another family", [pod("1"), pod("2", { ip: "fd00::1" })], ["10.1.0.1"], []],
  ])("tell of %s", (_, pods, ready, notReady) => {
    expect(ips(service(), pods)).toEqual([{ ready, notReady, ports: [5432] }]);
  });

  test("tell of pods that are not ready as if they were, where that is asked for", () => {
    const pods = [pod("1", { ready: false }), pod("2", { going: true })];
    expect(ips(service({ publishNotReadyAddresses: true }), pods)).toEqual([
      { ready: ["10.1.0.1", "10.1.0.2"], notReady: [], ports: [5432] },
    ]);
  });

  test("set apart pods in which a named port leads elsewhere", () => {
    const named = service({ ports: [{ name: "sql", port: 80, targetPort: "sql" }] });
    expect(ips(named, [pod("1"), pod("2", { port: 6000 })])).toEqual([
      { ready: ["10.1.0.1"], notReady: [], ports: [5432] },
      { ready: ["10.1.0.2"], notReady: [], ports: [6000] },
    ]);
  });

  test("of a headless service need no ports, and are marked", () => {
    const { subsets, metadata } = endpointsOf(service({ clusterIP: "None", ports: [] }), [pod("1")], undefined);
    expect(subsets?.[0]?.ports).toBeUndefined();
    expect(metadata.labels).toEqual({
      team: "a",
      "service.kubernetes.io/headless": "",
      "endpoints.kubernetes.io/managed-by": "endpoint-controller",
    });
  });

  test("are cut at a thousand, and say so", () => {
    const pods = Array.from({ length: 1001 }, (_, i) =>
      pod(String(i), { ready: i > 0, ip: `10.1.${i >> 8}.${i & 255}` }),
    );
    const { subsets, metadata } = endpointsOf(service(), pods, undefined);
    expect([subsets?.[0]?.addresses?.length, subsets?.[0]?.notReadyAddresses]).toEqual([1000, undefined]);
    expect(metadata.annotations).toEqual({ "endpoints.kubernetes.io/over-capacity": "truncated" });
  });
});

describe("EndpointSlices", () => {
  test("tell of all pods with an address, whether they serve and whether they go", () => {
    const pods = [pod("1"), pod("2", { ready: false }), pod("3", { going: true })];
    const { create } = planSlices(service(), pods, [], () => "here");
    expect(create).toHaveLength(1);
    expect(create[0]?.endpoints?.map(({ conditions, zone }) => ({ ...conditions, zone }))).toEqual([
      { ready: true, serving: true, terminating: false, zone: "here" },
      { ready: false, serving: false, terminating: false, zone: "here" },
      { ready: false, serving: true, terminating: true, zone: "here" },
    ]);
  });

  test("of a service without pods: one, and empty", () => {
    const { create } = planSlices(service(), [], [], noZone);
    expect(create).toMatchObject([{ addressType: "IPv4", ports: [], endpoints: [] }]);
    expect(planSlices(service(), [], create, noZone)).toEqual({ create: [], update: [], remove: [] });
  });

  test("of a service that was made anew under its name are replaced", () => {
    const old = planSlices(service(), [pod("1")], [], noZone).create;
    const anew = { ...service(), metadata: { ...service().metadata, uid: "another" } };
    const { create, remove } = planSlices(anew, [pod("1")], old, noZone);
    expect([create.length, remove]).toEqual([1, old]);
  });

  const some = fc.uniqueArray(fc.nat(300), { maxLength: 260 });
  const shape = fc.record({ numbers: some, odd: fc.boolean() });

  test("whatever comes and goes: every endpoint is in one slice, none has over a hundred, and then nothing is left to do", () => {
    fc.assert(
      fc.property(fc.array(shape, { minLength: 1, maxLength: 4 }), (history) => {
        const named = service({ ports: [{ name: "sql", port: 80, targetPort: "sql" }] });
        let slices: readonly EndpointSlice[] = [];
        for (const { numbers, odd } of history) {
          const pods = numbers.map((n) =>
            pod(String(n), { ip: `10.1.${n >> 8}.${n & 255}`, port: odd && n % 2 === 1 ? 6000 : 5432 }),
          );
          const { create, update, remove } = planSlices(named, pods, slices, noZone);
          const changed = new Map(update.map((slice) => [slice.metadata.name, slice]));
          const kept = slices.filter((slice) => !remove.includes(slice));
          slices = [...kept.map((slice) => changed.get(slice.metadata.name) ?? slice), ...create];
          const told = slices.flatMap(({ endpoints }) =>
            (endpoints ?? []).map(({ targetRef }) => targetRef?.name ?? ""),
          );
          expect(told.sort()).toEqual(pods.map(({ metadata }) => metadata.name).sort());
          expect(Math.max(...slices.map(({ endpoints }) => endpoints?.length ?? 0))).toBeLessThanOrEqual(100);
          expect(new Set(slices.map(({ metadata }) => metadata.name)).size).toBe(slices.length);
          expect(planSlices(named, pods, slices, noZone)).toEqual({ create: [], update: [], remove: [] });
        }
      }),
      { seed: 63, numRuns: 150 },
    );
  });
});
