import type { Preset } from "./preset.ts";

export const MOCO: Preset = {
  name: "moco",
  operator: "MOCO",
  version: "v0.36.0",
  verifiedIn: [
    "https://github.com/cybozu-go/moco: api/v1beta2/mysqlcluster_types.go, controllers/pvc.go, pkg/constants/meta.go",
    "https://github.com/cybozu-go/moco: docs/change-pvc-template.md, docs/designdoc/clustering_stop.md",
  ],
  itself:
    "Asks its claims for more and creates the StatefulSet again, as long as every pod is ready. While one is not, it changes the template alone, and claims stay small. It reports no condition.",
  ours: "Grows claims whatever state the pods are in, and reports VolumeResized. The operator creates the set again; after a minute without it, we do.",
  pausing: 'The annotation moco.cybozu.com/reconciliation-stopped: "true" stops the operator, and us.',
  limits: [],
  spec: {
    resource: { group: "moco.cybozu.com", version: "v1beta2", kind: "MySQLCluster", plural: "mysqlclusters" },
    claimTemplatesPath: ".spec.volumeClaimTemplates",
    statefulSetName: "moco-{name}",
    condition: "VolumeResized",
    paused: { path: '.metadata.annotations["moco.cybozu.com/reconciliation-stopped"]', equals: "true" },
    recreatedBy: "Operator",
  },
};
