/** The shape of each kind, as far as core/types.ts describes it: what passes here may be used as that type. */
import type { KindName } from "./kinds.ts";
import { listOf, mapOf, objectWith, type Shape } from "./shape.ts";

const TEXTS = mapOf("text");
const TEXT_LIST = listOf("text");
const SIZES = mapOf("size");
/** Only storage: what else a resource list holds is for others to judge. */
const STORAGE = objectWith({ storage: "size" });

const OWNER = objectWith(
  { apiVersion: "text", kind: "text", name: "text", uid: "text", controller: "boolean" },
  "apiVersion",
  "kind",
  "name",
);
const METADATA = objectWith(
  {
    name: "text",
    namespace: "text",
    uid: "text",
    resourceVersion: "text",
    generation: "number",
    creationTimestamp: "text",
    deletionTimestamp: "text",
    labels: TEXTS,
    annotations: TEXTS,
    ownerReferences: listOf(OWNER),
    finalizers: TEXT_LIST,
  },
  "name",
);
const CONDITIONS = listOf(
  objectWith({ type: "text", status: "text", reason: "text", message: "text" }, "type", "status"),
);
const SELECTOR = objectWith({
  matchLabels: TEXTS,
  matchExpressions: listOf(objectWith({ key: "text", operator: "text", values: TEXT_LIST })),
});

const CLAIM_SPEC = objectWith({
  accessModes: TEXT_LIST,
  resources: objectWith({ requests: STORAGE, limits: STORAGE }),
  storageClassName: "text",
  volumeName: "text",
  volumeMode: "text",
  volumeAttributesClassName: "text",
});
const CLAIM_STATUS = objectWith({
  phase: "text",
  capacity: STORAGE,
  allocatedResources: STORAGE,
  allocatedResourceStatuses: TEXTS,
  allocatedResourceStatus: TEXTS,
  resizeStatus: "text",
  currentVolumeAttributesClassName: "text",
  conditions: CONDITIONS,
});

const CLAIM_TEMPLATE = objectWith(
  {
    metadata: objectWith({ name: "text", labels: TEXTS, annotations: TEXTS }, "name"),
    spec: CLAIM_SPEC,
  },
  "metadata",
  "spec",
);
const SET_SPEC = objectWith(
  {
    replicas: "number",
    selector: SELECTOR,
    template: objectWith({ metadata: objectWith({ labels: TEXTS, annotations: TEXTS }) }),
    volumeClaimTemplates: listOf(CLAIM_TEMPLATE),
    podManagementPolicy: "text",
    updateStrategy: objectWith({ type: "text", rollingUpdate: objectWith({ partition: "number" }) }),
    ordinals: objectWith({ start: "number" }),
    persistentVolumeClaimRetentionPolicy: objectWith({ whenDeleted: "text", whenScaled: "text" }),
  },
  "selector",
  "template",
);
const SET_STATUS = objectWith({
  observedGeneration: "number",
  replicas: "number",
  readyReplicas: "number",
  currentReplicas: "number",
  updatedReplicas: "number",
  currentRevision: "text",
  updateRevision: "text",
  conditions: CONDITIONS,
});

const POD_VOLUME = objectWith({
  name: "text",
  persistentVolumeClaim: objectWith({ claimName: "text", readOnly: "boolean" }, "claimName"),
});
const LIMIT = objectWith({ type: "text", max: SIZES, min: SIZES }, "type");
const SCOPES = objectWith({
  matchExpressions: listOf(objectWith({ scopeName: "text", operator: "text", values: TEXT_LIST })),
});

function object(fields: Record<string, Shape>, ...required: string[]): Shape {
  return objectWith({ metadata: METADATA, ...fields }, "metadata", ...required);
}

export const SHAPES: Readonly<Record<KindName, Shape>> = {
  StatefulSet: object({ spec: SET_SPEC, status: SET_STATUS }, "spec"),
  PersistentVolumeClaim: object({ spec: CLAIM_SPEC, status: CLAIM_STATUS }, "spec"),
  PersistentVolume: object(
    {
      spec: objectWith({ csi: objectWith({ driver: "text" }, "driver") }),
    },
    "spec",
  ),
  StorageClass: object(
    { provisioner: "text", allowVolumeExpansion: "boolean", parameters: TEXTS, volumeBindingMode: "text" },
    "provisioner",
  ),
  CSIDriver: object({ spec: objectWith({ attachRequired: "boolean" }) }),
  ResourceQuota: object({
    spec: objectWith({ hard: SIZES, scopes: TEXT_LIST, scopeSelector: SCOPES }),
    status: objectWith({ hard: SIZES, used: SIZES }),
  }),
  LimitRange: object({ spec: objectWith({ limits: listOf(LIMIT) }) }),
  Pod: object(
    {
      spec: objectWith({ nodeName: "text", volumes: listOf(POD_VOLUME) }),
      status: objectWith({ phase: "text" }),
    },
    "spec",
  ),
};
