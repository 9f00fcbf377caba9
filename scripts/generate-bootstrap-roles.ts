/**
 * Writes src/cluster/api/auth/generated/bootstrap-roles.json: the roles and bindings that a cluster has from the start, as
 * far as somebody here is meant by them. To run when the Kubernetes of test/kube changes:
 *
 *     node scripts/generate-bootstrap-roles.ts [FILE]
 *
 * The source is a real kube-apiserver, started for this and gone afterwards.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startControlPlane } from "../test/kube/control-plane.ts";

/** For people and programs; there are no nodes, schedulers, certificates or proxies of their own here. */
const KEPT: ReadonlySet<string> = new Set([
  "cluster-admin",
  "admin",
  "edit",
  "view",
  "system:aggregate-to-admin",
  "system:aggregate-to-edit",
  "system:aggregate-to-view",
  "system:auth-delegator",
  "system:basic-user",
  "system:discovery",
  "system:kube-controller-manager",
  "system:monitoring",
  "system:persistent-volume-provisioner",
  "system:public-info-viewer",
  "system:service-account-issuer-discovery",
  "extension-apiserver-authentication-reader",
  "system::extension-apiserver-authentication-reader",
  "system::leader-locking-kube-controller-manager",
]);

/** Of kube-controller-manager's controllers: it can be run against the embedded server, each of them under a role of its own. */
const CONTROLLER = /^system:controller:/;

interface Stored {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: object;
    readonly annotations?: object;
  };
  readonly [field: string]: unknown;
}

function printed({ metadata: { name, namespace, labels, annotations }, ...rest }: Stored): string {
  return JSON.stringify({ metadata: { name, namespace, labels, annotations }, ...rest });
}

const target = process.argv[2] ?? join(import.meta.dirname, "../src/cluster/api/auth/generated/bootstrap-roles.json");
const plane = await startControlPlane({ controllers: [] });
try {
  const lists: string[] = [];
  for (const kind of ["ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding"]) {
    const path = `/apis/rbac.authorization.k8s.io/v1/${kind.toLowerCase()}s`;
    const { items } = await plane.api.get<{ items: readonly Stored[] }>(path);
    const kept = items.filter(({ metadata }) => KEPT.has(metadata.name) || CONTROLLER.test(metadata.name));
    lists.push(`${JSON.stringify(kind)}:[\n${kept.map(printed).join(",\n")}\n]`);
  }
  // One line per object, so that a change of Kubernetes shows as a difference that can be read.
  await writeFile(target, `{${lists.join(",")}}\n`);
} finally {
  await plane.stop();
}
