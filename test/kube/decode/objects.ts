/** Objects that say as little as their kind allows, or that say something about which defaults have an opinion. */
import type { JsonObject } from "../../../src/cluster/api/json.ts";
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
} from "../stored-kinds.ts";

export interface Sample {
  readonly name: string;
  /** The collection that takes it. */
  readonly path: string;
  readonly object: JsonObject;
  /** What a server adds at creation that is no default, as paths, with the reason. */
  readonly addedElsewhere?: Readonly<Record<string, string>>;
}

const CORE = "/api/v1/namespaces/default";
const APPS = "/apis/apps/v1/namespaces/default";

const POD_ADMISSION = {
  "spec.tolerations": "admission: how long it may stay on a node that fails",
  "spec.priority": "admission: from the priority classes",
  "spec.preemptionPolicy": "admission: from the priority classes",
};
const SERVICE_ADDRESSES = {
  "spec.clusterIP": "allocated",
  "spec.clusterIPs": "allocated",
  "spec.ipFamilies": "from the network of the cluster",
  "spec.ipFamilyPolicy": "from the network of the cluster",
};
const NODE_PORTS = { ...SERVICE_ADDRESSES, "spec.ports.0.nodePort": "allocated" };
const CLAIM_PROTECTION = { "metadata.finalizers": "admission: in use, it stays" };
const VOLUME_PROTECTION = {
  ...CLAIM_PROTECTION,
  "status.lastPhaseTransitionTime": "the moment of its creation",
};

const labels = { app: "db" };
const container = { name: "main", image: "registry.example.com/db" };
const template = { metadata: { labels }, spec: { containers: [container] } };
const selector = { matchLabels: labels };
const claimSpec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1024Mi" } } };

const busyContainer = {
  ...container,
  image: "db:1.2@sha256:0000000000000000000000000000000000000000000000000000000000000000",
  ports: [{ containerPort: 80 }],
  env: [{ name: "NAME", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }],
  livenessProbe: { httpGet: { port: 80 } },
  readinessProbe: { grpc: { port: 80 } },
  startupProbe: { exec: { command: ["true"] }, timeoutSeconds: 5 },
  lifecycle: { preStop: { httpGet: { port: 80 } } },
  resources: { limits: { cpu: "1000m", memory: "1024Mi" }, requests: { cpu: "0.5" } },
};
const volumes = [
  { name: "none" },
  { name: "secret", secret: { secretName: "s" } },
  { name: "config", configMap: { name: "c" } },
  { name: "downward", downwardAPI: { items: [{ path: "a", fieldRef: { fieldPath: "metadata.name" } }] } },
  {
    name: "projected",
    projected: { sources: [{ serviceAccountToken: { path: "token" } }, { secret: { name: "s" } }] },
  },
  { name: "host", hostPath: { path: "/data" } },
  { name: "ephemeral", ephemeral: { volumeClaimTemplate: { spec: claimSpec } } },
  { name: "claim", persistentVolumeClaim: { claimName: "data" } },
];

function sample(path: string, apiVersion: string, kind: string, more: JsonObject, added = {}, name = "least"): Sample {
  const metadata = { name: `${kind.toLowerCase()}-${name.replaceAll(" ", "-")}` };
  return {
    name: `${kind}: ${name}`,
    path,
    object: { apiVersion, kind, metadata, ...more },
    addedElsewhere: added,
  };
}

const set = (spec: JsonObject, name: string) =>
  sample(`${APPS}/statefulsets`, "apps/v1", "StatefulSet", { spec: { selector, template, ...spec } }, {}, name);
const pod = (spec: JsonObject, name: string, metadata = {}) => {
  const { object, ...rest } = sample(`${CORE}/pods`, "v1", "Pod", { spec }, POD_ADMISSION, name);
  return { ...rest, object: { ...object, metadata: { ...(object["metadata"] as JsonObject), ...metadata } } };
};
const claim = (spec: JsonObject, name: string) =>
  sample(`${CORE}/persistentvolumeclaims`, "v1", "PersistentVolumeClaim", { spec }, CLAIM_PROTECTION, name);
const volume = (spec: JsonObject, name: string) => {
  const common = { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"] };
  const more = { spec: { ...common, ...spec } };
  return sample("/api/v1/persistentvolumes", "v1", "PersistentVolume", more, VOLUME_PROTECTION, name);
};
const service = (spec: JsonObject, name: string, added: Readonly<Record<string, string>> = SERVICE_ADDRESSES) =>
  sample(`${CORE}/services`, "v1", "Service", { spec }, added, name);

/** Of the whole cluster, under a name of its own. */
function named(name: string, apiVersion: string, kind: string, plural: string, more: JsonObject): Sample {
  const object = { apiVersion, kind, metadata: { name }, ...more };
  return { name: `${kind}: ${name}`, path: `/apis/${apiVersion}/${plural}`, object };
}

export const SAMPLES: readonly Sample[] = [
  set({}, "least"),
  set({ serviceName: "db", volumeClaimTemplates: [{ metadata: { name: "data" }, spec: claimSpec }] }, "one template"),
  set({ updateStrategy: { type: "RollingUpdate" }, replicas: 0, revisionHistoryLimit: 0 }, "rolling by name alone"),
  set(
    { updateStrategy: { type: "OnDelete" }, persistentVolumeClaimRetentionPolicy: { whenDeleted: "Delete" } },
    "on delete",
  ),
  set({ updateStrategy: { rollingUpdate: { partition: 2 } }, podManagementPolicy: "Parallel" }, "partition"),
  pod({ containers: [container] }, "least"),
  pod(
    {
      containers: [
        { ...container, image: "db:latest" },
        { name: "b", image: "x:1" },
      ],
    },
    "images",
  ),
  pod(
    { containers: [busyContainer], initContainers: [{ ...container, name: "init" }], volumes, serviceAccountName: "a" },
    "busy",
  ),
  pod({ containers: [{ ...container, ports: [{ containerPort: 80 }] }], hostNetwork: true }, "on the host network"),
  pod({ containers: [{ ...container, resources: { limits: { cpu: 1, memory: "1G" } } }] }, "guaranteed"),
  pod({ containers: [container], terminationGracePeriodSeconds: 0, enableServiceLinks: false }, "zeros"),
  claim(claimSpec, "least"),
  claim({ ...claimSpec, storageClassName: "", volumeMode: "Block", selector: {} }, "zeros"),
  volume({ csi: { driver: "csi.example.com", volumeHandle: "v" } }, "csi"),
  volume({ hostPath: { path: "/data" }, persistentVolumeReclaimPolicy: "Delete" }, "host path"),
  service({ ports: [{ port: 80 }] }, "least"),
  service({ clusterIP: "None", selector: labels }, "headless", {
    "spec.clusterIPs": "follows from the first",
    "spec.ipFamilies": "from the network of the cluster",
    "spec.ipFamilyPolicy": "from the network of the cluster",
  }),
  service(
    { type: "NodePort", ports: [{ port: 80, targetPort: "web" }], sessionAffinity: "ClientIP" },
    "node port",
    NODE_PORTS,
  ),
  service({ type: "LoadBalancer", ports: [{ port: 80 }] }, "load balancer", NODE_PORTS),
  service({ type: "ExternalName", externalName: "db.example.com" }, "external name", {}),
  sample("/apis/storage.k8s.io/v1/storageclasses", "storage.k8s.io/v1", "StorageClass", {
    provisioner: "csi.example.com",
  }),
  sample("/apis/storage.k8s.io/v1/csidrivers", "storage.k8s.io/v1", "CSIDriver", { spec: {} }),
  sample("/apis/storage.k8s.io/v1/csinodes", "storage.k8s.io/v1", "CSINode", { spec: { drivers: [] } }),
  sample("/apis/storage.k8s.io/v1/volumeattachments", "storage.k8s.io/v1", "VolumeAttachment", {
    spec: { attacher: "csi.example.com", nodeName: "n", source: { persistentVolumeName: "v" } },
  }),
  sample("/api/v1/namespaces", "v1", "Namespace", {}),
  sample(
    "/api/v1/nodes",
    "v1",
    "Node",
    { status: { capacity: { cpu: "1" } } },
    {
      "spec.taints": "admission: not ready until its kubelet says so",
    },
  ),
  sample(`${CORE}/secrets`, "v1", "Secret", { stringData: { password: "grow" }, data: { user: "YQ==" } }),
  sample(`${CORE}/configmaps`, "v1", "ConfigMap", { data: {} }),
  sample(`${CORE}/serviceaccounts`, "v1", "ServiceAccount", {}),
  sample(`${CORE}/resourcequotas`, "v1", "ResourceQuota", { spec: { hard: { "requests.storage": "1024Gi" } } }),
  sample(`${CORE}/limitranges`, "v1", "LimitRange", {
    spec: { limits: [{ type: "Container", max: { cpu: "2" }, min: { memory: "1Mi" } }] },
  }),
  sample(`${CORE}/endpoints`, "v1", "Endpoints", {
    subsets: [{ addresses: [{ ip: "10.0.0.1" }], ports: [{ port: 80 }] }],
  }),
  sample(`${CORE}/events`, "v1", "Event", {
    involvedObject: { namespace: "default", kind: "Pod", name: "x" },
    reason: "R",
  }),
  sample(`${CORE}/podtemplates`, "v1", "PodTemplate", { template }),
  sample(`${CORE}/replicationcontrollers`, "v1", "ReplicationController", { spec: { template } }),
  sample(`${APPS}/deployments`, "apps/v1", "Deployment", { spec: { selector, template } }),
  sample(
    `${APPS}/daemonsets`,
    "apps/v1",
    "DaemonSet",
    { spec: { selector, template } },
    {
      "metadata.annotations": "the generation of its template",
    },
  ),
  sample(`${APPS}/replicasets`, "apps/v1", "ReplicaSet", { spec: { selector, template } }),
  sample(`${APPS}/controllerrevisions`, "apps/v1", "ControllerRevision", { data: { spec: {} }, revision: 1 }),
  sample(
    "/apis/batch/v1/namespaces/default/jobs",
    "batch/v1",
    "Job",
    { spec: { template: { ...template, spec: { ...template.spec, restartPolicy: "Never" } } } },
    {
      "metadata.labels": "by the job's own uid",
      "spec.selector": "by the job's own uid",
      "spec.template.metadata.labels": "by the job's own uid",
    },
  ),
  sample("/apis/batch/v1/namespaces/default/cronjobs", "batch/v1", "CronJob", {
    spec: {
      schedule: "* * * * *",
      jobTemplate: { spec: { template: { spec: { ...template.spec, restartPolicy: "Never" } } } },
    },
  }),
  sample("/apis/coordination.k8s.io/v1/namespaces/default/leases", "coordination.k8s.io/v1", "Lease", {}),
  sample("/apis/policy/v1/namespaces/default/poddisruptionbudgets", "policy/v1", "PodDisruptionBudget", {
    spec: { selector, minAvailable: 1 },
  }),
  sample("/apis/rbac.authorization.k8s.io/v1/clusterroles", "rbac.authorization.k8s.io/v1", "ClusterRole", {}),
  sample(
    "/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings",
    "rbac.authorization.k8s.io/v1",
    "RoleBinding",
    {
      roleRef: { kind: "Role", name: "r" },
      subjects: [
        { kind: "User", name: "u" },
        { kind: "ServiceAccount", name: "s", namespace: "default" },
      ],
    },
  ),
  sample("/apis/scheduling.k8s.io/v1/priorityclasses", "scheduling.k8s.io/v1", "PriorityClass", { value: 7 }),
  sample("/apis/networking.k8s.io/v1/namespaces/default/networkpolicies", "networking.k8s.io/v1", "NetworkPolicy", {
    spec: { podSelector: {}, egress: [{ ports: [{ port: 80 }] }] },
  }),
  sample("/apis/networking.k8s.io/v1/ingressclasses", "networking.k8s.io/v1", "IngressClass", {
    spec: { controller: "example.com/c", parameters: { kind: "K", name: "n" } },
  }),
  sample(
    "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers",
    "autoscaling/v2",
    "HorizontalPodAutoscaler",
    {
      spec: {
        maxReplicas: 3,
        scaleTargetRef: { apiVersion: "apps/v1", kind: "StatefulSet", name: "db" },
        behavior: {},
      },
    },
  ),
  sample("/apis/discovery.k8s.io/v1/namespaces/default/endpointslices", "discovery.k8s.io/v1", "EndpointSlice", {
    addressType: "IPv4",
    endpoints: [],
    ports: [{ port: 80 }],
  }),
  named("v1.example.com", "apiregistration.k8s.io/v1", "APIService", "apiservices", {
    ...apiService("example.com"),
    spec: { ...apiService("example.com").spec, service: { namespace: "default", name: "api" } },
  }),
  named("least", "flowcontrol.apiserver.k8s.io/v1", "FlowSchema", "flowschemas", flowSchema),
  named("least", "flowcontrol.apiserver.k8s.io/v1", "PriorityLevelConfiguration", "prioritylevelconfigurations", {
    ...priorityLevel,
  }),
  named("192.0.2.1", "networking.k8s.io/v1", "IPAddress", "ipaddresses", address),
  named("least", "networking.k8s.io/v1", "ServiceCIDR", "servicecidrs", range),
  named("least", "node.k8s.io/v1", "RuntimeClass", "runtimeclasses", { handler: "fast" }),
  named("least", "resource.k8s.io/v1", "DeviceClass", "deviceclasses", deviceClass),
  named("least", "resource.k8s.io/v1", "ResourceSlice", "resourceslices", resourceSlice),
  sample("/apis/resource.k8s.io/v1/namespaces/default/resourceclaims", "resource.k8s.io/v1", "ResourceClaim", {
    ...resourceClaim,
  }),
  sample(
    "/apis/resource.k8s.io/v1/namespaces/default/resourceclaimtemplates",
    "resource.k8s.io/v1",
    "ResourceClaimTemplate",
    resourceClaimTemplate,
  ),
  ...["Mutating", "Validating"].map((which) =>
    sample(
      `/apis/admissionregistration.k8s.io/v1/${which.toLowerCase()}webhookconfigurations`,
      "admissionregistration.k8s.io/v1",
      `${which}WebhookConfiguration`,
      {
        webhooks: [
          {
            name: "a.example.com",
            clientConfig: { service: { namespace: "default", name: "hook" } },
            admissionReviewVersions: ["v1"],
            sideEffects: "None",
            rules: [{ operations: ["CREATE"], apiGroups: ["example.com"], apiVersions: ["v1"], resources: ["things"] }],
          },
        ],
      },
    ),
  ),
];
