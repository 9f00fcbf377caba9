import type { NamedClaim } from "../types.ts";
import type { Preset } from "./preset.ts";

/** The size has a field of its own, which wins over the template of the claim. */
function storage(template: string, path: string, labels: Record<string, string>): NamedClaim[] {
  const claimSelector = { matchLabels: { "cnpg.io/cluster": "{name}", ...labels } };
  return [
    { template, path: `${path}.size`, claimSelector },
    { template, path: `${path}.pvcTemplate.resources.requests.storage`, claimSelector },
  ];
}

export const CLOUDNATIVE_PG: Preset = {
  name: "cloudnative-pg",
  operator: "CloudNativePG",
  version: "v1.30.0",
  verifiedIn: [
    "https://github.com/cloudnative-pg/cloudnative-pg: api/v1/cluster_types.go, pkg/reconciler/persistentvolumeclaim, pkg/utils/labels_annotations.go, internal/controller/cluster_controller.go",
    "https://github.com/cloudnative-pg/cloudnative-pg: docs/src/storage.md; issues 9301, 11341, 11512",
  ],
  itself:
    "Has no StatefulSet and asks each claim for more, unless resizeInUseVolumes is false. It does not get there while an instance has no disk space left, or while no instance that is ready answers.",
  ours: "Grows the claims, found by label, also when the disk is full: then the operator goes on by itself. It never lowers a claim, so the two do not get in each other's way.",
  pausing:
    "spec.storage.resizeInUseVolumes: false keeps the operator's hands off claims, and ours. The annotation cnpg.io/reconciliationLoop: disabled stops the operator only.",
  limits: [],
  spec: {
    resource: { group: "postgresql.cnpg.io", version: "v1", kind: "Cluster", plural: "clusters" },
    claims: [
      ...storage("data", ".spec.storage", { "cnpg.io/pvcRole": "PG_DATA" }),
      ...storage("wal", ".spec.walStorage", { "cnpg.io/pvcRole": "PG_WAL" }),
      ...storage("tablespace-{item.name}", ".spec.tablespaces[*].storage", {
        "cnpg.io/pvcRole": "PG_TABLESPACE",
        "cnpg.io/tablespaceName": "{item.name}",
      }),
    ],
    condition: "VolumeResized",
    paused: { path: ".spec.storage.resizeInUseVolumes", equals: "false" },
  },
};
