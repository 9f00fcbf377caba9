/** What an API server is told about itself: how requests queue, which certificates are asked for, who serves a group. */
import type { Json, JsonObject } from "../../json.ts";
import { at, conditionStatus, count, items, present, text } from "../fields.ts";
import { humanDuration } from "../human-duration.ts";
import { AGE, column, NAME, printer } from "../printer.ts";

const NONE = "<none>";

export const flowSchemas = printer([
  NAME,
  column("PriorityLevel", (schema) => text(schema, "spec", "priorityLevelConfiguration", "name")),
  column("MatchingPrecedence", (schema) => count(schema, "spec", "matchingPrecedence")),
  column("DistinguisherMethod", (schema) =>
    present(schema, "spec", "distinguisherMethod") ? text(schema, "spec", "distinguisherMethod", "type") : NONE,
  ),
  AGE,
  column("MissingPL", (schema) => conditionStatus(schema, "Dangling") || "?"),
]);

const limited = (...path: readonly string[]) => {
  return (level: JsonObject): Json => at(level, "spec", "limited", ...path) ?? NONE;
};

export const priorityLevels = printer([
  NAME,
  column("Type", (level) => text(level, "spec", "type")),
  column("NominalConcurrencyShares", limited("nominalConcurrencyShares")),
  column("Queues", limited("limitResponse", "queuing", "queues")),
  column("HandSize", limited("limitResponse", "queuing", "handSize")),
  column("QueueLengthLimit", limited("limitResponse", "queuing", "queueLengthLimit")),
  AGE,
]);

export const signingRequests = printer([
  NAME,
  AGE,
  column("SignerName", (request) => text(request, "spec", "signerName") || NONE),
  column("Requestor", (request) => text(request, "spec", "username")),
  column("RequestedDuration", (request) =>
    present(request, "spec", "expirationSeconds")
      ? humanDuration(count(request, "spec", "expirationSeconds") * 1000)
      : NONE,
  ),
  column("Condition", signingState),
]);

function signingState(request: JsonObject): string {
  const types = items(request, "status", "conditions").map((condition) => text(condition, "type"));
  const decision = types.includes("Denied") ? "Denied" : types.includes("Approved") ? "Approved" : "Pending";
  return [
    decision,
    ...(types.includes("Failed") ? ["Failed"] : []),
    ...(text(request, "status", "certificate") === "" ? [] : ["Issued"]),
  ].join(",");
}

const healthOf = (component: JsonObject): Json | undefined =>
  items(component, "conditions").find((condition) => text(condition, "type") === "Healthy");

export const componentStatuses = printer([
  NAME,
  column("Status", (component) => {
    const health = healthOf(component);
    if (health === undefined) return "Unknown";
    return text(health, "status") === "True" ? "Healthy" : "Unhealthy";
  }),
  column("Message", (component) => text(healthOf(component), "message")),
  column("Error", (component) => text(healthOf(component), "error")),
]);

export const apiServices = printer([
  NAME,
  column("Service", (service) =>
    present(service, "spec", "service")
      ? `${text(service, "spec", "service", "namespace")}/${text(service, "spec", "service", "name")}`
      : "Local",
  ),
  column("Available", availability),
  AGE,
]);

function availability(service: JsonObject): string {
  const found = items(service, "status", "conditions").find((condition) => text(condition, "type") === "Available");
  if (found === undefined) return "Unknown";
  const [status, reason] = [text(found, "status"), text(found, "reason")];
  return status === "True" || reason === "" ? status : `${status} (${reason})`;
}
