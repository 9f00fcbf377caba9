/** Who the controller is and what it may do; and what the people of a namespace may do with its records. */
import { CONTROLLER_RULES, LEADER_RULES } from "../../statefulset/install/role.ts";
import type { InstallOptions } from "./options.ts";
import { type Explained, type Manifest, NAME, named } from "./part.ts";

const RBAC = "rbac.authorization.k8s.io";
const API_VERSION = `${RBAC}/v1`;

export function controllerAccess({ namespace }: InstallOptions): readonly Explained[] {
  return [
    {
      why: "The controller is this account. Only its own pods get a token for it.",
      object: {
        apiVersion: "v1",
        kind: "ServiceAccount",
        metadata: named(NAME, namespace),
        automountServiceAccountToken: false,
      },
    },
    {
      why: "What growing takes, in every namespace, and no verb more.",
      object: { apiVersion: API_VERSION, kind: "ClusterRole", metadata: named(NAME), rules: CONTROLLER_RULES },
    },
    { why: "The account has it everywhere.", object: binding("ClusterRole", NAME, namespace) },
    {
      why: "The lease: of several replicas one works.",
      object: { apiVersion: API_VERSION, kind: "Role", metadata: named(NAME, namespace), rules: LEADER_RULES },
    },
    { why: "The account has it in its own namespace.", object: binding("Role", NAME, namespace) },
  ];
}

/** Binds a role to the controller's account: a Role where it is, a ClusterRole everywhere. */
export function binding(kind: "ClusterRole" | "Role", role: string, namespace: string): Manifest {
  return {
    apiVersion: API_VERSION,
    kind: `${kind}Binding`,
    metadata: named(role, kind === "Role" ? namespace : undefined),
    subjects: [{ kind: "ServiceAccount", name: NAME, namespace }],
    roleRef: { apiGroup: RBAC, kind, name: role },
  };
}

/**
 * Rights that join the roles `view`, `edit` and `admin` which every cluster has. Nobody gets the status: the controller
 * creates sets from what it has saved there.
 */
export function peoplesAccess(): readonly Explained[] {
  const rights = (verbs: readonly string[]) => [{ apiGroups: ["outgrow.dev"], resources: ["volumeexpansions"], verbs }];
  return [
    {
      why: "Who may view a namespace may see what grows in it.",
      object: aggregated("view", rights(["get", "list", "watch"])),
    },
    {
      why: "Who may edit a namespace may say how it grows.",
      object: aggregated("edit", rights(["create", "update", "patch", "delete", "deletecollection"])),
    },
  ];
}

function aggregated(role: "view" | "edit", rules: readonly object[]): Manifest {
  const metadata = named(`outgrow-${role}`);
  return {
    apiVersion: API_VERSION,
    kind: "ClusterRole",
    metadata: { ...metadata, labels: { ...metadata.labels, [`${RBAC}/aggregate-to-${role}`]: "true" } },
    rules,
  };
}
