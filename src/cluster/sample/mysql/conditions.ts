/** What the operator says about a MySQLCluster: its own conditions, and nobody else's. */
import { toTimestamp } from "../../../core/clock.ts";
import type { Condition, StatefulSet } from "../../../core/types.ts";
import { setNameOf } from "./desired-set.ts";
import { isStopped, type MySQLCluster } from "./resource.ts";

/** Whether there ever was a set for this cluster; what came before is no longer known. */
export function hadSet({ status }: MySQLCluster): boolean {
  return status?.conditions?.some(({ type, status }) => type === "Initialized" && status === "True") === true;
}

/** All of them, each with the moment since when it has been so. */
export function conditionsOf(cluster: MySQLCluster, set: StatefulSet | undefined, now: number): Condition[] {
  const wanted = set?.spec.replicas ?? 0;
  const ready = set?.status?.readyReplicas ?? 0;
  const stopped = isStopped(cluster);
  const missing = `there is no StatefulSet ${setNameOf(cluster.metadata.name)}`;
  const counted = set === undefined ? missing : `${ready} of ${wanted} instances are ready`;
  const said: Pick<Condition, "type" | "status" | "reason" | "message">[] = [
    is("Initialized", set !== undefined || hadSet(cluster), "there is, or was, a StatefulSet"),
    is("Available", ready > 0, counted),
    is("StatefulSetReady", set !== undefined && ready >= wanted, counted),
    is("ReconciliationActive", !stopped, stopped ? "stopped by its annotation" : "the operator looks after it"),
  ];
  return said.map((condition) => {
    const old = cluster.status?.conditions?.find(({ type }) => type === condition.type);
    const since = old?.status === condition.status ? old.lastTransitionTime : undefined;
    return { ...condition, lastTransitionTime: since ?? toTimestamp(now) };
  });
}

function is(type: string, yes: boolean, message: string) {
  return { type, status: yes ? "True" : "False", reason: yes ? "Yes" : "No", message };
}
