import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { JsonObject } from "../json.ts";
import { claim, createTestCluster, object, PROD, pod, type TestCluster } from "./testing/cluster.ts";

let cluster: TestCluster;
beforeEach(async () => {
  cluster = createTestCluster();
  await cluster.given(PROD);
});
afterEach(() => cluster.close());

const range = (name: string, ...limits: JsonObject[]) => object("v1", "LimitRange", name, { spec: { limits } });
const container = (name: string, resources: JsonObject = {}): JsonObject => ({ name, resources });
const one = (requests: JsonObject, limits: JsonObject = {}) =>
  pod("p", { containers: [container("main", { requests, limits })] });

describe("defaults", () => {
  test("fill in what containers do not say, and an annotation tells", async () => {
    await cluster.given(
      range("r", { type: "Container", default: { cpu: "1", memory: "1Gi" }, defaultRequest: { cpu: "500m" } }),
    );
    const sent = pod("p", {
      containers: [container("main", { limits: { cpu: "2" } })],
      initContainers: [container("first", { requests: { cpu: "1" }, limits: { cpu: "1", memory: "1Mi" } })],
    });
    expect(await cluster.admit(sent)).toMatchObject({
      metadata: {
        annotations: {
          "kubernetes.io/limit-ranger":
            "LimitRanger plugin set: cpu request for container main; memory limit for container main",
        },
      },
      spec: {
        containers: [{ name: "main", resources: { limits: { cpu: "2", memory: "1Gi" }, requests: { cpu: "500m" } } }],
        initContainers: [container("first", { requests: { cpu: "1" }, limits: { cpu: "1", memory: "1Mi" } })],
      },
    });
  });

  test("of several ranges add up, the first by name winning", async () => {
    const defaults = (amounts: JsonObject) => ({ type: "Container", default: amounts });
    await cluster.given(range("b", defaults({ cpu: "2", memory: "1Gi" })), range("a", defaults({ cpu: "1" })));
    const { spec } = (await cluster.admit(pod("p"))) as { spec: JsonObject };
    expect(spec["containers"]).toMatchObject([{ resources: { limits: { cpu: "1", memory: "1Gi" } } }]);
  });

  test("are for new pods alone", async () => {
    await cluster.given(range("r", { type: "Container", default: { cpu: "1" } }));
    const admitted = await cluster.admit(pod("p"), { old: pod("p") });
    expect((admitted["spec"] as JsonObject)["containers"]).toEqual([{ name: "main", image: "i" }]);
  });
});

describe("limits", () => {
  const min = { type: "Container", min: { cpu: "100m" } };
  const max = { type: "Container", max: { cpu: "1" } };
  const ratio = { type: "Container", maxLimitRequestRatio: { cpu: "1500m" } };
  const whole = { type: "Pod", max: { memory: "1Gi" } };

  test.each<{ name: string; limit: JsonObject; sent: JsonObject; says: string }>([
    {
      name: "a minimum wants a request",
      limit: min,
      sent: one({}),
      says: "minimum cpu usage per Container is 100m.  No request is specified",
    },
    {
      name: "below the minimum",
      limit: min,
      sent: one({ cpu: "99m" }),
      says: "minimum cpu usage per Container is 100m, but request is 99m",
    },
    {
      name: "a limit below the minimum",
      limit: min,
      sent: one({ cpu: "1" }, { cpu: "1m" }),
      says: "minimum cpu usage per Container is 100m, but limit is 1m",
    },
    {
      name: "a maximum wants a limit",
      limit: max,
      sent: one({ cpu: "1" }),
      says: "maximum cpu usage per Container is 1.  No limit is specified",
    },
    {
      name: "above the maximum",
      limit: max,
      sent: one({}, { cpu: "1001m" }),
      says: "maximum cpu usage per Container is 1, but limit is 1001m",
    },
    {
      name: "a request above the maximum",
      limit: max,
      sent: one({ cpu: "2" }, { cpu: "1" }),
      says: "maximum cpu usage per Container is 1, but request is 2",
    },
    {
      name: "a ratio wants a request",
      limit: ratio,
      sent: one({ cpu: "0" }, { cpu: "1" }),
      says: "cpu max limit to request ratio per Container is 1500m, but no request is specified or request is 0",
    },
    {
      name: "a ratio wants a limit",
      limit: ratio,
      sent: one({ cpu: "1" }),
      says: "cpu max limit to request ratio per Container is 1500m, but no limit is specified or limit is 0",
    },
    {
      name: "too far apart",
      limit: ratio,
      sent: one({ cpu: "600m" }, { cpu: "1" }),
      says: "cpu max limit to request ratio per Container is 1500m, but provided ratio is 1.666667",
    },
    {
      name: "a pod as a whole",
      limit: whole,
      sent: pod("p", { containers: ["a", "b"].map((name) => container(name, { limits: { memory: "600Mi" } })) }),
      says: "maximum memory usage per Pod is 1Gi, but limit is 1200Mi",
    },
    {
      name: "what a pod says as a whole wins",
      limit: whole,
      sent: pod("p", { resources: { limits: { memory: "2Gi" } } }),
      says: "maximum memory usage per Pod is 1Gi, but limit is 2Gi",
    },
  ])("$name", async ({ limit, sent, says }) => {
    await cluster.given(range("r", limit));
    expect(await cluster.answer(sent)).toBe(`403 Forbidden: pods "p" is forbidden: ${says}`);
  });

  test("several reasons are told together", async () => {
    await cluster.given(range("r", { type: "Container", min: { cpu: "1" }, max: { memory: "1Gi" } }));
    expect(await cluster.answer(pod("p"))).toBe(
      '403 Forbidden: pods "p" is forbidden: [minimum cpu usage per Container is 1.  No request is specified, maximum memory usage per Container is 1Gi.  No limit is specified]',
    );
  });

  test("init containers run beside the sidecars started before them, and one after the other", async () => {
    await cluster.given(range("r", { type: "Pod", max: { cpu: "2" } }));
    const limits = (cpu: string) => ({ limits: { cpu } });
    const sent = (first: string) =>
      pod("p", {
        containers: [container("main", limits("500m"))],
        initContainers: [
          container("alone", limits("2")),
          { ...container("sidecar", limits("500m")), restartPolicy: "Always" },
          container("first", limits(first)),
        ],
      });
    expect(await cluster.answer(sent("1500m"))).toBe("admitted");
    expect(await cluster.answer(sent("1501m"))).toContain("maximum cpu usage per Pod is 2, but limit is 2001m");
  });

  test("of claims hold at every edit, unless the claim is going", async () => {
    await cluster.given(range("r", { type: "PersistentVolumeClaim", max: { storage: "1Gi" } }));
    const refusal =
      '403 Forbidden: persistentvolumeclaims "x" is forbidden: maximum storage usage per PersistentVolumeClaim is 1Gi, but request is 2Gi';
    const large = claim("x", "2Gi");
    expect(await cluster.answer(large)).toBe(refusal);
    expect(await cluster.answer(large, { old: large })).toBe(refusal);
    const going = claim("x", "2Gi", { metadata: { deletionTimestamp: "2026-03-01T00:00:00Z" } });
    expect(await cluster.answer(going, { old: going })).toBe("admitted");
    expect(await cluster.answer(large, { old: large, subresource: "status" })).toBe("admitted");
  });
});
