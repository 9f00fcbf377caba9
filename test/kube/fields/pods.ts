/** Pods, and what makes them. */
import type { JsonObject } from "../../../src/cluster/api/json.ts";
import { claimSpec, condition, labels, only, type Rich, term } from "./rich.ts";

const podTerm = { labelSelector: { matchLabels: labels }, topologyKey: "zone", namespaces: ["default"] };
const container = {
  name: "main",
  image: "db:1",
  imagePullPolicy: "Always",
  command: ["run"],
  args: ["x"],
  workingDir: "/",
  ports: [{ name: "sql", containerPort: 5432, hostPort: 0, protocol: "TCP" }],
  env: [
    { name: "A", value: "b" },
    { name: "B", valueFrom: { fieldRef: { apiVersion: "v1", fieldPath: "metadata.name" } } },
  ],
  envFrom: [{ prefix: "P", configMapRef: { name: "c", optional: true } }],
  resources: { requests: { cpu: "100m", memory: "1Gi" }, limits: { cpu: "1", memory: "1Gi" } },
  livenessProbe: { httpGet: { path: "/", port: 80, scheme: "HTTP" }, periodSeconds: 10, failureThreshold: 3 },
  readinessProbe: { tcpSocket: { port: "sql" } },
  startupProbe: { exec: { command: ["true"] } },
  lifecycle: { preStop: { exec: { command: ["true"] } } },
  securityContext: { runAsUser: 1, privileged: false, capabilities: { add: ["NET_ADMIN"] } },
  volumeMounts: [{ name: "data", mountPath: "/data", subPath: "x", readOnly: false }],
  terminationMessagePolicy: "File",
};
const podSpec = {
  containers: [container],
  initContainers: [{ name: "first", image: "db:1" }],
  volumes: [
    { name: "data", persistentVolumeClaim: { claimName: "data" } },
    { name: "c", configMap: { name: "c", defaultMode: 420, items: [{ key: "k", path: "p" }] } },
    { name: "e", emptyDir: { sizeLimit: "1Gi", medium: "" } },
  ],
  restartPolicy: "Always",
  dnsPolicy: "ClusterFirst",
  dnsConfig: { nameservers: ["1.1.1.1"], searches: ["example.com"], options: [{ name: "ndots", value: "2" }] },
  terminationGracePeriodSeconds: 30,
  activeDeadlineSeconds: 30,
  serviceAccountName: "default",
  automountServiceAccountToken: false,
  nodeSelector: { zone: "a" },
  hostname: "h",
  subdomain: "s",
  schedulerName: "default-scheduler",
  imagePullSecrets: [{ name: "pull" }],
  hostAliases: [{ ip: "1.2.3.4", hostnames: ["a"] }],
  securityContext: { runAsUser: 1, fsGroup: 1, supplementalGroups: [1], sysctls: [{ name: "kernel.x", value: "1" }] },
  tolerations: [{ key: "k", operator: "Exists", effect: "NoExecute", tolerationSeconds: 10 }],
  readinessGates: [{ conditionType: "example.com/x" }],
  topologySpreadConstraints: [
    { maxSkew: 1, topologyKey: "zone", whenUnsatisfiable: "DoNotSchedule", labelSelector: { matchLabels: labels } },
  ],
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] },
      preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: term }],
    },
    podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [podTerm] },
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: podTerm }],
    },
  },
};
const smallTemplate = { metadata: { labels }, spec: { containers: [{ name: "main", image: "db:1" }] } };
const endingTemplate = { ...smallTemplate, spec: { ...smallTemplate.spec, restartPolicy: "Never" } };

/** A volume of a pod from each source that says more than a name. */
const volumeSources: readonly JsonObject[] = [
  { secret: { secretName: "s", defaultMode: 420, items: [{ key: "k", path: "p", mode: 420 }] } },
  { downwardAPI: { items: [{ path: "p", fieldRef: { apiVersion: "v1", fieldPath: "metadata.labels" } }] } },
  { projected: { sources: [{ serviceAccountToken: { path: "t", expirationSeconds: 3600 } }], defaultMode: 420 } },
  { hostPath: { path: "/x", type: "Directory" } },
  { csi: { driver: "d.example.com", fsType: "ext4", nodePublishSecretRef: { name: "s" } } },
  { ephemeral: { volumeClaimTemplate: { metadata: { labels }, spec: claimSpec } } },
  { nfs: { server: "s", path: "/x" } },
];
const small = { automountServiceAccountToken: false, containers: [{ name: "main", image: "db:1" }] };

export const PODS: readonly Rich[] = [
  { apiVersion: "v1", kind: "Pod", object: { metadata: { labels, annotations: { a: "b" } }, spec: podSpec } },
  ...volumeSources.map((source) => ({
    apiVersion: "v1",
    kind: "Pod",
    called: only(source),
    object: {
      spec: { ...small, volumes: [{ name: "v", ...source }] },
    } as JsonObject,
  })),
  {
    apiVersion: "v1",
    kind: "Pod",
    called: "gated",
    object: { spec: { ...small, schedulingGates: [{ name: "a.b/c" }] } },
  },
  {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    object: {
      spec: {
        replicas: 2,
        serviceName: "db",
        podManagementPolicy: "OrderedReady",
        revisionHistoryLimit: 5,
        minReadySeconds: 1,
        ordinals: { start: 1 },
        updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 1 } },
        persistentVolumeClaimRetentionPolicy: { whenDeleted: "Retain", whenScaled: "Retain" },
        selector: { matchLabels: labels, matchExpressions: [{ key: "app", operator: "In", values: ["x"] }] },
        template: smallTemplate,
        volumeClaimTemplates: [{ metadata: { name: "data" }, spec: claimSpec }],
      },
    },
    status: {
      replicas: 1,
      observedGeneration: 1,
      readyReplicas: 1,
      currentRevision: "r",
      collisionCount: 0,
      conditions: [condition],
    },
  },
  {
    apiVersion: "apps/v1",
    kind: "Deployment",
    object: {
      spec: {
        replicas: 2,
        minReadySeconds: 1,
        progressDeadlineSeconds: 60,
        revisionHistoryLimit: 5,
        strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: "25%" } },
        selector: { matchLabels: labels },
        template: smallTemplate,
      },
    },
  },
  {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    object: { spec: { selector: { matchLabels: labels }, template: smallTemplate } },
  },
  {
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    object: {
      spec: {
        updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
        selector: { matchLabels: labels },
        template: smallTemplate,
      },
    },
  },
  {
    apiVersion: "batch/v1",
    kind: "Job",
    object: { spec: { completions: 1, completionMode: "NonIndexed", backoffLimit: 1, template: endingTemplate } },
  },
  {
    apiVersion: "batch/v1",
    kind: "CronJob",
    object: {
      spec: {
        schedule: "0 * * * *",
        timeZone: "Europe/Berlin",
        concurrencyPolicy: "Forbid",
        jobTemplate: { spec: { template: endingTemplate } },
      },
    },
  },
  {
    apiVersion: "v1",
    kind: "ReplicationController",
    object: { spec: { replicas: 1, selector: labels, template: smallTemplate } },
  },
  { apiVersion: "v1", kind: "PodTemplate", object: { template: smallTemplate } },
];
