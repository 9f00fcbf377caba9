/** What a cluster has of Outgrow, as far as a source goes by it. */
import { defineResource, type KubeClient } from "../../kube/index.ts";
import { EXPANSION_SOURCES } from "../../source/resource.ts";
import { type Admission, admissionFor, DEFAULTS } from "../manifests/options.ts";
import { LABELS, NAME } from "../manifests/part.ts";
import type { InstalledDeployment } from "../uninstall/removal.ts";

export interface Installed {
  /** Whether the controller's Deployment is there. */
  readonly controller: boolean;
  /** Where the controller runs; where it would by default, when it is not there. */
  readonly namespace: string;
  /** The namespaces that it was told; none: all. */
  readonly watched: readonly string[];
  readonly admission: Admission;
}

const DEPLOYMENTS = defineResource<InstalledDeployment>("apps/v1", "Deployment", "deployments");
const POLICIES = defineResource(
  "admissionregistration.k8s.io/v1",
  "ValidatingAdmissionPolicy",
  "validatingadmissionpolicies",
  "Cluster",
);
const OURS = Object.entries(LABELS)
  .map(([name, value]) => `${name}=${value}`)
  .join(",");

/** Undefined when the cluster does not know what an ExpansionSource is. */
export async function findInstalled(client: KubeClient): Promise<Installed | undefined> {
  if (!(await client.serves(EXPANSION_SOURCES))) return undefined;
  const [{ gitVersion }, policies, [deployment]] = await Promise.all([
    client.version(),
    client.serves(POLICIES),
    client.listAll(DEPLOYMENTS, { labelSelector: OURS, fieldSelector: `metadata.name=${NAME}` }),
  ]);
  const args = deployment?.spec?.template?.spec?.containers?.flatMap((container) => container.args ?? []) ?? [];
  return {
    controller: deployment !== undefined,
    namespace: deployment?.metadata.namespace ?? DEFAULTS.namespace,
    watched: args.flatMap((word) => (word.startsWith("--namespace=") ? [word.slice("--namespace=".length)] : [])),
    admission: policies && admissionFor(gitVersion) === "policies" ? "policies" : "none",
  };
}
