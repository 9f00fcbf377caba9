/** The kind `MySQLCluster`, by the names of MOCO (moco.cybozu.com/v1beta2) and as small as its stand-in. */

const TEMPLATES = {
  type: "array",
  description: "The volumes of each instance, in the shape of a StatefulSet's volumeClaimTemplates.",
  minItems: 1,
  items: {
    type: "object",
    required: ["metadata", "spec"],
    properties: {
      metadata: {
        type: "object",
        required: ["name"],
        properties: {
          name: { type: "string", minLength: 1 },
          labels: { type: "object", additionalProperties: { type: "string" } },
          annotations: { type: "object", additionalProperties: { type: "string" } },
        },
      },
      // Whatever a claim's spec may have: it goes into the StatefulSet as it is, where it is looked at.
      spec: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    },
  },
} as const;

/** As Kubernetes' own type for conditions has it: several controllers write into the list, each its own types. */
const CONDITIONS = {
  type: "array",
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["type"],
  items: {
    type: "object",
    required: ["type", "status", "lastTransitionTime", "reason", "message"],
    properties: {
      type: { type: "string", maxLength: 316 },
      status: { type: "string", enum: ["True", "False", "Unknown"] },
      reason: { type: "string", minLength: 1, maxLength: 1024 },
      message: { type: "string", maxLength: 32_768 },
      lastTransitionTime: { type: "string", format: "date-time" },
      observedGeneration: { type: "integer", format: "int64", minimum: 0 },
    },
  },
} as const;

const condition = (type: string): string => `.status.conditions[?(@.type=="${type}")].status`;

/** To be applied as it is: a CustomResourceDefinition of apiextensions.k8s.io/v1. */
export const MYSQL_CLUSTER_DEFINITION = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "mysqlclusters.moco.cybozu.com" },
  spec: {
    group: "moco.cybozu.com",
    scope: "Namespaced",
    names: {
      kind: "MySQLCluster",
      listKind: "MySQLClusterList",
      plural: "mysqlclusters",
      singular: "mysqlcluster",
    },
    versions: [
      {
        name: "v1beta2",
        served: true,
        storage: true,
        subresources: { status: {} },
        additionalPrinterColumns: [
          { name: "Available", type: "string", jsonPath: condition("Available") },
          { name: "Volumes", type: "string", jsonPath: condition("VolumeResized"), description: "Have their size" },
          { name: "Size", type: "string", jsonPath: ".spec.volumeClaimTemplates[0].spec.resources.requests.storage" },
          { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
        ],
        schema: {
          openAPIV3Schema: {
            type: "object",
            description: "A cluster of MySQL servers that replicate each other.",
            required: ["spec"],
            properties: {
              apiVersion: { type: "string" },
              kind: { type: "string" },
              metadata: { type: "object" },
              spec: {
                type: "object",
                required: ["volumeClaimTemplates"],
                properties: {
                  replicas: { type: "integer", format: "int32", minimum: 1, default: 1 },
                  offline: { type: "boolean", description: "No instance runs while this is so." },
                  volumeClaimTemplates: TEMPLATES,
                },
              },
              status: { type: "object", properties: { conditions: CONDITIONS } },
            },
          },
        },
      },
    ],
  },
} as const;
