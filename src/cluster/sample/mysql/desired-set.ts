/** The StatefulSet behind a MySQLCluster, as MOCO makes it. */
import type { ClaimTemplate, OwnerReference, StatefulSet } from "../../../core/types.ts";
import { apiVersionOf } from "../../../kube/index.ts";
import { MYSQL_CLUSTERS, type MySQLCluster } from "./resource.ts";

/** The set's name; the cluster's is the rest of it. */
export const setNameOf = (cluster: string): string => `moco-${cluster}`;

/**
 * Everything that the operator says about the set, to be applied. A set that is there keeps the claim templates that it has:
 * no API server of today takes others, and only one that is created gets the sizes of the cluster.
 */
export function desiredSet(cluster: MySQLCluster, live: StatefulSet | undefined): StatefulSet {
  const { name, namespace } = cluster.metadata;
  const labels = {
    "app.kubernetes.io/name": "mysql",
    "app.kubernetes.io/instance": name,
    "app.kubernetes.io/created-by": "moco",
  };
  const templates = cluster.spec.volumeClaimTemplates;
  const volumeMounts = templates.map(({ metadata }) => ({
    name: metadata.name,
    mountPath: `/var/lib/${metadata.name}`,
  }));
  const owner = ownerOf(cluster);
  return {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: {
      name: setNameOf(name),
      ...(namespace === undefined ? {} : { namespace }),
      labels,
      ownerReferences: [owner],
    },
    spec: {
      serviceName: setNameOf(name),
      replicas: cluster.spec.offline === true ? 0 : (cluster.spec.replicas ?? 1),
      podManagementPolicy: "Parallel",
      updateStrategy: { type: "RollingUpdate" },
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: "mysqld", image: "mysql", volumeMounts }] },
      },
      volumeClaimTemplates: live?.spec.volumeClaimTemplates ?? templates.map((each) => ownedTemplate(each, owner)),
    },
  };
}

/** The data goes with the cluster: its claims, too, are owned by it. */
function ownedTemplate(template: ClaimTemplate, owner: OwnerReference): ClaimTemplate {
  const metadata = { ...template.metadata, ownerReferences: [owner] };
  return { ...template, metadata, spec: { accessModes: ["ReadWriteOnce"], ...template.spec } };
}

function ownerOf({ metadata }: MySQLCluster): OwnerReference {
  return {
    apiVersion: apiVersionOf(MYSQL_CLUSTERS),
    kind: MYSQL_CLUSTERS.kind,
    name: metadata.name,
    uid: metadata.uid ?? "",
    controller: true,
    blockOwnerDeletion: true,
  };
}
