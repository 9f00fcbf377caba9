/** What is in the cluster before anything is asked: one namespace for each subject, so that they do not meet. */
import type { JsonObject } from "../../../src/cluster/api/json.ts";

/** An object, with the status that it is to have: nobody runs who would write it. */
export type Placed = JsonObject & {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: JsonObject & { readonly name: string; readonly namespace?: string };
};

export const NAMESPACES = ["free", "limits", "pod-limits", "ratio", "claims", "quota", "scopes", "unknown"];

/** A namespace that is being deleted, with something in it. */
export const ENDING = "ending";

function placed(apiVersion: string, kind: string, namespace: string, name: string, fields: JsonObject): Placed {
  const { metadata, ...rest } = fields as { metadata?: JsonObject };
  return { apiVersion, kind, metadata: { name, ...(namespace !== "" && { namespace }), ...metadata }, ...rest };
}

const range = (namespace: string, ...limits: JsonObject[]) =>
  placed("v1", "LimitRange", namespace, "range", { spec: { limits } });

function quota(namespace: string, name: string, hard: JsonObject, used: JsonObject | undefined, spec: JsonObject = {}) {
  const zeros = Object.fromEntries(Object.keys(hard).map((resource) => [resource, "0"]));
  const status = { hard, ...(used !== undefined && { used: { ...zeros, ...used } }) };
  return placed("v1", "ResourceQuota", namespace, name, { spec: { hard, ...spec }, status });
}

const storageClass = (name: string, fields: JsonObject = {}) =>
  placed("storage.k8s.io/v1", "StorageClass", "", name, { provisioner: "csi.example.com", ...fields });

const priorityClass = (name: string, fields: JsonObject) =>
  placed("scheduling.k8s.io/v1", "PriorityClass", "", name, fields);

function boundClaim(name: string, spec: JsonObject): Placed {
  return placed("v1", "PersistentVolumeClaim", "free", name, {
    metadata: { finalizers: ["kubernetes.io/pvc-protection"] },
    spec: {
      accessModes: ["ReadWriteOnce"],
      resources: { requests: { storage: "1Gi" } },
      volumeName: `pv-${name}`,
      ...spec,
    },
    status: { phase: "Bound", accessModes: ["ReadWriteOnce"], capacity: { storage: "1Gi" } },
  });
}

export const SCENE: readonly Placed[] = [
  ...[...NAMESPACES, ENDING].map((name) => placed("v1", "ServiceAccount", name, "default", {})),
  placed("v1", "ServiceAccount", "free", "puller", { imagePullSecrets: [{ name: "registry" }] }),
  placed("v1", "ConfigMap", ENDING, "here", {}),

  storageClass("flexible", {
    allowVolumeExpansion: true,
    metadata: { annotations: { "storageclass.kubernetes.io/is-default-class": "true" } },
  }),
  storageClass("rigid"),
  placed("networking.k8s.io/v1", "IngressClass", "", "front", {
    metadata: { annotations: { "ingressclass.kubernetes.io/is-default-class": "true" } },
    spec: { controller: "example.com/front" },
  }),
  priorityClass("usual", { value: 10, globalDefault: true }),
  priorityClass("meek", { value: 100, preemptionPolicy: "Never" }),

  boundClaim("flexible", { storageClassName: "flexible" }),
  boundClaim("rigid", { storageClassName: "rigid" }),
  boundClaim("orphan", { storageClassName: "gone" }),
  boundClaim("classless", { storageClassName: "" }),

  range("limits", {
    type: "Container",
    min: { cpu: "100m" },
    max: { cpu: "2", memory: "2Gi" },
    default: { cpu: "1" },
    defaultRequest: { cpu: "500m" },
  }),
  range("pod-limits", { type: "Pod", min: { memory: "64Mi" }, max: { cpu: "2" } }),
  range("ratio", { type: "Container", maxLimitRequestRatio: { cpu: "2" } }),
  range("claims", { type: "PersistentVolumeClaim", min: { storage: "1Gi" }, max: { storage: "10Gi" } }),

  quota("quota", "claims", { persistentvolumeclaims: "3", "requests.storage": "10Gi" }, { "requests.storage": "8Gi" }),
  quota("quota", "by-class", { "rigid.storageclass.storage.k8s.io/requests.storage": "2Gi" }, {}),
  quota("quota", "counts", { "count/configmaps": "0", secrets: "1", "count/statefulsets.apps": "0" }, { secrets: "1" }),
  quota("quota", "services", { services: "2", "services.nodeports": "1", "services.loadbalancers": "0" }, {}),
  quota(
    "quota",
    "pods",
    { "requests.cpu": "2", "limits.memory": "1Gi", pods: "5", "requests.example.com/gpu": "1" },
    {},
  ),
  quota("scopes", "best-effort", { pods: "0" }, {}, { scopes: ["BestEffort"] }),
  quota("scopes", "terminating", { pods: "0" }, {}, { scopes: ["Terminating"] }),
  quota(
    "scopes",
    "meek",
    { pods: "0" },
    {},
    {
      scopeSelector: { matchExpressions: [{ scopeName: "PriorityClass", operator: "In", values: ["meek"] }] },
    },
  ),
  quota("unknown", "new", { persistentvolumeclaims: "5", "requests.storage": "5Gi", pods: "5" }, undefined),

  placed("v1", "Service", "free", "fixed", {
    spec: {
      type: "NodePort",
      clusterIP: "10.96.0.77",
      selector: { app: "db" },
      ports: [{ port: 80, nodePort: 30_077 }],
    },
  }),
];
