/** The shape of each kind, as far as core/types.ts describes it: what passes here may be used as that type. */
import type { KindName } from "./kinds.ts";
import type { Shape } from "./shape.ts";

const TEXTS: Shape = { mapOf: "text" };
const TEXT_LIST: Shape = { listOf: "text" };

const METADATA: Shape = {
  fields: {
    name: "text",
    namespace: "text",
    uid: "text",
    resourceVersion: "text",
    generation: "number",
    creationTimestamp: "text",
    deletionTimestamp: "text",
    labels: TEXTS,
    annotations: TEXTS,
    ownerReferences: {
      listOf: {
        fields: { apiVersion: "text", kind: "text", name: "text", uid: "text", controller: "boolean" },
        required: ["kind", "name"],
      },
    },
    finalizers: TEXT_LIST,
  },
  required: ["name"],
};

const CONDITIONS: Shape = {
  listOf: {
    fields: { type: "text", status: "text", reason: "text", message: "text" },
    required: ["type", "status"],
  },
};

/** Only storage: what else a resource list holds is for others to judge. */
const STORAGE: Shape = { fields: { storage: "size" } };
const SIZES: Shape = { mapOf: "size" };
const SELECTOR: Shape = {
  fields: {
    matchLabels: TEXTS,
    matchExpressions: { listOf: { fields: { key: "text", operator: "text", values: TEXT_LIST } } },
  },
};

const CLAIM_SPEC: Shape = {
  fields: {
    accessModes: TEXT_LIST,
    resources: { fields: { requests: STORAGE, limits: STORAGE } },
    storageClassName: "text",
    volumeName: "text",
    volumeMode: "text",
  },
};

function object(fields: Record<string, Shape>, ...required: string[]): Shape {
  return { fields: { metadata: METADATA, ...fields }, required: ["metadata", ...required] };
}

export const SHAPES: Readonly<Record<KindName, Shape>> = {
  PersistentVolumeClaim: object(
    {
      spec: CLAIM_SPEC,
      status: {
        fields: {
          phase: "text",
          capacity: STORAGE,
          allocatedResources: STORAGE,
          allocatedResourceStatuses: TEXTS,
          allocatedResourceStatus: TEXTS,
          resizeStatus: "text",
          conditions: CONDITIONS,
        },
      },
    },
    "spec",
  ),
  PersistentVolume: object(
    {
      spec: {
        fields: {
          capacity: STORAGE,
          accessModes: TEXT_LIST,
          claimRef: { fields: { namespace: "text", name: "text", uid: "text" } },
          storageClassName: "text",
          csi: { fields: { driver: "text", volumeHandle: "text" }, required: ["driver"] },
        },
      },
      status: { fields: { phase: "text" } },
    },
    "spec",
  ),
  StorageClass: object(
    { provisioner: "text", allowVolumeExpansion: "boolean", parameters: TEXTS, volumeBindingMode: "text" },
    "provisioner",
  ),
  CSIDriver: object({ spec: { fields: { attachRequired: "boolean" } } }),
  ResourceQuota: object({
    spec: { fields: { hard: SIZES, scopes: TEXT_LIST } },
    status: { fields: { hard: SIZES, used: SIZES } },
  }),
  LimitRange: object({
    spec: {
      fields: { limits: { listOf: { fields: { type: "text", max: SIZES, min: SIZES }, required: ["type"] } } },
    },
  }),
  Pod: object({
    spec: {
      fields: {
        nodeName: "text",
        volumes: {
          listOf: {
            fields: { name: "text", persistentVolumeClaim: { fields: { claimName: "text" }, required: ["claimName"] } },
          },
        },
      },
    },
    status: { fields: { phase: "text", conditions: CONDITIONS } },
  }),
  StatefulSet: object(
    {
      spec: {
        fields: {
          replicas: "number",
          selector: SELECTOR,
          template: { fields: { metadata: { fields: { labels: TEXTS, annotations: TEXTS } } } },
          volumeClaimTemplates: {
            listOf: {
              fields: {
                metadata: { fields: { name: "text", labels: TEXTS, annotations: TEXTS }, required: ["name"] },
                spec: CLAIM_SPEC,
              },
              required: ["metadata", "spec"],
            },
          },
          podManagementPolicy: "text",
          updateStrategy: { fields: { type: "text", rollingUpdate: { fields: { partition: "number" } } } },
          ordinals: { fields: { start: "number" } },
          persistentVolumeClaimRetentionPolicy: { fields: { whenDeleted: "text", whenScaled: "text" } },
        },
        required: ["selector", "template"],
      },
      status: {
        fields: {
          observedGeneration: "number",
          replicas: "number",
          readyReplicas: "number",
          currentReplicas: "number",
          updatedReplicas: "number",
          currentRevision: "text",
          updateRevision: "text",
          conditions: CONDITIONS,
        },
      },
    },
    "spec",
  ),
};
