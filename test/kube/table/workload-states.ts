/** Workloads, and what scales and guards them. */
import type { Actor } from "./scene.ts";

const TEMPLATE = {
  metadata: { labels: { app: "db" } },
  spec: {
    containers: [
      { name: "main", image: "db:1" },
      { name: "log", image: "log:2" },
    ],
  },
};
const SELECTOR = { matchLabels: { app: "db" } };
const EXPRESSIONS = {
  matchLabels: { app: "db" },
  matchExpressions: [
    { key: "tier", operator: "In", values: ["z", "a"] },
    { key: "env", operator: "NotIn", values: ["test"] },
    { key: "zone", operator: "Exists" },
    { key: "old", operator: "DoesNotExist" },
  ],
};
const ONCE = { ...TEMPLATE.spec, restartPolicy: "Never" };
const LABELLED = { metadata: { labels: { app: "db", tier: "a", env: "live", zone: "1" } }, spec: TEMPLATE.spec };
const START = "2025-03-01T10:00:00Z";
const END = "2025-03-01T13:05:00Z";
const condition = (type: string) => ({ type, status: "True", lastProbeTime: END, lastTransitionTime: END });
const OWNER = { name: "db", uid: "3d4a3c9a-0000-4000-8000-000000000001" };

const set = { selector: SELECTOR, template: TEMPLATE };
const metric = (type: string, more: object) => ({ type, ...more });
const cpu = (target: object) => metric("Resource", { resource: { name: "cpu", target } });
const usage = (current: object) => metric("Resource", { resource: { name: "cpu", current } });
const scaler = (name: string, spec: object, status?: object): Actor => ({
  kind: "autoscaling/HorizontalPodAutoscaler",
  name,
  body: {
    spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" }, maxReplicas: 9, ...spec },
  },
  ...(status === undefined ? {} : { status: { desiredReplicas: 3, currentReplicas: 2, ...status } }),
});

export const WORKLOADS: readonly Actor[] = [
  { kind: "apps/StatefulSet", name: "fresh", body: { spec: { ...set, serviceName: "db", replicas: 3 } } },
  {
    kind: "apps/StatefulSet",
    name: "half",
    body: { spec: { ...set, serviceName: "db", replicas: 4 } },
    status: { replicas: 4, readyReplicas: 2 },
  },
  { kind: "apps/StatefulSet", name: "none", body: { spec: { ...set, serviceName: "db", replicas: 0 } } },
  {
    kind: "apps/Deployment",
    name: "web",
    body: { spec: { ...set, replicas: 3 } },
    status: { replicas: 3, readyReplicas: 2, updatedReplicas: 3, availableReplicas: 1 },
  },
  { kind: "apps/Deployment", name: "chosen", body: { spec: { selector: EXPRESSIONS, template: LABELLED } } },
  {
    kind: "apps/ReplicaSet",
    name: "web",
    body: { spec: { ...set, replicas: 2 } },
    status: { replicas: 2, readyReplicas: 1 },
  },
  { kind: "apps/ReplicaSet", name: "chosen", body: { spec: { selector: EXPRESSIONS, template: LABELLED } } },
  {
    kind: "ReplicationController",
    name: "old",
    body: {
      spec: { selector: { b: "2", app: "db" }, template: { ...TEMPLATE, metadata: { labels: { b: "2", app: "db" } } } },
    },
    status: { replicas: 1, readyReplicas: 1 },
  },
  {
    kind: "apps/DaemonSet",
    name: "everywhere",
    body: { spec: { ...set, template: { ...TEMPLATE, spec: { ...TEMPLATE.spec, nodeSelector: { disk: "ssd" } } } } },
    status: {
      desiredNumberScheduled: 5,
      currentNumberScheduled: 4,
      numberReady: 3,
      updatedNumberScheduled: 2,
      numberAvailable: 1,
      numberMisscheduled: 0,
    },
  },
  { kind: "apps/DaemonSet", name: "anywhere", body: { spec: set } },
  { kind: "PodTemplate", name: "labelled", body: { template: TEMPLATE } },
  { kind: "PodTemplate", name: "bare", body: { template: { spec: TEMPLATE.spec } } },
  {
    kind: "apps/ControllerRevision",
    name: "owned",
    ownerReferences: [{ apiVersion: "apps/v1", kind: "StatefulSet", controller: true, ...OWNER }],
    body: { revision: 4, data: {} },
  },
  {
    kind: "apps/ControllerRevision",
    name: "owned-by-core",
    ownerReferences: [{ apiVersion: "v1", kind: "Pod", controller: true, ...OWNER }],
    body: { revision: 1, data: {} },
  },
  {
    kind: "apps/ControllerRevision",
    name: "free",
    ownerReferences: [{ apiVersion: "apps/v1", kind: "StatefulSet", ...OWNER }],
    body: { revision: 0, data: {} },
  },
  { kind: "batch/Job", name: "fresh", body: { spec: { template: { spec: ONCE } } } },
  {
    kind: "batch/Job",
    name: "running",
    body: { spec: { completions: 5, template: { spec: ONCE } } },
    status: { startTime: START, active: 1, succeeded: 2 },
  },
  {
    kind: "batch/Job",
    name: "complete",
    body: { spec: { template: { spec: ONCE } } },
    status: {
      startTime: START,
      completionTime: END,
      succeeded: 1,
      conditions: [condition("SuccessCriteriaMet"), condition("Complete")],
    },
  },
  {
    kind: "batch/Job",
    name: "failed",
    body: { spec: { template: { spec: ONCE } } },
    status: { startTime: START, failed: 1, conditions: [condition("FailureTarget"), condition("Failed")] },
  },
  {
    kind: "batch/Job",
    name: "failing",
    body: { spec: { template: { spec: ONCE } } },
    status: { startTime: START, conditions: [condition("FailureTarget")] },
  },
  {
    kind: "batch/Job",
    name: "succeeding",
    body: { spec: { template: { spec: ONCE } } },
    status: { startTime: START, conditions: [condition("SuccessCriteriaMet")] },
  },
  {
    kind: "batch/Job",
    name: "suspended",
    body: { spec: { suspend: true, parallelism: 4, template: { spec: ONCE } } },
    status: { conditions: [condition("Suspended")] },
  },
  { kind: "batch/Job", name: "going", body: { spec: { template: { spec: ONCE } } }, deleted: true },
  {
    kind: "batch/CronJob",
    name: "nightly",
    body: { spec: { schedule: "0 3 * * *", jobTemplate: { spec: { template: { spec: ONCE } } } } },
  },
  {
    kind: "batch/CronJob",
    name: "paused",
    body: {
      spec: {
        schedule: "@hourly",
        timeZone: "Europe/Berlin",
        suspend: true,
        jobTemplate: { spec: { template: { spec: ONCE } } },
      },
    },
    status: { lastScheduleTime: START, active: [{ kind: "Job", name: "x", namespace: "default" }] },
  },
  { kind: "policy/PodDisruptionBudget", name: "least", body: { spec: { minAvailable: "50%", selector: SELECTOR } } },
  {
    kind: "policy/PodDisruptionBudget",
    name: "most",
    body: { spec: { maxUnavailable: 1, selector: SELECTOR } },
    status: { disruptionsAllowed: 1, currentHealthy: 3, desiredHealthy: 2, expectedPods: 3 },
  },
  scaler("fresh", {}),
  scaler(
    "percent",
    { minReplicas: 2, metrics: [cpu({ type: "Utilization", averageUtilization: 60 })] },
    {
      currentMetrics: [usage({ averageUtilization: 42, averageValue: "420m" })],
    },
  ),
  scaler(
    "value",
    { metrics: [cpu({ type: "AverageValue", averageValue: "500m" })] },
    {
      currentMetrics: [usage({ averageValue: "420m" })],
    },
  ),
  scaler("unknown", { metrics: [cpu({ type: "Utilization", averageUtilization: 60 })] }),
  scaler(
    "many",
    {
      metrics: [
        metric("Pods", { pods: { metric: { name: "qps" }, target: { type: "AverageValue", averageValue: "1k" } } }),
        metric("External", { external: { metric: { name: "lag" }, target: { type: "Value", value: "30" } } }),
        cpu({ type: "Utilization", averageUtilization: 60 }),
      ],
    },
    {
      currentMetrics: [
        metric("Pods", { pods: { metric: { name: "qps" }, current: { averageValue: "900" } } }),
        metric("External", { external: { metric: { name: "lag" }, current: { value: "12" } } }),
      ],
    },
  ),
  scaler(
    "averages",
    {
      metrics: [
        metric("External", {
          external: { metric: { name: "lag" }, target: { type: "AverageValue", averageValue: "7" } },
        }),
        metric("Object", {
          object: {
            metric: { name: "hits" },
            describedObject: { apiVersion: "v1", kind: "Service", name: "web" },
            target: { type: "Value", value: "100" },
          },
        }),
      ],
    },
    { currentMetrics: [metric("External", { external: { metric: { name: "lag" }, current: { averageValue: "3" } } })] },
  ),
  scaler("container", {
    metrics: [
      metric("ContainerResource", {
        containerResource: { name: "memory", container: "main", target: { type: "AverageValue", averageValue: "1Gi" } },
      }),
    ],
  }),
];
