/** What runs pods: apps, batch and the older kinds of the core group. */

import { fromTimestamp } from "../../../../core/clock.ts";
import type { JsonObject } from "../../json.ts";
import { at, conditionStatus, count, flag, isDeleting, items, object, optionalText, present, text } from "../fields.ts";
import { humanDuration, since } from "../human-duration.ts";
import { AGE, BOOLEAN, column, INTEGER, NAME, printer, WIDE } from "../printer.ts";
import { labels, selector, selectorCell } from "../texts.ts";
import { containerColumns } from "./containers.ts";

const TEMPLATE = ["spec", "template"] as const;
const SELECTOR = column("Selector", (set) => selectorCell(at(set, "spec", "selector")), WIDE);

const readyOfDesired = column(
  "Ready",
  (set) => `${count(set, "status", "readyReplicas")}/${count(set, "spec", "replicas")}`,
);

const replicaColumns = [
  column("Desired", (set) => count(set, "spec", "replicas"), INTEGER),
  column("Current", (set) => count(set, "status", "replicas"), INTEGER),
  column("Ready", (set) => count(set, "status", "readyReplicas"), INTEGER),
];

export const statefulSets = printer([NAME, readyOfDesired, AGE, ...containerColumns(TEMPLATE)]);

export const deployments = printer([
  NAME,
  readyOfDesired,
  column("Up-to-date", (deployment) => count(deployment, "status", "updatedReplicas")),
  column("Available", (deployment) => count(deployment, "status", "availableReplicas")),
  AGE,
  ...containerColumns(TEMPLATE),
  // Unlike the others, a deployment shows an empty selector as it is.
  column("Selector", (deployment) => selector(at(deployment, "spec", "selector")) ?? "<invalid>", WIDE),
]);

export const replicaSets = printer([NAME, ...replicaColumns, AGE, ...containerColumns(TEMPLATE), SELECTOR]);

export const replicationControllers = printer([
  NAME,
  ...replicaColumns,
  AGE,
  ...containerColumns(TEMPLATE),
  column("Selector", (controller) => labels(object(controller, "spec", "selector")), WIDE),
]);

export const daemonSets = printer([
  NAME,
  column("Desired", (set) => count(set, "status", "desiredNumberScheduled"), INTEGER),
  column("Current", (set) => count(set, "status", "currentNumberScheduled"), INTEGER),
  column("Ready", (set) => count(set, "status", "numberReady"), INTEGER),
  column("Up-to-date", (set) => count(set, "status", "updatedNumberScheduled"), INTEGER),
  column("Available", (set) => count(set, "status", "numberAvailable"), INTEGER),
  column("Node Selector", (set) => labels(object(set, ...TEMPLATE, "spec", "nodeSelector"))),
  AGE,
  ...containerColumns(TEMPLATE),
  SELECTOR,
]);

export const podTemplates = printer([
  NAME,
  ...containerColumns(["template"], { priority: 0 }),
  column("Pod Labels", (template) => labels(object(template, "template", "metadata", "labels"))),
]);

export const controllerRevisions = printer([
  NAME,
  column("Controller", controllerOf),
  column("Revision", (revision) => count(revision, "revision")),
  AGE,
]);

/** `statefulset.apps/db`, as kubectl would name it. */
function controllerOf(revision: JsonObject): string {
  const owner = items(revision, "metadata", "ownerReferences").find((reference) => flag(reference, "controller"));
  if (owner === undefined) return "<none>";
  const [group = "", version] = text(owner, "apiVersion").split("/");
  const kind = version === undefined ? text(owner, "kind") : `${text(owner, "kind")}.${group}`;
  return `${kind.toLowerCase()}/${text(owner, "name")}`;
}

export const jobs = printer([
  NAME,
  column("Status", jobStatus),
  column("Completions", completions),
  column("Duration", jobDuration),
  AGE,
  ...containerColumns(TEMPLATE),
  SELECTOR,
]);

function jobStatus(job: JsonObject): string {
  const holds = (type: string): boolean => conditionStatus(job, type) === "True";
  if (holds("Complete")) return "Complete";
  if (holds("Failed")) return "Failed";
  if (isDeleting(job)) return "Terminating";
  if (holds("Suspended")) return "Suspended";
  if (holds("FailureTarget")) return "FailureTarget";
  return holds("SuccessCriteriaMet") ? "SuccessCriteriaMet" : "Running";
}

/** A job without a number of completions is done with the first; how many try at once is told then. */
function completions(job: JsonObject): string {
  const succeeded = count(job, "status", "succeeded");
  if (present(job, "spec", "completions")) return `${succeeded}/${count(job, "spec", "completions")}`;
  const parallelism = count(job, "spec", "parallelism");
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function jobDuration(job: JsonObject, now: number): string {
  const started = fromTimestamp(optionalText(job, "status", "startTime"));
  if (started === undefined) return "";
  return humanDuration((fromTimestamp(optionalText(job, "status", "completionTime")) ?? now) - started);
}

const JOB_TEMPLATE = ["spec", "jobTemplate", "spec"] as const;

export const cronJobs = printer([
  NAME,
  column("Schedule", (job) => text(job, "spec", "schedule")),
  column("Timezone", (job) => optionalText(job, "spec", "timeZone") ?? "<none>"),
  column("Suspend", suspended, BOOLEAN),
  column("Active", (job) => items(job, "status", "active").length, INTEGER),
  column("Last Schedule", (job, now) =>
    present(job, "status", "lastScheduleTime") ? since(text(job, "status", "lastScheduleTime"), now) : "<none>",
  ),
  AGE,
  ...containerColumns([...JOB_TEMPLATE, "template"]),
  column("Selector", (job) => selectorCell(at(job, ...JOB_TEMPLATE, "selector")), WIDE),
]);

/** A text, for all that its column says. */
function suspended(job: JsonObject): string {
  if (!present(job, "spec", "suspend")) return "<unset>";
  return flag(job, "spec", "suspend") ? "True" : "False";
}
