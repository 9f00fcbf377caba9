/** The rows of the table of kinds that this folder reads and writes. */
import { BUILT_IN } from "../kinds/built-in.ts";
import type { Kind } from "../kinds/kind.ts";

export const NAMESPACE = row("", "Namespace");
export const NODE = row("", "Node");
export const POD = row("", "Pod");
export const SECRET = row("", "Secret");
export const SERVICE = row("", "Service");
export const SERVICE_ACCOUNT = row("", "ServiceAccount");

export const PRIORITY_CLASS = row("scheduling.k8s.io", "PriorityClass");
export const CLUSTER_ROLE = row("rbac.authorization.k8s.io", "ClusterRole");
export const ROLE = row("rbac.authorization.k8s.io", "Role");
export const CLUSTER_ROLE_BINDING = row("rbac.authorization.k8s.io", "ClusterRoleBinding");
export const ROLE_BINDING = row("rbac.authorization.k8s.io", "RoleBinding");

function row(group: string, name: string): Kind {
  const found = BUILT_IN.find((each) => each.group === group && each.kind === name);
  if (found === undefined) throw new Error(`no kind is called ${name} in ${JSON.stringify(group)}`);
  return found;
}
