import type { Preset } from "./preset.ts";

export const STRIMZI: Preset = {
  name: "strimzi",
  operator: "Strimzi",
  version: "1.2.0",
  verifiedIn: [
    "https://github.com/strimzi/strimzi-kafka-operator: packaging/install/cluster-operator/045-Crd-kafkanodepool.yaml",
    "https://github.com/strimzi/strimzi-kafka-operator: PvcReconciler.java, PersistentVolumeClaimUtils.java, KafkaPool.java, Labels.java of the cluster operator",
  ],
  itself:
    "Has no StatefulSet. Looks at the class, asks each claim for more, and restarts the pods of file systems that wait for it; warnings are in the conditions of the Kafka resource.",
  ours: "Watches: it does that well. It writes the conditions of its resources anew each time, so none is reported there.",
  pausing: 'The annotation strimzi.io/pause-reconciliation: "true" on the Kafka resource stops the operator.',
  limits: [
    "Storage of type jbod: its claims have no label that tells one volume from another, so they are not seen.",
    "Releases before 1.0 have this kind as v1beta2; change spec.resource.version for them.",
  ],
  spec: {
    resource: { group: "kafka.strimzi.io", version: "v1", kind: "KafkaNodePool", plural: "kafkanodepools" },
    claims: [{ template: "data", path: ".spec.storage.size" }],
    claimSelector: { matchLabels: { "strimzi.io/pool-name": "{name}" } },
    grownBy: "Operator",
  },
};
