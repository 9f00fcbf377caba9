/** The objects of a source in a cluster: written, and taken away again. */
import type { KubeObject } from "../../core/types.ts";
import { defineResource, ifThere, type KubeClient, type Resource } from "../../kube/index.ts";
import { SOURCE_LABEL } from "../../source/install/policies.ts";
import { EXPANSION_SOURCES } from "../../source/resource.ts";
import type { Manifest } from "../manifests/part.ts";

const RBAC = "rbac.authorization.k8s.io/v1";
const ADMISSION = "admissionregistration.k8s.io/v1";

/** What a source is made of, in the order in which it is taken away: first nothing is asked for any more. */
const RESOURCES: readonly Resource[] = [
  EXPANSION_SOURCES,
  defineResource(ADMISSION, "ValidatingAdmissionPolicyBinding", "validatingadmissionpolicybindings", "Cluster"),
  defineResource(ADMISSION, "ValidatingAdmissionPolicy", "validatingadmissionpolicies", "Cluster"),
  defineResource(RBAC, "RoleBinding", "rolebindings"),
  defineResource(RBAC, "ClusterRoleBinding", "clusterrolebindings", "Cluster"),
  defineResource(RBAC, "ClusterRole", "clusterroles", "Cluster"),
];

/** The field manager of what this verb writes. */
const MANAGER = "outgrow-cli";

/** Applies one object by server-side apply, and tells what that came to, as kubectl does. Rejects with a `KubeError`. */
export async function applyObject(client: KubeClient, object: Manifest): Promise<string> {
  const resource = RESOURCES.find(({ kind }) => kind === object.kind);
  if (resource === undefined) throw new Error(`no source has a ${object.kind}`);
  const ref = { name: object.metadata.name, namespace: object.metadata.namespace };
  const before = await ifThere(client.get(resource, ref));
  const body: KubeObject = { ...object };
  const after = await client.patch(resource, ref, { type: "apply", body }, { fieldManager: MANAGER });
  const done = before?.metadata.resourceVersion === after.metadata.resourceVersion ? "unchanged" : "configured";
  return `${nameOf(resource, object)} ${before === undefined ? "created" : done}`;
}

/** Everything of a source that the cluster has. */
export async function objectsOfSource(client: KubeClient, source: string): Promise<readonly Found[]> {
  const lists = await Promise.all(
    RESOURCES.map(async (resource) => {
      if (resource === EXPANSION_SOURCES) {
        const object = await ifThere(client.get(resource, { name: source }));
        return object === undefined ? [] : [{ resource, object }];
      }
      const objects = await ifThere(client.listAll(resource, { labelSelector: `${SOURCE_LABEL}=${source}` }));
      return (objects ?? []).map((object) => ({ resource, object }));
    }),
  );
  return lists.flat();
}

export interface Found {
  readonly resource: Resource;
  readonly object: KubeObject;
}

/** Deletes this very object, and tells it as kubectl does. One that is gone meanwhile is as good as deleted. */
export async function deleteObject(client: KubeClient, { resource, object }: Found): Promise<string> {
  const { name, namespace, uid } = object.metadata;
  await ifThere(client.delete(resource, { name, namespace }, uid === undefined ? {} : { preconditions: { uid } }));
  return `${nameOf(resource, object)} deleted`;
}

/** As kubectl names it: `clusterrole.rbac.authorization.k8s.io/outgrow-source-moco`. */
export function nameOf({ kind, group }: Resource, { metadata }: KubeObject): string {
  return `${kind.toLowerCase()}.${group}/${metadata.name}`;
}
