import type { Preset } from "./preset.ts";

const SIZE = "volumeSpec.persistentVolumeClaim.resources.requests.storage";

export const PERCONA_XTRADB: Preset = {
  name: "percona-xtradb",
  operator: "Percona Operator for MySQL based on Percona XtraDB Cluster",
  version: "v1.19.0",
  verifiedIn: [
    "https://github.com/percona/percona-xtradb-cluster-operator: deploy/crd.yaml, deploy/cr.yaml, pkg/pxc/app/statefulset/node.go and proxysql.go, pkg/controller/pxc/volumes.go and upgrade.go",
  ],
  itself:
    "Nothing, unless spec.enableVolumeExpansion is true; then it grows the volumes of pxc (not those of proxysql), waits for all of them, creates the StatefulSet again, and puts the old size back into the resource when one fails.",
  ours: "Grows pxc and proxysql where enableVolumeExpansion is not set. The operator creates the set again; after a minute without it, we do. Its conditions are a history of its states, so none is reported there.",
  pausing: "With spec.enableVolumeExpansion: true the operator grows volumes itself, and we keep our hands off.",
  limits: [
    "The operator rounds sizes up to whole Gi and takes a size back that is below what a claim has; write whole Gi, as 20Gi.",
  ],
  spec: {
    resource: {
      group: "pxc.percona.com",
      version: "v1",
      kind: "PerconaXtraDBCluster",
      plural: "perconaxtradbclusters",
    },
    claims: [
      { template: "datadir", path: `.spec.pxc.${SIZE}`, statefulSetName: "{name}-pxc" },
      { template: "proxydata", path: `.spec.proxysql.${SIZE}`, statefulSetName: "{name}-proxysql" },
    ],
    paused: { path: ".spec.enableVolumeExpansion", equals: "true" },
    recreatedBy: "Operator",
  },
};
