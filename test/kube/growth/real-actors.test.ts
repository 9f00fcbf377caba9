/**
 * Kubernetes' own autoscaler and its own care for lost nodes at a set that grows: what actors.test.ts has played by a patch at a chosen
 * moment, done by those who do it in production, whenever they like.
 */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { Quantity } from "../../../src/core/quantity.ts";
import type { KubeObject } from "../../../src/core/types.ts";
import { defineKind } from "../custom-kinds.ts";
import { claimsHave, gone, isAt, losses, requestOf } from "./intact.ts";
import { isReady, SET } from "./look.ts";
import { type OpenStage, openStage } from "./stage.ts";

vi.setConfig({ testTimeout: 600_000 });

/** An outside metric, which kube-apiserver serves from objects of this kind: an autoscaler sums up the values of a namespace. */
const BACKLOG = {
  metadata: {
    name: "backlog.external.metrics.k8s.io",
    annotations: { "api-approved.kubernetes.io": "unapproved, for a test" },
  },
  spec: {
    group: "external.metrics.k8s.io",
    scope: "Namespaced",
    names: { plural: "backlog", kind: "ExternalMetricValue", listKind: "ExternalMetricValueList" },
    versions: [
      {
        name: "v1beta1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
};
/** A pod for each ten of the backlog, between two and four, at once in both directions. */
const AUTOSCALER = {
  metadata: { name: SET },
  spec: {
    scaleTargetRef: { apiVersion: "apps/v1", kind: "StatefulSet", name: SET },
    minReplicas: 2,
    maxReplicas: 4,
    metrics: [
      {
        type: "External",
        external: { metric: { name: "backlog" }, target: { type: "AverageValue", averageValue: "10" } },
      },
    ],
    behavior: { scaleDown: { stabilizationWindowSeconds: 0 } },
  },
};

// One after the other: pods of the first must not be on the node that the second loses.
let stage: OpenStage;
beforeAll(async () => {
  const managerFlags = [
    "--horizontal-pod-autoscaler-sync-period=1s",
    // Nodes renew their lease every ten seconds; the one that stops doing so is lost soon.
    "--node-monitor-period=1s",
    "--node-monitor-grace-period=35s",
  ];
  stage = await openStage({ managerFlags });
  await defineKind(stage.plane.api, BACKLOG);
  await stage.controller();
});
afterAll(() => stage?.[Symbol.asyncDispose]());

test("an autoscaler goes up and down while the set grows again and again: its number stays, and all claims grow", async () => {
  const scene = await stage.scene("autoscaled");
  const { api } = stage.plane;
  const before = await scene.create();
  const metrics = `/apis/external.metrics.k8s.io/v1beta1/namespaces/${scene.namespace}/backlog`;
  await api.create(metrics, {
    apiVersion: "external.metrics.k8s.io/v1beta1",
    kind: "ExternalMetricValue",
    metadata: { name: "queue" },
    metricName: "backlog",
    value: "20",
    timestamp: "2026-01-01T00:00:00Z",
  });
  await api.create(`/apis/autoscaling/v2/namespaces/${scene.namespace}/horizontalpodautoscalers`, AUTOSCALER);

  for (const [size, backlog, replicas] of [
    ["2Gi", "40", 4],
    ["3Gi", "20", 2],
    ["4Gi", "30", 3],
  ] as const) {
    await Promise.all([scene.annotate(`data=${size}`), api.patch(`${metrics}/queue`, { value: backlog })]);
    const after = await scene.until(
      `${replicas} pods and ${size}`,
      (look) =>
        look.set?.spec.replicas === replicas &&
        isReady(look) &&
        look.record?.status?.phase === "Done" &&
        claimsHave(look, { data: size }),
    );
    expect(gone("pod", before.pods, after.pods)).toEqual([]);
    expect(gone("claim", before.claims, after.claims)).toEqual([]);
  }
  // What scaling down left behind grows when its pod comes back, as a new claim would.
  await api.patch(`${metrics}/queue`, { value: "40" });
  const all = await scene.until("four pods", (look) => look.pods.length === 4 && isReady(look));
  await scene.untilGrown({ data: "4Gi" });
  expect(gone("claim", before.claims, all.claims)).toEqual([]);
});

test("a node is lost: its pod is given up by Kubernetes, the claims grow meanwhile, the template follows when it is over", async () => {
  const lost = await stage.node("node-2");
  const scene = await stage.scene("lost-node");
  const tolerations = ["not-ready", "unreachable"].map((taint) => ({
    key: `node.kubernetes.io/${taint}`,
    operator: "Exists",
    effect: "NoExecute",
    tolerationSeconds: 1,
  }));
  const before = await scene.create({ replicas: 4 });
  await scene.change({ spec: { template: { spec: { tolerations } } } });
  const spread = await scene.until(
    "the tolerations",
    (look) => isReady(look) && look.pods.every(({ spec }) => JSON.stringify(spec).includes('"tolerationSeconds":1')),
  );
  const there = spread.pods.filter(({ spec }) => spec.nodeName === "node-2").map(({ metadata }) => metadata.name);
  expect(there.length).toBeGreaterThan(0);

  await lost.stop();
  const isGivenUp = (name: string, pods: typeof spread.pods): boolean =>
    pods.find(({ metadata }) => metadata.name === name)?.metadata.deletionTimestamp !== undefined;
  await scene.until("its pods to be given up", ({ pods }) => there.every((name) => isGivenUp(name, pods)));
  await scene.annotate("data=2Gi");
  const isThere = ({ metadata }: KubeObject): boolean => there.some((pod) => metadata.name === `data-${pod}`);
  const size = Quantity.parse("2Gi");
  const waiting = await scene.until("the claims to grow", ({ claims }) =>
    claims.every((claim) => (isThere(claim) ? requestOf(claim).equals(size) : isAt(claim, size))),
  );
  await scene.untilSaid(`data-${there[0]}: the node is to grow the file system to 2Gi; a pod must mount it for that`);
  expect(there.every((name) => isGivenUp(name, waiting.pods))).toBe(true);
  expect(waiting.set?.metadata.uid).toBe(before.set?.metadata.uid);

  // What an administrator does who knows that the machine is off.
  await stage.plane.kubectl(["taint", "nodes", "node-2", "node.kubernetes.io/out-of-service=nodeshutdown:NoExecute"]);
  const after = await scene.untilGrown({ data: "2Gi" });
  await scene.until("its pods to be ready elsewhere", isReady);
  expect(losses(spread, after)).toEqual(there.map((name) => `pod ${name} is another one`));
});
