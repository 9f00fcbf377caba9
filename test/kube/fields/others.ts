/** Everything else that is acted on. */
import { condition, labels, type Rich } from "./rich.ts";

const RBAC = "rbac.authorization.k8s.io/v1";

export const OTHERS: readonly Rich[] = [
  {
    apiVersion: "v1",
    kind: "Service",
    object: {
      spec: {
        type: "LoadBalancer",
        selector: labels,
        ports: [{ name: "sql", port: 80, targetPort: "sql", protocol: "TCP", appProtocol: "http" }],
        sessionAffinity: "ClientIP",
        sessionAffinityConfig: { clientIP: { timeoutSeconds: 10 } },
        externalTrafficPolicy: "Cluster",
        internalTrafficPolicy: "Cluster",
        externalIPs: ["1.2.3.4"],
        loadBalancerSourceRanges: ["10.0.0.0/8"],
        loadBalancerClass: "example.com/x",
        publishNotReadyAddresses: true,
      },
    },
    status: {
      loadBalancer: { ingress: [{ ip: "1.2.3.4", hostname: "h", ipMode: "VIP" }] },
      conditions: [{ ...condition, lastTransitionTime: "2020-01-01T00:00:00Z" }],
    },
  },
  {
    apiVersion: "v1",
    kind: "ResourceQuota",
    object: {
      spec: {
        hard: { pods: "1", "requests.cpu": "1" },
        scopes: ["NotTerminating"],
        scopeSelector: { matchExpressions: [{ scopeName: "PriorityClass", operator: "In", values: ["high"] }] },
      },
    },
    status: { hard: { pods: "1" }, used: { pods: "0" } },
  },
  {
    apiVersion: "v1",
    kind: "LimitRange",
    object: {
      spec: {
        limits: [
          {
            type: "Container",
            max: { cpu: "2" },
            min: { cpu: "1" },
            default: { cpu: "2" },
            defaultRequest: { cpu: "1" },
            maxLimitRequestRatio: { cpu: "2" },
          },
        ],
      },
    },
  },
  {
    apiVersion: "v1",
    kind: "Namespace",
    object: { spec: { finalizers: ["kubernetes"] } },
    status: { phase: "Active", conditions: [{ ...condition, type: "NamespaceDeletionContentFailure" }] },
  },
  {
    apiVersion: "v1",
    kind: "Node",
    object: {
      spec: {
        podCIDR: "10.0.0.0/24",
        podCIDRs: ["10.0.0.0/24"],
        providerID: "p",
        taints: [{ key: "k", value: "v", effect: "NoSchedule" }],
      },
    },
    status: {
      capacity: { cpu: "1" },
      allocatable: { cpu: "1" },
      conditions: [condition],
      addresses: [{ type: "InternalIP", address: "1.2.3.4" }],
      daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
      images: [{ names: ["x"], sizeBytes: 1 }],
      volumesInUse: ["x"],
      volumesAttached: [{ name: "x", devicePath: "y" }],
    },
  },
  {
    apiVersion: "v1",
    kind: "Secret",
    object: { type: "Opaque", data: { a: "AA==" }, stringData: { b: "c" }, immutable: false },
  },
  { apiVersion: "v1", kind: "ConfigMap", object: { data: { a: "b" }, binaryData: { c: "AA==" }, immutable: false } },
  {
    apiVersion: "v1",
    kind: "ServiceAccount",
    object: { automountServiceAccountToken: true, secrets: [{ name: "s" }], imagePullSecrets: [{ name: "p" }] },
  },
  {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    object: {
      spec: {
        holderIdentity: "me",
        leaseDurationSeconds: 10,
        leaseTransitions: 1,
      },
    },
  },
  {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    object: { spec: { minAvailable: 1, selector: { matchLabels: labels }, unhealthyPodEvictionPolicy: "AlwaysAllow" } },
    status: {
      currentHealthy: 1,
      desiredHealthy: 1,
      disruptionsAllowed: 1,
      expectedPods: 1,
      conditions: [{ ...condition, lastTransitionTime: "2020-01-01T00:00:00Z" }],
    },
  },
  {
    apiVersion: "v1",
    kind: "Event",
    object: {
      involvedObject: { kind: "Pod", namespace: "NAMESPACE", name: "x", apiVersion: "v1", fieldPath: "f" },
      reason: "Because",
      message: "m",
      source: { component: "c", host: "h" },
      count: 2,
      type: "Normal",
      series: { count: 2, lastObservedTime: "2026-01-01T00:00:00.000000Z" },
      eventTime: "2026-01-01T00:00:00.000000Z",
      reportingComponent: "example.com/c",
      reportingInstance: "i",
      action: "Doing",
    },
  },
  {
    apiVersion: "events.k8s.io/v1",
    kind: "Event",
    object: {
      regarding: { kind: "Pod", namespace: "NAMESPACE", name: "x" },
      reason: "Because",
      action: "Doing",
      note: "n",
      type: "Normal",
      eventTime: "2026-01-01T00:00:00.000000Z",
      reportingController: "example.com/story",
      reportingInstance: "one",
      series: { count: 2, lastObservedTime: "2026-01-01T00:00:00.000000Z" },
    },
  },
  {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    object: {
      addressType: "IPv4",
      endpoints: [
        {
          addresses: ["1.2.3.4"],
          conditions: { ready: true },
          hostname: "h",
          nodeName: "n",
          zone: "z",
          hints: { forZones: [{ name: "z" }] },
          targetRef: { kind: "Pod", name: "p" },
        },
      ],
      ports: [{ name: "sql", port: 80, protocol: "TCP", appProtocol: "http" }],
    },
  },
  {
    apiVersion: "v1",
    kind: "Endpoints",
    object: {
      subsets: [
        {
          addresses: [{ ip: "1.2.3.4", hostname: "h", nodeName: "n", targetRef: { kind: "Pod", name: "p" } }],
          ports: [{ name: "sql", port: 80, protocol: "TCP" }],
        },
      ],
    },
  },
  {
    apiVersion: "scheduling.k8s.io/v1",
    kind: "PriorityClass",
    object: { value: 5, globalDefault: false, description: "d", preemptionPolicy: "Never" },
  },
  {
    apiVersion: RBAC,
    kind: "Role",
    object: { rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"], resourceNames: ["x"] }] },
  },
  {
    apiVersion: RBAC,
    kind: "ClusterRole",
    object: { rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }] },
  },
  ...["RoleBinding", "ClusterRoleBinding"].map((kind) => ({
    apiVersion: RBAC,
    kind,
    object: {
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" },
      subjects: [
        { kind: "ServiceAccount", name: "a", namespace: "default" },
        { kind: "User", name: "u", apiGroup: "rbac.authorization.k8s.io" },
      ],
    },
  })),
];
