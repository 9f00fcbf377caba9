/** What controllers say of the pods that they look after: no count is negative, and no part is larger than the whole. */
import { type FieldError, invalid } from "../../../admission/verdict.ts";
import { checkNotNegative } from "./checks.ts";

/** The status of any of these kinds, as far as it counts. Other fields are of other types. */
export type Counts = Readonly<Record<string, unknown>>;

interface Counted {
  /** Every count, in the order in which Kubernetes looks at them. */
  readonly counts: readonly string[];
  /** Those that cannot be larger than `replicas`. */
  readonly parts?: readonly string[];
  /** How those that are ready are called where there are fewer of them than of those that are available. */
  readonly ready?: string;
}

const STATEFUL_SET: Counted = {
  counts: [
    "replicas",
    "readyReplicas",
    "currentReplicas",
    "updatedReplicas",
    "availableReplicas",
    "observedGeneration",
    "collisionCount",
  ],
  parts: ["readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"],
  ready: "status.readyReplicas",
};
const DEPLOYMENT: Counted = {
  counts: [
    "observedGeneration",
    "replicas",
    "updatedReplicas",
    "readyReplicas",
    "availableReplicas",
    "unavailableReplicas",
    "terminatingReplicas",
    "collisionCount",
  ],
  parts: ["updatedReplicas", "readyReplicas", "availableReplicas"],
  ready: "readyReplicas",
};
/** A ReplicationController says the same, but for those that end. */
const REPLICA_SET: Counted = {
  counts: [
    "replicas",
    "fullyLabeledReplicas",
    "readyReplicas",
    "availableReplicas",
    "observedGeneration",
    "terminatingReplicas",
  ],
  parts: ["fullyLabeledReplicas", "readyReplicas", "availableReplicas"],
  ready: "readyReplicas",
};
const DAEMON_SET: Counted = {
  counts: [
    "currentNumberScheduled",
    "numberMisscheduled",
    "desiredNumberScheduled",
    "numberReady",
    "observedGeneration",
    "updatedNumberScheduled",
    "numberAvailable",
    "numberUnavailable",
    "collisionCount",
  ],
};

export const checkStatefulSetStatus = (next: Counts, old: Counts): FieldError[] => check(STATEFUL_SET, next, old);
export const checkDeploymentStatus = (next: Counts, old: Counts): FieldError[] => check(DEPLOYMENT, next, old);
export const checkReplicaSetStatus = (next: Counts, old: Counts): FieldError[] => check(REPLICA_SET, next, old);
export const checkDaemonSetStatus = (next: Counts, old: Counts): FieldError[] => check(DAEMON_SET, next, old);

function check({ counts, parts = [], ready }: Counted, next: Counts, old: Counts): FieldError[] {
  const replicas = count(next, "replicas");
  const available = count(next, "availableReplicas");
  return [
    ...counts.flatMap((field) => checkNotNegative(count(next, field), `status.${field}`)),
    ...parts
      .filter((field) => count(next, field) > replicas)
      .map((field) => invalid(`status.${field}`, count(next, field), "cannot be greater than status.replicas")),
    ...(ready !== undefined && available > count(next, "readyReplicas")
      ? [invalid("status.availableReplicas", available, `cannot be greater than ${ready}`)]
      : []),
    ...(counts.includes("collisionCount") ? checkCollisions(next, old) : []),
  ];
}

/** Names are made with it: one that was taken once would be tried again. */
function checkCollisions(next: Counts, old: Counts): FieldError[] {
  const before = old["collisionCount"];
  if (typeof before !== "number") return [];
  const now = next["collisionCount"];
  if (typeof now === "number" && now >= before) return [];
  return [invalid("status.collisionCount", typeof now === "number" ? now : 0, "cannot be decremented")];
}

function count(status: Counts, field: string): number {
  const value = status[field];
  return typeof value === "number" ? value : 0;
}
