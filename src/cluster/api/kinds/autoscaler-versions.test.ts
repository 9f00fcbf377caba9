import { expect, test } from "vitest";
import type { JsonObject } from "../json.ts";
import { toVersionOne, toVersionTwo, withDefaultTarget } from "./autoscaler-versions.ts";

const cpu = (averageUtilization: number): JsonObject => ({
  type: "Resource",
  resource: { name: "cpu", target: { type: "Utilization", averageUtilization } },
});
const METRICS = "autoscaling.alpha.kubernetes.io/metrics";

function scaler(spec: JsonObject, status: JsonObject = {}, annotations?: JsonObject): JsonObject {
  return { metadata: { name: "web", ...(annotations === undefined ? {} : { annotations }) }, spec, status };
}

test("a share of the processor is a field of the first version", () => {
  const one = toVersionOne(scaler({ maxReplicas: 3, metrics: [cpu(60)] }));
  expect(one).toEqual(scaler({ maxReplicas: 3, targetCPUUtilizationPercentage: 60 }));
  expect(toVersionTwo(one)).toEqual(scaler({ maxReplicas: 3, metrics: [cpu(60)] }));
});

test("where nothing is aimed at, it is 80 percent", () => {
  expect(withDefaultTarget(scaler({ maxReplicas: 3 }))["spec"]).toEqual({
    maxReplicas: 3,
    targetCPUUtilizationPercentage: 80,
  });
  expect(toVersionTwo(scaler({ maxReplicas: 3 }))["spec"]).toEqual({ maxReplicas: 3, metrics: [cpu(80)] });
  const measured = scaler({ maxReplicas: 3 }, {}, { [METRICS]: '[{"type":"Pods","pods":{"metricName":"hits"}}]' });
  expect(withDefaultTarget(measured)).toBe(measured);
});

test.each<[string, JsonObject]>([
  ["memory", { type: "Resource", resource: { name: "memory", target: { type: "AverageValue", averageValue: "1Gi" } } }],
  [
    "of a container",
    {
      type: "ContainerResource",
      containerResource: {
        name: "cpu",
        container: "main",
        target: { type: "Utilization", averageUtilization: 50 },
      },
    },
  ],
  [
    "of pods",
    { type: "Pods", pods: { metric: { name: "hits" }, target: { type: "AverageValue", averageValue: "1k" } } },
  ],
  [
    "of an object",
    {
      type: "Object",
      object: {
        describedObject: { kind: "Service", name: "web" },
        metric: { name: "hits", selector: { matchLabels: { a: "b" } } },
        target: { type: "Value", value: "10" },
      },
    },
  ],
  [
    "from outside",
    { type: "External", external: { metric: { name: "queue" }, target: { type: "AverageValue", averageValue: "7" } } },
  ],
])("a measure %s goes through the first version and back", (_, metric) => {
  const two = scaler(
    {
      maxReplicas: 3,
      metrics: [metric, cpu(60)],
      behavior: { scaleDown: { policies: [{ type: "Pods", value: 1, periodSeconds: 15 }] } },
    },
    {
      currentReplicas: 1,
      currentMetrics: [{ type: "Resource", resource: { name: "cpu", current: { averageUtilization: 42 } } }],
      conditions: [{ type: "AbleToScale", status: "True" }],
    },
    { mine: "yes" },
  );
  const one = toVersionOne(two);
  expect(one["status"]).toEqual({ currentReplicas: 1, currentCPUUtilizationPercentage: 42 });
  expect(toVersionTwo(one)).toEqual(two);
});

test("what somebody else has written where measures are carried is not taken for any", () => {
  for (const text of ["{", "7", "[7]", '{"a":1}']) {
    expect(toVersionTwo(scaler({ maxReplicas: 3 }, {}, { [METRICS]: text }))).toEqual(
      scaler({ maxReplicas: 3, metrics: [cpu(80)] }),
    );
  }
});
