/** Being exactly who a manifest lets a program be. */
import { parseAllDocuments } from "yaml";
import type { ClusterAccess } from "./control-plane.ts";
import type { User } from "./credentials.ts";
import { createNamespace } from "./fixtures.ts";
import { waitFor } from "./wait.ts";

export interface ServiceAccountUser {
  readonly namespace: string;
  /** Name of the ServiceAccount. */
  readonly account: string;
  /** YAML, applied as it is. Objects that name no namespace go to the one above. */
  readonly manifest: string;
}

export interface RbacObject {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly roleRef?: { readonly kind: string; readonly name: string };
  readonly rules?: readonly Rule[];
}

interface Rule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/**
 * A user that is a ServiceAccount with the rights of a manifest, and no others. The namespace and the account are
 * created unless they are there. A Role or ClusterRole that the manifest does not bind itself is bound to the account.
 * Resolves when the API server lets it do what the manifest says: it hears of roles a moment after they are written.
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
  const objects = objectsOf(manifest);
  for (const binding of missingBindings(objects, namespace, account)) await apply(JSON.stringify(binding));
  const name = `system:serviceaccount:${namespace}:${account}`;
  for (const object of objects) await untilGranted(plane, name, object, namespace);

  const { status } = await plane.api.create<{ status: { token: string } }>(
    `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`,
    { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { expirationSeconds: 24 * 3600 } },
  );
  return plane.addUser(name, status.token, namespace);
}

function objectsOf(manifest: string): readonly RbacObject[] {
  return parseAllDocuments(manifest)
    .map((document) => document.toJS() as RbacObject | null)
    .filter((object) => object !== null);
}

/** Waits until the user may do what each rule of a role is about, where a role that names no namespace is in `home`. Of other objects it knows nothing. */
export async function untilGranted(
  plane: Pick<ClusterAccess, "api">,
  user: string,
  role: RbacObject,
  home: string,
): Promise<void> {
  const { kind, metadata, rules = [] } = role;
  if (!/^(Cluster)?Role$/.test(kind)) return;
  const namespace = kind === "Role" ? (metadata.namespace ?? home) : "";
  for (const { apiGroups: [group = ""] = [], resources: [what] = [], resourceNames: [name] = [], verbs } of rules) {
    if (what === undefined) continue;
    const [resource, subresource] = what.split("/");
    const resourceAttributes = { namespace, group, resource, subresource, name, verb: verbs[0] };
    const review = { spec: { user, resourceAttributes } };
    await waitFor(
      `${user} to be let ${verbs[0]} ${what}`,
      async () => {
        const path = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
        return (await plane.api.create<{ status: { allowed: boolean } }>(path, review)).status.allowed;
      },
      { timeoutMs: 60_000 },
    );
  }
}

function missingBindings(objects: readonly RbacObject[], namespace: string, account: string): object[] {
  const bound = new Set(objects.map(({ roleRef }) => `${roleRef?.kind}/${roleRef?.name}`));
  return objects
    .filter(({ kind, metadata }) => /^(Cluster)?Role$/.test(kind) && !bound.has(`${kind}/${metadata.name}`))
    .map(({ kind, metadata }) => ({
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: `${kind}Binding`,
      metadata: { name: `${metadata.name}-${account}`, namespace: metadata.namespace },
      subjects: [{ kind: "ServiceAccount", namespace, name: account }],
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind, name: metadata.name },
    }));
}
