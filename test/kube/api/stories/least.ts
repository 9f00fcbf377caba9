/** The least that an object of a kind must say; kinds that are not here need no more than a name. */

import {
  address,
  apiService,
  deviceClass,
  flowSchema,
  priorityLevel,
  range,
  resourceClaim,
  resourceClaimTemplate,
  resourceSlice,
  signingRequest,
} from "../../stored-kinds.ts";

export interface Least {
  /** Whether the server has said of a new one all that it says by itself. */
  readonly settled?: (object: unknown) => boolean;
  readonly name?: (ns: string) => string;
  readonly fields?: (ns: string) => object;
}

const template = { metadata: { labels: { app: "x" } }, spec: { containers: [{ name: "c", image: "busybox" }] } };
const once = { ...template, spec: { ...template.spec, restartPolicy: "Never" } };
const selector = { matchLabels: { app: "x" } };
const role = { apiGroup: "rbac.authorization.k8s.io", name: "view" };
const hook = {
  clientConfig: { url: "https://127.0.0.1:1/none" },
  sideEffects: "None",
  admissionReviewVersions: ["v1"],
  name: "none.example.com",
};
const matchConstraints = {
  resourceRules: [{ apiGroups: ["apps"], apiVersions: ["v1"], operations: ["UPDATE"], resources: ["statefulsets"] }],
};
const plural = (ns: string): string => `${ns.replaceAll("-", "")}s`;

interface Conditioned {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] | null };
}

/** Of a definition: its objects can be asked for. */
export function isEstablished(definition: unknown): boolean {
  const conditions = (definition as Conditioned).status?.conditions ?? [];
  return conditions.some(({ type, status }) => type === "Established" && status === "True");
}

export const LEAST: Readonly<Record<string, Least>> = {
  APIService: { name: (ns) => `v1.${ns}.example.com`, fields: (ns) => apiService(`${ns}.example.com`) },
  CertificateSigningRequest: { fields: () => signingRequest },
  CronJob: { fields: () => ({ spec: { schedule: "* * * * *", jobTemplate: { spec: { template: once } } } }) },
  CSIDriver: { fields: () => ({ spec: {} }) },
  CSINode: { fields: () => ({ spec: { drivers: [] } }) },
  CSIStorageCapacity: { fields: () => ({ storageClassName: "fast" }) },
  ClusterRoleBinding: { fields: () => ({ roleRef: { ...role, kind: "ClusterRole" } }) },
  ControllerRevision: { fields: () => ({ revision: 1, data: { a: 1 } }) },
  CustomResourceDefinition: {
    settled: isEstablished,
    name: (ns) => `${plural(ns)}.example.com`,
    fields: (ns) => ({
      spec: {
        group: "example.com",
        scope: "Namespaced",
        names: { plural: plural(ns), kind: `S${plural(ns)}` },
        versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
      },
    }),
  },
  DaemonSet: { fields: () => ({ spec: { selector, template } }) },
  Deployment: { fields: () => ({ spec: { selector, template } }) },
  DeviceClass: { fields: () => deviceClass },
  EndpointSlice: { fields: () => ({ addressType: "IPv4", endpoints: [] }) },
  Event: {
    fields: (ns) => ({
      involvedObject: { kind: "Pod", namespace: ns, name: "x" },
      reason: "Because",
      message: "m",
      source: { component: "story" },
      count: 2,
      firstTimestamp: "2026-01-01T00:00:00Z",
      lastTimestamp: "2026-01-01T00:00:01Z",
      type: "Normal",
    }),
  },
  "events.k8s.io Event": {
    fields: (ns) => ({
      regarding: { kind: "Pod", namespace: ns, name: "x" },
      reason: "Because",
      action: "Doing",
      note: "n",
      type: "Normal",
      eventTime: "2026-01-01T00:00:00.000000Z",
      reportingController: "example.com/story",
      reportingInstance: "one",
    }),
  },
  // Kubernetes looks at once whether the level that it names is there.
  FlowSchema: { fields: () => flowSchema },
  HorizontalPodAutoscaler: {
    fields: () => ({
      spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "x" } },
    }),
  },
  Ingress: { fields: () => ({ spec: { defaultBackend: { service: { name: "x", port: { number: 80 } } } } }) },
  IPAddress: { name: () => "192.0.2.77", fields: () => address },
  IngressClass: { fields: () => ({ spec: { controller: "example.com/x" } }) },
  Job: { fields: () => ({ spec: { template: once } }) },
  LimitRange: { fields: () => ({ spec: { limits: [{ type: "PersistentVolumeClaim", max: { storage: "5Gi" } }] } }) },
  MutatingWebhookConfiguration: { fields: () => ({ webhooks: [hook] }) },
  NetworkPolicy: { fields: () => ({ spec: { podSelector: {} } }) },
  PersistentVolume: {
    fields: () => ({
      spec: {
        capacity: { storage: "1Gi" },
        accessModes: ["ReadWriteOnce"],
        csi: { driver: "x.example.com", volumeHandle: "h" },
      },
    }),
  },
  PersistentVolumeClaim: {
    fields: () => ({ spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } }),
  },
  Pod: { fields: () => ({ spec: template.spec }) },
  PodDisruptionBudget: { fields: () => ({ spec: { minAvailable: "50%", selector } }) },
  PodTemplate: { fields: () => ({ template }) },
  PriorityLevelConfiguration: { fields: () => priorityLevel },
  PriorityClass: { fields: () => ({ value: 5 }) },
  ReplicaSet: { fields: () => ({ spec: { selector, template } }) },
  ReplicationController: { fields: () => ({ spec: { selector: { app: "x" }, template } }) },
  ResourceClaim: { fields: () => resourceClaim },
  ResourceClaimTemplate: { fields: () => resourceClaimTemplate },
  ResourceQuota: { fields: () => ({ spec: { hard: { "requests.storage": "10Gi", pods: "3" } } }) },
  RoleBinding: { fields: () => ({ roleRef: { ...role, kind: "ClusterRole" } }) },
  ResourceSlice: { fields: () => resourceSlice },
  RuntimeClass: { fields: () => ({ handler: "fast" }) },
  Secret: { fields: () => ({ stringData: { user: "me" } }) },
  Service: { fields: () => ({ spec: { ports: [{ port: 80 }], clusterIP: "None" } }) },
  ServiceCIDR: { fields: () => range },
  StatefulSet: { fields: () => ({ spec: { serviceName: "x", selector, template } }) },
  StorageClass: { fields: () => ({ provisioner: "x.example.com" }) },
  MutatingAdmissionPolicy: {
    fields: () => ({
      spec: {
        matchConstraints,
        reinvocationPolicy: "Never",
        mutations: [
          {
            patchType: "JSONPatch",
            jsonPatch: { expression: '[JSONPatch{op: "test", path: "/kind", value: "Thing"}]' },
          },
        ],
      },
    }),
  },
  MutatingAdmissionPolicyBinding: { fields: () => ({ spec: { policyName: "x" } }) },
  ValidatingAdmissionPolicy: {
    fields: () => ({ spec: { matchConstraints, validations: [{ expression: "true" }] } }),
  },
  ValidatingAdmissionPolicyBinding: { fields: () => ({ spec: { policyName: "x", validationActions: ["Deny"] } }) },
  ValidatingWebhookConfiguration: { fields: () => ({ webhooks: [hook] }) },
  VolumeAttachment: {
    fields: () => ({ spec: { attacher: "x.example.com", nodeName: "n", source: { persistentVolumeName: "pv" } } }),
  },
  VolumeAttributesClass: { fields: () => ({ driverName: "x.example.com", parameters: { a: "b" } }) },
};
