/** Whether a pod may go to a node with taints (upstream component-helpers/scheduling/corev1.ToleratesTaint). */
import type { Node, SchedulablePod, Taint, Toleration } from "./types.ts";

/** What a node that was cordoned is tainted with, be the taint written on it or not. */
const UNSCHEDULABLE: Taint = { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" };

export function mayGoToUnschedulable({ spec: { tolerations = [] } }: SchedulablePod): boolean {
  return tolerations.some((toleration) => tolerates(toleration, UNSCHEDULABLE));
}

/** Taints that only say "preferably not" keep nobody away. */
export function toleratesAll({ spec: { tolerations = [] } }: SchedulablePod, node: Node): boolean {
  return (node.spec?.taints ?? [])
    .filter(({ effect }) => effect === "NoSchedule" || effect === "NoExecute")
    .every((taint) => tolerations.some((toleration) => tolerates(toleration, taint)));
}

function tolerates({ key = "", operator = "Equal", value = "", effect = "" }: Toleration, taint: Taint): boolean {
  if (effect !== "" && effect !== taint.effect) return false;
  if (key !== "" && key !== taint.key) return false;
  if (operator === "Exists") return true;
  return key !== "" && operator === "Equal" && value === (taint.value ?? "");
}
