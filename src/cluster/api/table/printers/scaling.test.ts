import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../json.ts";
import { cellsByName, made } from "../fixtures.ts";
import { horizontalPodAutoscalers, podDisruptionBudgets, scales } from "./scaling.ts";

test("a Scale has what is wanted and what there is", () => {
  const scale = made({ spec: { replicas: 3 }, status: { replicas: 2 } });
  expect(cellsByName(scales, scale)).toEqual({ Name: "it", Desired: 3, Available: 2, Age: "5d12h" });
});

test.each([
  [{ minAvailable: 2 }, "2", "N/A"],
  [{ maxUnavailable: "25%" }, "N/A", "25%"],
  [{ maxUnavailable: 0 }, "N/A", "0"],
])("a disruption budget with %j", (spec, least, most) => {
  const shown = { "Min Available": least, "Max Unavailable": most, "Allowed Disruptions": 1 };
  expect(cellsByName(podDisruptionBudgets, made({ spec, status: { disruptionsAllowed: 1 } }))).toMatchObject(shown);
});

describe("the targets of an autoscaler", () => {
  const cpu = (target: JsonObject): JsonObject => ({ type: "Resource", resource: { name: "cpu", target } });
  const usage = (current: JsonObject): JsonObject => ({ type: "Resource", resource: { name: "cpu", current } });
  const external = (field: string, value: JsonObject): JsonObject => ({
    type: "External",
    external: { [field]: value },
  });
  const pods = (field: string, value: JsonObject): JsonObject => ({ type: "Pods", pods: { [field]: value } });
  const object = (field: string, value: JsonObject): JsonObject => ({ type: "Object", object: { [field]: value } });
  const half = cpu({ averageUtilization: 50 });
  test.each([
    ["none", [], [], "<none>"],
    ["a share that is not known yet", [half], [], "cpu: <unknown>/50%"],
    ["a share", [half], [usage({ averageUtilization: 42 })], "cpu: 42%/50%"],
    ["a share of its own choice", [cpu({})], [], "cpu: <unknown>/<auto>"],
    ["an amount", [cpu({ averageValue: "500m" })], [usage({ averageValue: "0.42" })], "cpu: 420m/500m"],
    ["of pods", [pods("target", { averageValue: "1k" })], [pods("current", { averageValue: "900" })], "900/1k"],
    ["of an object", [object("target", { value: "100" })], [], "<unknown>/100"],
    ["from outside", [external("target", { value: "30" })], [external("current", { value: "12" })], "12/30"],
    [
      "from outside, on average",
      [external("target", { averageValue: "7" })],
      [external("current", { averageValue: "3" })],
      "3/7 (avg)",
    ],
    ["of a type that is not known", [{ type: "Weather" }], [], "<unknown type>"],
    ["more than two", [half, half, half], [], "cpu: <unknown>/50%, cpu: <unknown>/50% + 1 more..."],
  ])("%s", (_, metrics, currentMetrics, shown) => {
    const scaler = made({ spec: { metrics }, status: { currentMetrics } });
    expect(cellsByName(horizontalPodAutoscalers, scaler)["Targets"]).toBe(shown);
  });

  test("and its bounds", () => {
    const spec = { scaleTargetRef: { kind: "Deployment", name: "web" }, maxReplicas: 9 };
    const shown = { Reference: "Deployment/web", MinPods: "<unset>", MaxPods: 9, Replicas: 2 };
    const scaler = made({ spec, status: { currentReplicas: 2 } });
    expect(cellsByName(horizontalPodAutoscalers, scaler)).toMatchObject(shown);
    const bounded = made({ spec: { ...spec, minReplicas: 2 } });
    expect(cellsByName(horizontalPodAutoscalers, bounded)["MinPods"]).toBe("2");
  });
});
