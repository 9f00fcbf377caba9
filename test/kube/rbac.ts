/** Being exactly who a manifest lets a program be. */
import { parseAllDocuments } from "yaml";
import type { ClusterAccess } from "./control-plane.ts";
import type { User } from "./credentials.ts";
import { createNamespace } from "./fixtures.ts";

export interface ServiceAccountUser {
  readonly namespace: string;
  /** Name of the ServiceAccount. */
  readonly account: string;
  /** YAML, applied as it is. Objects that name no namespace go to the one above. */
  readonly manifest: string;
}

interface RbacObject {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly roleRef?: { readonly kind: string; readonly name: string };
}

/**
 * A user that is a ServiceAccount with the rights of a manifest, and no others. The namespace and the account are
 * created unless they are there. A Role or ClusterRole that the manifest does not bind itself is bound to the account.
 */
export async function userFor(
  plane: ClusterAccess,
  { namespace, account, manifest }: ServiceAccountUser,
): Promise<User> {
  await createNamespace(plane, namespace);
  // Through a kubeconfig and not `--namespace`, which would refuse objects that name another one.
  const inNamespace = await plane.addUser(`${plane.admin.name}-${namespace}`, plane.admin.token, namespace);
  const apply = (input: string) => plane.kubectl(["apply", "-f", "-"], { input, kubeconfig: inNamespace.kubeconfig });
  await apply(JSON.stringify({ apiVersion: "v1", kind: "ServiceAccount", metadata: { name: account } }));
  await apply(manifest);
  for (const binding of missingBindings(manifest, namespace, account)) await apply(JSON.stringify(binding));

  const { status } = await plane.api.create<{ status: { token: string } }>(
    `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`,
    { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { expirationSeconds: 24 * 3600 } },
  );
  return plane.addUser(`system:serviceaccount:${namespace}:${account}`, status.token, namespace);
}

function missingBindings(manifest: string, namespace: string, account: string): object[] {
  const objects = parseAllDocuments(manifest).map((document) => document.toJS() as RbacObject | null);
  const bound = new Set(objects.map((object) => `${object?.roleRef?.kind}/${object?.roleRef?.name}`));
  return objects
    .filter((object) => object !== null)
    .filter(({ kind, metadata }) => /^(Cluster)?Role$/.test(kind) && !bound.has(`${kind}/${metadata.name}`))
    .map(({ kind, metadata }) => ({
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: `${kind}Binding`,
      metadata: { name: `${metadata.name}-${account}`, namespace: metadata.namespace },
      subjects: [{ kind: "ServiceAccount", namespace, name: account }],
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind, name: metadata.name },
    }));
}
