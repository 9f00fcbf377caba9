/** What every cluster has, whatever runs in it. */
import type { JsonObject } from "../../json.ts";
import { count, flag, items, object, quantity, text } from "../fields.ts";
import { AGE, BOOLEAN, column, INTEGER, NAME, printer } from "../printer.ts";
import { compare } from "../texts.ts";

export const namespaces = printer([NAME, column("Status", (namespace) => text(namespace, "status", "phase")), AGE]);

export const secrets = printer([
  NAME,
  column("Type", (secret) => text(secret, "type")),
  column("Data", (secret) => entriesOf(secret, "data")),
  AGE,
]);

export const configMaps = printer([
  NAME,
  column("Data", (map) => entriesOf(map, "data") + entriesOf(map, "binaryData")),
  AGE,
]);

function entriesOf(holder: JsonObject, field: string): number {
  return Object.keys(object(holder, field)).length;
}

export const serviceAccounts = printer([NAME, AGE]);

export const leases = printer([NAME, column("Holder", (lease) => text(lease, "spec", "holderIdentity")), AGE]);

export const priorityClasses = printer([
  NAME,
  column("Value", (priority) => count(priority, "value"), INTEGER),
  column("Global-Default", (priority) => flag(priority, "globalDefault"), BOOLEAN),
  AGE,
  column("PreemptionPolicy", (priority) => text(priority, "preemptionPolicy")),
]);

export const resourceQuotas = printer([
  NAME,
  column("Request", (quota) => usage(quota, (resource) => !isLimit(resource))),
  column("Limit", (quota) => usage(quota, isLimit)),
  AGE,
]);

function isLimit(resource: string): boolean {
  return resource.startsWith("limits.");
}

/** `requests.storage: 10Gi/100Gi, ...` for everything that the quota is in force for. */
function usage(quota: JsonObject, belongs: (resource: string) => boolean): string {
  return Object.keys(object(quota, "status", "hard"))
    .filter(belongs)
    .sort(compare)
    .map((name) => `${name}: ${quantity(quota, "status", "used", name)}/${quantity(quota, "status", "hard", name)}`)
    .join(", ");
}

export const runtimeClasses = printer([NAME, column("Handler", (each) => text(each, "handler")), AGE]);

/** Mutating and validating alike. */
export const webhookConfigurations = printer([
  NAME,
  column("Webhooks", (configuration) => items(configuration, "webhooks").length, INTEGER),
  AGE,
]);
