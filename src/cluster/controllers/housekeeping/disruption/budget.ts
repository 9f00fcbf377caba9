/** A PodDisruptionBudget, with the fields that are looked at. */
import type { Condition, KubeObject, LabelSelector, Pod } from "../../../../core/types.ts";
import { defineResource } from "../../../../kube/index.ts";
import { selects } from "../../../../statefulset/decide/selector.ts";

export type Amount = number | string;

export interface BudgetStatus {
  observedGeneration?: number;
  currentHealthy?: number;
  desiredHealthy?: number;
  expectedPods?: number;
  disruptionsAllowed?: number;
  /** Pods that were evicted and are not yet seen to go, by name, with the moment of it. */
  disruptedPods?: Record<string, string>;
  conditions?: Condition[];
}

export interface Budget extends KubeObject {
  spec?: { selector?: LabelSelector; minAvailable?: Amount; maxUnavailable?: Amount };
  status?: BudgetStatus;
}

export const BUDGETS = defineResource<Budget>("policy/v1", "PodDisruptionBudget", "poddisruptionbudgets");

/** Whether the pod is one of those that the budget protects. Without a selector there are none; an empty one means all. */
export function protects({ metadata, spec }: Budget, pod: Pod): boolean {
  if (spec?.selector === undefined || metadata.namespace !== pod.metadata.namespace) return false;
  return selects(spec.selector, pod.metadata.labels);
}
