/** What `outgrow controller` may do, and nothing else. Each rule says what it is for. */

/** A rule of a Role or ClusterRole (rbac.authorization.k8s.io/v1). */
export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

/** In every namespace where sets grow: a ClusterRole. */
export const CONTROLLER_RULES: readonly PolicyRule[] = [
  // The template: patched, or the set saved, deleted with orphaning and created again.
  { apiGroups: ["apps"], resources: ["statefulsets"], verbs: ["get", "list", "watch", "create", "patch", "delete"] },
  // Claims are asked for more; references that would let the garbage collector take them along are removed.
  { apiGroups: [""], resources: ["persistentvolumeclaims"], verbs: ["get", "list", "watch", "patch"] },
  // Pods are looked at, and let go of while a set is re-created. None is ever deleted.
  { apiGroups: [""], resources: ["pods"], verbs: ["get", "list", "watch", "patch"] },
  { apiGroups: ["apps"], resources: ["controllerrevisions"], verbs: ["list", "patch"] },
  // restartPods: WhenNeeded. An eviction honours disruption budgets.
  { apiGroups: [""], resources: ["pods/eviction"], verbs: ["create"] },
  // The record and its journal.
  {
    apiGroups: ["outgrow.dev"],
    resources: ["volumeexpansions"],
    verbs: ["get", "list", "watch", "create", "patch", "delete"],
  },
  { apiGroups: ["outgrow.dev"], resources: ["volumeexpansions/status"], verbs: ["patch"] },
  // Where kinds of custom resources write their sizes. Each such kind has a role of its own.
  { apiGroups: ["outgrow.dev"], resources: ["expansionsources"], verbs: ["get", "list", "watch"] },
  { apiGroups: ["outgrow.dev"], resources: ["expansionsources/status"], verbs: ["patch"] },
  // What stands against growing, looked at before anything is started.
  { apiGroups: ["storage.k8s.io"], resources: ["storageclasses"], verbs: ["list", "watch"] },
  { apiGroups: [""], resources: ["resourcequotas", "limitranges"], verbs: ["list", "watch"] },
  // A set is not created again in a namespace that goes away.
  { apiGroups: [""], resources: ["namespaces"], verbs: ["get"] },
  { apiGroups: [""], resources: ["events"], verbs: ["create", "patch"] },
];

/** In its own namespace: a Role. One of several replicas works. */
export const LEADER_RULES: readonly PolicyRule[] = [
  { apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: ["get", "watch", "create", "update"] },
];
