/** What decides how many there are: scales, autoscalers, disruption budgets. */
import type { Json, JsonObject } from "../../json.ts";
import { toVersionTwo } from "../../kinds/autoscaler-versions.ts";
import { at, count, items, object, optionalQuantity, present, text } from "../fields.ts";
import { AGE, column, INTEGER, NAME, nameOf, printer } from "../printer.ts";
import { firstOf } from "../texts.ts";

/** The `scale` subresource of built-in kinds. Its name column is not marked as one. */
export const scales = printer([
  column("Name", nameOf),
  column("Desired", (scale) => count(scale, "spec", "replicas"), INTEGER),
  column("Available", (scale) => count(scale, "status", "replicas"), INTEGER),
  AGE,
]);

export const podDisruptionBudgets = printer([
  NAME,
  column("Min Available", (budget) => numberOrPercentage(at(budget, "spec", "minAvailable"))),
  column("Max Unavailable", (budget) => numberOrPercentage(at(budget, "spec", "maxUnavailable"))),
  column("Allowed Disruptions", (budget) => count(budget, "status", "disruptionsAllowed"), INTEGER),
  AGE,
]);

function numberOrPercentage(value: Json | undefined): string {
  return typeof value === "number" || typeof value === "string" ? String(value) : "N/A";
}

export const horizontalPodAutoscalers = printer([
  NAME,
  column("Reference", (scaler) => {
    const target = object(scaler, "spec", "scaleTargetRef");
    return `${text(target, "kind")}/${text(target, "name")}`;
  }),
  // Also of those of autoscaling/v1, which say less of it.
  column("Targets", (scaler) =>
    targets(text(scaler, "apiVersion") === "autoscaling/v1" ? toVersionTwo(scaler) : scaler),
  ),
  column("MinPods", (scaler) =>
    present(scaler, "spec", "minReplicas") ? String(count(scaler, "spec", "minReplicas")) : "<unset>",
  ),
  column("MaxPods", (scaler) => count(scaler, "spec", "maxReplicas")),
  column("Replicas", (scaler) => count(scaler, "status", "currentReplicas")),
  AGE,
]);

/** How each metric stands against its target. The status is matched by position, as the controller writes it. */
function targets(scaler: JsonObject): string {
  const metrics = items(scaler, "spec", "metrics");
  if (metrics.length === 0) return "<none>";
  const statuses = items(scaler, "status", "currentMetrics");
  return firstOf(
    metrics.map((metric, index) => targetText(metric, statuses[index])),
    2,
    ", ",
  );
}

/** Where a type of metric keeps its source. */
const SOURCES: ReadonlyMap<string, string> = new Map([
  ["External", "external"],
  ["Object", "object"],
  ["Pods", "pods"],
  ["Resource", "resource"],
  ["ContainerResource", "containerResource"],
]);

function targetText(metric: Json, status: Json | undefined): string {
  const source = SOURCES.get(text(metric, "type"));
  if (source === undefined) return "<unknown type>";
  const target = object(metric, source, "target");
  const current = present(status, source) ? object(status, source, "current") : undefined;
  switch (source) {
    case "pods":
      return `${sizeOf(current, "averageValue")}/${sizeOf(target, "averageValue", "<nil>")}`;
    case "external":
    case "object":
      return present(target, "averageValue")
        ? `${sizeOf(current, "averageValue", "<unknown>")}/${sizeOf(target, "averageValue")} (avg)`
        : `${sizeOf(current, "value")}/${sizeOf(target, "value", "<nil>")}`;
    default: {
      const name = text(metric, source, "name");
      return present(target, "averageValue")
        ? `${name}: ${sizeOf(current, "averageValue")}/${sizeOf(target, "averageValue")}`
        : `${name}: ${percentage(current) ?? "<unknown>"}/${percentage(target) ?? "<auto>"}`;
    }
  }
}

/** A size; `<unknown>` without a status at all, and what Go prints for a missing one within it. */
function sizeOf(values: JsonObject | undefined, field: string, missing = "<nil>"): string {
  return values === undefined ? "<unknown>" : (optionalQuantity(values, field) ?? missing);
}

function percentage(values: JsonObject | undefined): string | undefined {
  return present(values, "averageUtilization") ? `${count(values, "averageUtilization")}%` : undefined;
}
