/** What a cluster has that tells of us: everything that `outgrow uninstall` goes by. */
import { WISH_ANNOTATION } from "../../core/names.ts";
import { defineResource, isNotFound, type KubeClient, STATEFUL_SETS } from "../../kube/index.ts";
import { VOLUME_EXPANSIONS } from "../../statefulset/index.ts";
import { NAME } from "../manifests/part.ts";
import { type Finding, inFlight } from "./in-flight.ts";
import { type InstalledBinding, removalCommands } from "./removal.ts";

/** The answer of `outgrow uninstall --check`, as `-o json` has it. */
export interface Report {
  readonly inFlight: readonly Finding[];
  /** To be typed once nothing is in flight. */
  readonly commands: readonly string[];
}

const CLUSTER_ROLE_BINDINGS = defineResource<InstalledBinding>(
  "rbac.authorization.k8s.io/v1",
  "ClusterRoleBinding",
  "clusterrolebindings",
  "Cluster",
);

/** Looks at all namespaces: Outgrow goes from all of them at once. Writes nothing. */
export async function checkCluster(client: KubeClient, signal?: AbortSignal): Promise<Report> {
  const [{ gitVersion: version }, definition, binding, sets] = await Promise.all([
    client.version(signal),
    client.serves(VOLUME_EXPANSIONS, signal),
    findBinding(client, signal),
    client.listAll(STATEFUL_SETS, {}, signal),
  ]);
  const records = definition ? await client.listAll(VOLUME_EXPANSIONS, {}, signal) : [];
  const wishes = sets.filter(({ metadata }) => metadata.annotations?.[WISH_ANNOTATION] !== undefined).length;
  return { inFlight: inFlight(sets, records), commands: removalCommands({ binding, definition, wishes, version }) };
}

async function findBinding(client: KubeClient, signal?: AbortSignal): Promise<InstalledBinding | undefined> {
  try {
    return await client.get(CLUSTER_ROLE_BINDINGS, { name: NAME }, {}, signal);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
