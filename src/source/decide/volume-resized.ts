/**
 * The condition `VolumeResized` on a custom resource. "Failure to update will result in a discrepancy between the PVC
 * defined in the MySQLCluster and the actual PVC. Add the condition to signal this ... Set the condition's status to
 * True if the PVC expansion was successful" (MOCO's text).
 *
 * | outcome   | status  | reason           |
 * |-----------|---------|------------------|
 * | `resized` | True    | Resized          |
 * | `growing` | Unknown | Progressing      |
 * | `invalid` | False   | ValidationFailed |
 * | `failed`  | False   | ResizeFailed     |
 *
 * False means failure and True success, so a growth under way is neither. A failed one that is tried again keeps saying
 * False until it has succeeded or somebody asks for something else: each retry would otherwise go to Unknown and back.
 */
import { toTimestamp } from "../../core/clock.ts";
import type { Condition, KubeObject } from "../../core/types.ts";
import type { Outcome } from "./outcome.ts";

/** Any object with conditions. */
export interface WithConditions extends KubeObject {
  status?: { conditions?: Condition[] };
}

const TERMS = {
  resized: { status: "True", reason: "Resized" },
  growing: { status: "Unknown", reason: "Progressing" },
  invalid: { status: "False", reason: "ValidationFailed" },
  failed: { status: "False", reason: "ResizeFailed" },
} as const satisfies Record<Outcome["kind"], { status: string; reason: string }>;

/**
 * The resource with the outcome in its condition of this type; the very same object when nothing would differ. The
 * transition time moves only when the status does. Conditions of other types, and their order, stay.
 */
export function withOutcome<T extends WithConditions>(resource: T, type: string, outcome: Outcome, now: number): T {
  const conditions = resource.status?.conditions ?? [];
  const index = conditions.findIndex((condition) => condition.type === type);
  const old = conditions[index];
  const { generation } = resource.metadata;
  if (old !== undefined && isRetry(old, outcome, generation)) return resource;

  const { status, reason } = TERMS[outcome.kind];
  const next: Condition = {
    ...old,
    type,
    status,
    reason,
    message: outcome.message,
    lastTransitionTime: (old?.status === status ? old.lastTransitionTime : undefined) ?? toTimestamp(now),
    ...(generation !== undefined && { observedGeneration: generation }),
  };
  if (old !== undefined && isSame(old, next)) return resource;
  const changed = index < 0 ? [...conditions, next] : conditions.with(index, next);
  return { ...resource, status: { ...resource.status, conditions: changed } };
}

/** What a condition of ours says; undefined where there is none, or another wrote it. */
export function outcomeIn(condition: Condition | undefined): Outcome | undefined {
  const kinds: readonly Outcome["kind"][] = ["resized", "growing", "invalid", "failed"];
  const kind = kinds.find(
    (each) => TERMS[each].reason === condition?.reason && TERMS[each].status === condition.status,
  );
  return kind === undefined ? undefined : { kind, message: condition?.message ?? "" };
}

function isRetry(old: Condition, outcome: Outcome, generation: number | undefined): boolean {
  return outcome.kind === "growing" && old.reason === TERMS.failed.reason && old.observedGeneration === generation;
}

function isSame(old: Condition, next: Condition): boolean {
  return (["status", "reason", "message", "lastTransitionTime", "observedGeneration"] as const).every(
    (field) => old[field] === next[field],
  );
}
