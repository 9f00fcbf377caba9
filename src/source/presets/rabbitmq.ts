import type { Preset } from "./preset.ts";

export const RABBITMQ: Preset = {
  name: "rabbitmq",
  operator: "RabbitMQ Cluster Operator",
  version: "v2.22.3",
  verifiedIn: [
    "https://github.com/rabbitmq/cluster-operator: api/v1beta1/rabbitmqcluster_types.go, internal/resource/statefulset.go, internal/scaling/scaling.go, internal/controller/rabbitmqcluster_controller.go",
  ],
  itself:
    "Deletes the StatefulSet with orphaning, asks the claims of all replicas for more, and creates it again. It does not look at the class first: where that does not allow expansion, the set stays away until the size is taken back.",
  ours: "Watches: the operator deletes the set as soon as it sees the size. Ask outgrow plan first, which looks at class and quota. It writes its conditions anew each time, so none is reported there.",
  pausing: 'The label rabbitmq.com/pauseReconciliation: "true" stops the operator.',
  limits: ["A size in spec.override.statefulSet, which wins over this one, is not seen."],
  spec: {
    resource: { group: "rabbitmq.com", version: "v1beta1", kind: "RabbitmqCluster", plural: "rabbitmqclusters" },
    claims: [{ template: "persistence", path: ".spec.persistence.storage" }],
    statefulSetName: "{name}-server",
    paused: { path: '.metadata.labels["rabbitmq.com/pauseReconciliation"]', equals: "true" },
    grownBy: "Operator",
  },
};
