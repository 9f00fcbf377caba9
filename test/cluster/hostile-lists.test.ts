/**
 * Objects of one list as long as a body has room for, or of one text: what the rules make of them takes as long as a walk along them,
 * not as long as a walk for each item. One that takes minutes fails by the time that a test has.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startTarget, type Target } from "./target.ts";

const CORE = "/api/v1/namespaces/default";
const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

let target: Target;
beforeAll(async () => {
  target = await startTarget();
});
afterEach(() => target.isFine());
afterAll(() => target[Symbol.asyncDispose]());

const pod = (container: object, more: object = {}): object => ({
  metadata: { name: "x" },
  spec: { containers: [{ name: "c", image: "i", ...container }], ...more },
});
const job = (spec: object): object => ({ metadata: { name: "x" }, spec: { jobTemplate: {}, ...spec } });
const POD = `${CORE}/pods`;
const CRON = "/apis/batch/v1/namespaces/default/cronjobs";

describe("lists without end", () => {
  test.each<[string, string, object, number]>([
    ["variables", POD, pod({ env: many(100_000, (at) => ({ name: `a${at}` })) }), 201],
    ["the same variable", POD, pod({ env: many(100_000, () => ({ name: "a" })) }), 201],
    ["the same port", POD, pod({ ports: many(80_000, () => ({ containerPort: 1 })) }), 201],
    ["mounts", POD, pod({ volumeMounts: many(50_000, (at) => ({ name: "a", mountPath: `/${at}` })) }), 422],
    [
      "mounts beside devices",
      POD,
      pod({
        volumeMounts: many(30_000, (at) => ({ name: "a", mountPath: `/${at}` })),
        volumeDevices: many(30_000, (at) => ({ name: "b", devicePath: `/d${at}` })),
      }),
      422,
    ],
    [
      "containers",
      POD,
      { metadata: { name: "x" }, spec: { containers: many(80_000, (at) => ({ name: `a${at}` })) } },
      422,
    ],
    ["volumes", POD, pod({}, { volumes: many(80_000, (at) => ({ name: `a${at}` })) }), 201],
    ["spreads", POD, pod({}, { topologySpreadConstraints: many(50_000, (at) => ({ topologyKey: `a${at}` })) }), 422],
    ["gates", POD, pod({}, { schedulingGates: many(80_000, (at) => ({ name: `a${at}` })) }), 201],
    [
      "ports of a service",
      `${CORE}/services`,
      { metadata: { name: "x" }, spec: { ports: many(50_000, (at) => ({ port: 1, name: `a${at}` })) } },
      422,
    ],
    [
      "families of a service",
      `${CORE}/services`,
      { metadata: { name: "x" }, spec: { ports: [{ port: 1 }], ipFamilies: many(200_000, (at) => `a${at}`) } },
      422,
    ],
    [
      "addresses of a service",
      `${CORE}/services`,
      {
        metadata: { name: "x" },
        spec: {
          ports: [{ port: 1 }],
          clusterIP: "10.0.0.1",
          clusterIPs: many(120_000, () => "10.0.0.1"),
          ipFamilies: many(120_000, () => "IPv6"),
        },
      },
      422,
    ],
    [
      "conditions of a webhook",
      "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
      {
        metadata: { name: "x" },
        webhooks: [{ name: "a.b.c", matchConditions: many(110_000, (at) => ({ name: `a${at}` })) }],
      },
      422,
    ],
    [
      "topologies that say nothing",
      "/apis/storage.k8s.io/v1/storageclasses",
      { metadata: { name: "x" }, provisioner: "a", allowedTopologies: many(80_000, () => ({})) },
      422,
    ],
    [
      "drivers of a node",
      "/apis/storage.k8s.io/v1/csinodes",
      { metadata: { name: "x" }, spec: { drivers: many(50_000, (at) => ({ name: `a${at}`, nodeID: "x" })) } },
      201,
    ],
  ])("%s", async (_, path, body, code) => {
    expect((await target.send("POST", `${path}?dryRun=All`, { body })).json).toMatchObject(
      code === 422 ? { kind: "Status", code } : { metadata: { name: "x" } },
    );
  });

  test("no more errors are told than somebody reads", async () => {
    const body = pod({ volumeMounts: many(50_000, () => ({})) });
    const { json } = await target.send("POST", `${POD}?dryRun=All`, { body });
    const details = json?.["details"] as { causes: unknown[] } | undefined;
    expect(details?.causes).toHaveLength(1000);
  });

  test("no more text is told than somebody reads, where each error shows all of a list", async () => {
    const owner = (at: number) => ({ apiVersion: "v1", kind: "Pod", name: `p${at}`, uid: `u${at}`, controller: true });
    const body = { metadata: { name: "x", ownerReferences: many(30_000, owner) } };
    const { text, json } = await target.send("POST", `${CORE}/configmaps?dryRun=All`, { body });
    expect(json).toMatchObject({ kind: "Status", code: 422, message: expect.stringContaining("Only one reference") });
    expect(text.length).toBeLessThan(20 * 2 ** 20);
  });

  test("no more warnings than fit into a head", async () => {
    const body = pod({ env: many(50_000, (at) => ({ name: `a${at % 1000}` })) });
    const { headers, code } = await target.send("POST", `${POD}?dryRun=All`, { body });
    expect(code).toBe(201);
    expect(String(headers["warning"]).length).toBeLessThan(8192);
  });
});

describe("texts without end", () => {
  test.each<[string, string, object]>([
    ["a name", POD, pod({ name: "a-".repeat(700_000) })],
    ["a key of a label", POD, pod({}, { nodeSelector: { ["a-".repeat(700_000)]: "x" } })],
    ["the domain of a key", POD, pod({}, { nodeSelector: { [`${"a-.".repeat(400_000)}/x`]: "x" } })],
    ["a domain", POD, pod({}, { dnsConfig: { searches: ["a-".repeat(500_000)] } })],
    ["a sysctl", POD, pod({}, { securityContext: { sysctls: [{ name: "a.".repeat(700_000) }] } })],
    [
      "a path of a field",
      POD,
      pod({ env: [{ name: "a", valueFrom: { fieldRef: { fieldPath: "metadata.labels['".repeat(100_000) } } }] }),
    ],
    ["a schedule", CRON, job({ schedule: `${"1,".repeat(900_000)}x * * * *` })],
    ["a duration", CRON, job({ schedule: `@every ${"1h".repeat(900_000)}x` })],
    ["a zone", CRON, job({ schedule: "* * * * *", timeZone: `${"a/".repeat(500_000)}!` })],
  ])("%s", async (_, path, body) => {
    expect((await target.send("POST", `${path}?dryRun=All`, { body })).json).toMatchObject({
      kind: "Status",
      code: 422,
    });
  });
});
