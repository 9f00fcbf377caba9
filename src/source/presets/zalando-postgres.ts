import type { Preset } from "./preset.ts";

export const ZALANDO_POSTGRES: Preset = {
  name: "zalando-postgres",
  operator: "Postgres Operator by Zalando",
  version: "v2.0.1",
  verifiedIn: [
    "https://github.com/zalando/postgres-operator: pkg/apis/acid.zalan.do/v1/postgresql_type.go, pkg/cluster/volumes.go, pkg/cluster/k8sres.go, pkg/cluster/resources.go",
    "https://github.com/zalando/postgres-operator: docs/user.md, docs/reference/operator_parameters.md (storage_resize_mode)",
  ],
  itself:
    "Asks each claim for more (storage_resize_mode pvc, the default), and replaces the StatefulSet without its pods when the template differs. It does not look at the class.",
  ours: "Watches: it does that well. Its status has no conditions, so none is reported there.",
  pausing: "There is no way to pause it.",
  limits: [
    "With storage_resize_mode off, nobody grows claims; set grownBy: Outgrow and recreatedBy: Operator then.",
    "With storage_resize_mode ebs, volumes grow without their claims.",
  ],
  spec: {
    resource: { group: "acid.zalan.do", version: "v1", kind: "postgresql", plural: "postgresqls" },
    claims: [{ template: "pgdata", path: ".spec.volume.size" }],
    statefulSetName: "{name}",
    grownBy: "Operator",
  },
};
