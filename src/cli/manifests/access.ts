/** Who the controller is and what it may do; and what the people of a namespace may do with its records. */
import { CONTROLLER_RULES, LEADER_RULES } from "../../statefulset/index.ts";
import type { InstallOptions } from "./options.ts";
import { type Explained, type Manifest, NAME, named } from "./part.ts";

const RBAC = "rbac.authorization.k8s.io";
const API_VERSION = `${RBAC}/v1`;

/** Of the kinds that the controller looks at, those that are in no namespace. */
const CLUSTER_WIDE: ReadonlySet<string> = new Set(["storageclasses", "expansionsources", "expansionsources/status"]);

export function controllerAccess({ namespace, watched }: InstallOptions): readonly Explained[] {
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
    { why: "What growing takes, and no verb more.", object: role("ClusterRole", NAME, CONTROLLER_RULES) },
    ...(watched.length === 0
      ? [{ why: "In every namespace.", object: binding("ClusterRole", NAME, namespace) }]
      : accessWithin(namespace, watched)),
    { why: "The lease: of several replicas one works.", object: role("Role", NAME, LEADER_RULES, namespace) },
    { why: "In its own namespace.", object: binding("Role", NAME, namespace) },
  ];
}

function accessWithin(namespace: string, watched: readonly string[]): readonly Explained[] {
  const [beyond, growth] = [`${NAME}-cluster`, `${NAME}-growth`];
  const rules = CONTROLLER_RULES.filter(({ resources }) => resources.some((resource) => CLUSTER_WIDE.has(resource)));
  return [
    { why: "What is in no namespace, it sees all the same.", object: role("ClusterRole", beyond, rules) },
    { why: "In the whole cluster.", object: binding("ClusterRole", beyond, namespace) },
    ...watched.map((each) => ({
      why: "In this namespace.",
      object: {
        ...binding("ClusterRole", NAME, namespace),
        kind: "RoleBinding",
        metadata: named(growth, each),
      },
    })),
  ];
}

/** Without a namespace for a ClusterRole. */
export function role(
  kind: "ClusterRole" | "Role",
  name: string,
  rules: readonly object[],
  namespace?: string,
): Manifest {
  return { apiVersion: API_VERSION, kind, metadata: named(name, namespace), rules };
}

/** Binds a role to the controller's account: a Role where it is, a ClusterRole everywhere. */
export function binding(kind: "ClusterRole" | "Role", name: string, namespace: string): Manifest {
  return {
    apiVersion: API_VERSION,
    kind: `${kind}Binding`,
    metadata: named(name, kind === "Role" ? namespace : undefined),
    subjects: [{ kind: "ServiceAccount", name: NAME, namespace }],
    roleRef: { apiGroup: RBAC, kind, name },
  };
}

/**
 * Rights that join the roles `view`, `edit` and `admin` which every cluster has. Nobody gets the status: the controller
 * creates sets from what it has saved there.
 */
export function peoplesAccess(): readonly Explained[] {
  return [
    {
      why: "Who may view a namespace may see what grows in it, and who may view the cluster the sources as well.",
      object: joining("view", ["volumeexpansions", "expansionsources"], ["get", "list", "watch"]),
    },
    {
      why: "Who may edit a namespace may say how it grows.",
      object: joining("edit", ["volumeexpansions"], ["create", "update", "patch", "delete", "deletecollection"]),
    },
  ];
}

function joining(whose: "view" | "edit", resources: readonly string[], verbs: readonly string[]): Manifest {
  const rules = [{ apiGroups: ["outgrow.dev"], resources, verbs }];
  const object = role("ClusterRole", `outgrow-${whose}`, rules);
  const labels = { ...object.metadata.labels, [`${RBAC}/aggregate-to-${whose}`]: "true" };
  return { ...object, metadata: { ...object.metadata, labels } };
}
