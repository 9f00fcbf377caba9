/** Nodes. */
import type { JsonObject } from "../../json.ts";
import { flag, items, object, text } from "../fields.ts";
import { AGE, column, NAME, printer, WIDE } from "../printer.ts";
import { compare } from "../texts.ts";

const ROLE_PREFIX = "node-role.kubernetes.io/";
const ROLE_LABEL = "kubernetes.io/role";

export const nodes = printer([
  NAME,
  column("Status", status),
  column("Roles", (node) => roles(node).join(",") || "<none>"),
  AGE,
  column("Version", (node) => info(node, "kubeletVersion")),
  column("Internal-IP", (node) => address(node, "InternalIP"), WIDE),
  column("External-IP", (node) => address(node, "ExternalIP"), WIDE),
  column("OS-Image", (node) => info(node, "osImage") || "<unknown>", WIDE),
  column("Kernel-Version", kernel, WIDE),
  column("Container-Runtime", (node) => info(node, "containerRuntimeVersion") || "<unknown>", WIDE),
]);

/** Of several conditions of one type, which should not be, the last one counts. */
function status(node: JsonObject): string {
  const ready = items(node, "status", "conditions").findLast((condition) => text(condition, "type") === "Ready");
  const readiness = ready === undefined ? "Unknown" : text(ready, "status") === "True" ? "Ready" : "NotReady";
  return flag(node, "spec", "unschedulable") ? `${readiness},SchedulingDisabled` : readiness;
}

function roles(node: JsonObject): string[] {
  const names = Object.entries(object(node, "metadata", "labels")).map(([name, value]) => {
    if (name.startsWith(ROLE_PREFIX)) return name.slice(ROLE_PREFIX.length);
    return name === ROLE_LABEL && typeof value === "string" ? value : "";
  });
  return [...new Set(names.filter((name) => name !== ""))].sort(compare);
}

function info(node: JsonObject, field: string): string {
  return text(node, "status", "nodeInfo", field);
}

function address(node: JsonObject, type: string): string {
  const found = items(node, "status", "addresses").find((entry) => text(entry, "type") === type);
  return found === undefined ? "<none>" : text(found, "address");
}

function kernel(node: JsonObject): string {
  const [version, architecture] = [info(node, "kernelVersion") || "<unknown>", info(node, "architecture")];
  return architecture === "" ? version : `${version} (${architecture})`;
}
