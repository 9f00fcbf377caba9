/** Pods: the one kind whose status is not a field but a story told from many (printers.go, printPod). */
import type { JsonObject } from "../../json.ts";
import { conditionStatus, isDeleting, items, text } from "../fields.ts";
import { since } from "../human-duration.ts";
import { ageOf, definition, NAME_FORMAT, nameOf, type Printer, type RowCondition, WIDE } from "../printer.ts";
import { type ContainersSummary, type InitSummary, summarizeContainers, summarizeInit } from "./pod-containers.ts";

export const pods: Printer = {
  columns: [
    definition("Name", NAME_FORMAT),
    definition("Ready"),
    definition("Status"),
    definition("Restarts"),
    definition("Age"),
    definition("IP", WIDE),
    definition("Node", WIDE),
    definition("Nominated Node", WIDE),
    definition("Readiness Gates", WIDE),
  ],
  cells: (pod, now) => {
    const { ready, total, status, restarts, lastRestart } = summarize(pod);
    return [
      nameOf(pod),
      `${ready}/${total}`,
      status,
      restarts !== 0 && lastRestart !== "" ? `${restarts} (${since(lastRestart, now)} ago)` : `${restarts}`,
      ageOf(pod, now),
      podIp(pod) || "<none>",
      text(pod, "spec", "nodeName") || "<none>",
      text(pod, "status", "nominatedNodeName") || "<none>",
      readinessGates(pod),
    ];
  },
  conditions: (pod) => {
    const ended = ENDED.get(text(pod, "status", "phase"));
    return ended === undefined ? [] : [ended];
  },
};

const ENDED: ReadonlyMap<string, RowCondition> = new Map([
  ["Succeeded", completed("Succeeded", "The pod has completed successfully.")],
  ["Failed", completed("Failed", "The pod failed.")],
]);

function completed(reason: string, message: string): RowCondition {
  return { type: "Completed", status: "True", reason, message };
}

interface PodSummary {
  readonly ready: number;
  readonly total: number;
  readonly status: string;
  readonly restarts: number;
  /** Empty when no restart left its moment behind. */
  readonly lastRestart: string;
}

function summarize(pod: JsonObject): PodSummary {
  const init = summarizeInit(pod);
  const total = items(pod, "spec", "containers").length + init.sidecars;
  if (init.status !== undefined && conditionStatus(pod, "Initialized") !== "True") {
    const { ready, restarts, lastRestart } = init;
    return { ready, total, status: deletionStatus(pod) ?? init.status, restarts, lastRestart };
  }
  // Once it is initialized, restarts of init containers no longer show; sidecars count as containers.
  const containers = summarizeContainers(pod);
  return {
    ready: init.ready + containers.ready,
    total,
    status: deletionStatus(pod) ?? runningStatus(pod, init, containers),
    restarts: init.sidecarRestarts + containers.restarts,
    lastRestart: later(init.sidecarLastRestart, containers.lastRestart),
  };
}

/** While a pod goes away that is its status; on a node that is lost nobody knows, and one that has ended stays as it ended. */
function deletionStatus(pod: JsonObject): string | undefined {
  if (!isDeleting(pod)) return undefined;
  if (text(pod, "status", "reason") === "NodeLost") return "Unknown";
  return ENDED.has(text(pod, "status", "phase")) ? undefined : "Terminating";
}

function runningStatus(pod: JsonObject, init: InitSummary, containers: ContainersSummary): string {
  const status = containers.status ?? init.status ?? ownStatus(pod);
  if (status !== "Completed") return status;
  if (containers.running && conditionStatus(pod, "Ready") === "True") return "Running";
  return containers.failure ?? (containers.running ? "NotReady" : status);
}

/** What the pod says of itself, before its containers are asked. */
function ownStatus(pod: JsonObject): string {
  const gated = items(pod, "status", "conditions").some(
    (condition) => text(condition, "type") === "PodScheduled" && text(condition, "reason") === "SchedulingGated",
  );
  return gated ? "SchedulingGated" : text(pod, "status", "reason") || text(pod, "status", "phase");
}

function later(a: string, b: string): string {
  return a < b ? b : a;
}

/** The list of addresses leads; the single one stands in for objects that were written without the list. */
function podIp(pod: JsonObject): string {
  const [first] = items(pod, "status", "podIPs");
  return first === undefined ? text(pod, "status", "podIP") : text(first, "ip");
}

function readinessGates(pod: JsonObject): string {
  const gates = items(pod, "spec", "readinessGates");
  if (gates.length === 0) return "<none>";
  const open = gates.filter((gate) => conditionStatus(pod, text(gate, "conditionType")) === "True");
  return `${open.length}/${gates.length}`;
}
