/** What a cluster has from the start. */
import type { Json, JsonObject } from "../json.ts";
import type { Kind } from "../kinds/kind.ts";
import data from "./generated/bootstrap-roles.json" with { type: "json" };
import {
  CLUSTER_ROLE,
  CLUSTER_ROLE_BINDING,
  NAMESPACE,
  PRIORITY_CLASS,
  ROLE,
  ROLE_BINDING,
  SERVICE,
} from "./stored-kinds.ts";

export interface Expected {
  readonly kind: Kind;
  /** As a client would send it. */
  readonly object: JsonObject;
  /** What a server adds to it, field by field: nobody owns that. */
  readonly added?: Readonly<Record<string, JsonObject>>;
}

export const NAMESPACES = ["kube-system", "kube-public", "kube-node-lease", "default"] as const;

/** Where the Service `kubernetes` is reached, by those who are told of it. */
export const SERVICE_ADDRESS = "10.96.0.1";

export function expectedNamespaces(): Expected[] {
  return NAMESPACES.map((name) => ({
    kind: NAMESPACE,
    object: { metadata: { name, labels: { "kubernetes.io/metadata.name": name } } },
    added: { spec: { finalizers: ["kubernetes"] }, status: { phase: "Active" } },
  }));
}

/** For pods that a cluster cannot be without. */
export function expectedPriorityClasses(): Expected[] {
  const preemptionPolicy = "PreemptLowerPriority";
  const of = (name: string, value: number, description: string): Expected => ({
    kind: PRIORITY_CLASS,
    object: { metadata: { name, generation: 1 }, value, description, preemptionPolicy },
  });
  return [
    of(
      "system-node-critical",
      2_000_001_000,
      "Used for system critical pods that must not be moved from their current node.",
    ),
    of(
      "system-cluster-critical",
      2_000_000_000,
      "Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.",
    ),
  ];
}

/** The way from inside a cluster to its API server. `port` is the one that this server listens on. */
export function expectedService(port: number): Expected {
  return {
    kind: SERVICE,
    object: {
      metadata: {
        name: "kubernetes",
        namespace: "default",
        labels: { component: "apiserver", provider: "kubernetes" },
      },
      spec: {
        ports: servicePorts(port),
        clusterIP: SERVICE_ADDRESS,
        type: "ClusterIP",
        sessionAffinity: "None",
        ipFamilyPolicy: "SingleStack",
        internalTrafficPolicy: "Cluster",
      },
    },
    added: { spec: { clusterIPs: [SERVICE_ADDRESS], ipFamilies: ["IPv4"] }, status: { loadBalancer: {} } },
  };
}

export function servicePorts(port: number): Json {
  return [{ name: "https", protocol: "TCP", port: 443, targetPort: port }];
}

/** Roles and bindings as a real server makes them; scripts/generate-bootstrap-roles.ts writes the data. */
export function expectedRoles(): { readonly roles: readonly Expected[]; readonly bindings: readonly Expected[] } {
  const of = (kind: Kind, objects: readonly object[]): Expected[] =>
    objects.map((object) => ({ kind, object: object as JsonObject }));
  return {
    roles: [...of(CLUSTER_ROLE, data.ClusterRole), ...of(ROLE, data.Role)],
    bindings: [...of(CLUSTER_ROLE_BINDING, data.ClusterRoleBinding), ...of(ROLE_BINDING, data.RoleBinding)],
  };
}
