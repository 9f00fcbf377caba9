/** Everything else that a cluster and a chart have. */
import { POLICY_STATES } from "./policy-states.ts";
import type { Actor } from "./scene.ts";

const LONG_AGO = "2024-05-06T07:08:09Z";
const RECENTLY = "2026-01-01T00:00:00Z";
const PORT = { port: 80 };
const WEBHOOK = {
  name: "one.example.com",
  clientConfig: { url: "https://example.com/hook" },
  sideEffects: "None",
  admissionReviewVersions: ["v1"],
  rules: [],
};
const SUBJECTS = [
  { kind: "User", name: "ann", apiGroup: "rbac.authorization.k8s.io" },
  { kind: "User", name: "bob", apiGroup: "rbac.authorization.k8s.io" },
  { kind: "Group", name: "ops", apiGroup: "rbac.authorization.k8s.io" },
  { kind: "ServiceAccount", name: "robot", namespace: "prod" },
];
const roleRef = (kind: string) => ({ apiGroup: "rbac.authorization.k8s.io", kind, name: "view" });
const event = { involvedObject: { kind: "PersistentVolumeClaim", namespace: "default", name: "data" } };
const address = (ip: string) => ({ ip });
const rule = (host?: string) => ({
  ...(host === undefined ? {} : { host }),
  http: { paths: [{ path: "/", pathType: "Prefix", backend: { service: { name: "web", port: { number: 80 } } } }] },
});
const ingress = (name: string, spec: object, status?: object): Actor => ({
  kind: "networking.k8s.io/Ingress",
  name,
  body: { spec },
  ...(status === undefined ? {} : { status }),
});
const service = (name: string, spec: object, status?: object): Actor => ({
  kind: "Service",
  name,
  body: { spec: { ports: [PORT], ...spec } },
  ...(status === undefined ? {} : { status }),
});

const NETWORK: readonly Actor[] = [
  service("plain", { selector: { b: "2", a: "1" } }),
  service("headless", { clusterIP: "None", ports: [] }),
  service("node-port", {
    type: "NodePort",
    ports: [
      { port: 53, nodePort: 30053, protocol: "UDP" },
      { ...PORT, name: "web" },
    ].map((port, index) => ({ name: `p${index}`, ...port })),
  }),
  service("pending", { type: "LoadBalancer" }),
  service(
    "balanced",
    { type: "LoadBalancer", externalIPs: ["192.0.2.9"] },
    {
      loadBalancer: { ingress: [{ ip: "192.0.2.8" }, { hostname: "lb.example.com" }, { ip: "192.0.2.1" }] },
    },
  ),
  service("external-ips", { externalIPs: ["192.0.2.1", "192.0.2.2"] }),
  service("elsewhere", { type: "ExternalName", externalName: "db.example.com", ports: [] }),
  { kind: "Endpoints", name: "none" },
  {
    kind: "Endpoints",
    name: "portless",
    body: { subsets: [{ addresses: [address("10.0.0.1"), address("10.0.0.2")] }] },
  },
  {
    kind: "Endpoints",
    name: "many",
    body: {
      subsets: [
        {
          addresses: [address("10.0.0.1"), address("10.0.0.2"), address("fd00::1")],
          ports: [
            { name: "a", port: 80 },
            { name: "b", port: 443 },
          ],
        },
      ],
    },
  },
  {
    kind: "Endpoints",
    name: "unready",
    body: { subsets: [{ notReadyAddresses: [address("10.0.0.3")], ports: [PORT] }] },
  },
  {
    kind: "discovery.k8s.io/EndpointSlice",
    name: "empty",
    body: { addressType: "IPv4", endpoints: [] },
  },
  {
    kind: "discovery.k8s.io/EndpointSlice",
    name: "many",
    body: {
      addressType: "IPv4",
      ports: [{ name: "a", port: 80 }, { name: "b" }, { name: "c", port: 1 }, { name: "d", port: 2 }],
      endpoints: [{ addresses: ["10.0.0.1"] }, { addresses: ["10.0.0.2"] }, { addresses: ["10.0.0.3"] }],
    },
  },
  ingress("any-host", { defaultBackend: { service: { name: "web", port: { number: 80 } } } }),
  ingress("three", { ingressClassName: "nginx", tls: [{}], rules: ["a.com", "b.com", "c.com"].map(rule) }),
  ingress("four", { rules: ["a.com", "b.com", "c.com", "d.com"].map(rule) }),
  ingress(
    "three-and-any",
    { rules: [rule("a.com"), rule("b.com"), rule("c.com"), rule()] },
    {
      loadBalancer: { ingress: [{ hostname: "lb.example.com" }, { ip: "192.0.2.1" }] },
    },
  ),
  ingress("any-and-three", { rules: [rule(), rule("a.com"), rule("b.com"), rule("c.com")] }),
  {
    kind: "networking.k8s.io/IngressClass",
    name: "nginx",
    annotations: { "ingressclass.kubernetes.io/is-default-class": "true" },
    body: {
      spec: { controller: "example.com/nginx", parameters: { apiGroup: "example.com", kind: "Settings", name: "x" } },
    },
  },
  {
    kind: "networking.k8s.io/IngressClass",
    name: "core-parameters",
    body: { spec: { controller: "example.com/other", parameters: { kind: "ConfigMap", name: "x" } } },
  },
  { kind: "networking.k8s.io/IngressClass", name: "bare", body: { spec: { controller: "example.com/bare" } } },
  { kind: "networking.k8s.io/NetworkPolicy", name: "all", body: { spec: { podSelector: {} } } },
  {
    kind: "networking.k8s.io/NetworkPolicy",
    name: "some",
    body: {
      spec: { podSelector: { matchLabels: { b: "2", a: "1" }, matchExpressions: [{ key: "aa", operator: "Exists" }] } },
    },
  },
];

const EVENTS: readonly Actor[] = [
  {
    kind: "Event",
    name: "counted",
    body: {
      ...event,
      type: "Warning",
      reason: "VolumeResizeFailed",
      message: "  it is full\n",
      source: { component: "resizer", host: "node-a" },
      firstTimestamp: LONG_AGO,
      lastTimestamp: RECENTLY,
      count: 12,
    },
  },
  {
    kind: "Event",
    name: "single",
    body: {
      involvedObject: { kind: "Pod", namespace: "default", name: "db-0", fieldPath: "spec.containers{main}" },
      type: "Normal",
      reason: "Started",
      message: "started",
      reportingComponent: "kubelet",
      firstTimestamp: LONG_AGO,
    },
  },
  { kind: "Event", name: "bare", body: { involvedObject: { kind: "Node", namespace: "default" } } },
  {
    kind: "events.k8s.io/Event",
    name: "series",
    body: {
      regarding: event.involvedObject,
      type: "Normal",
      reason: "Resizing",
      action: "Resize",
      note: "growing",
      reportingController: "example.com/resizer",
      reportingInstance: "resizer-0",
      eventTime: "2024-05-06T07:08:09.000000Z",
      series: { count: 5, lastObservedTime: "2026-01-01T00:00:00.000000Z" },
    },
  },
];

const BASICS: readonly Actor[] = [
  { kind: "ConfigMap", name: "empty" },
  { kind: "ConfigMap", name: "both", body: { data: { a: "1", b: "2" }, binaryData: { c: "AAAA" } } },
  { kind: "Secret", name: "empty" },
  { kind: "Secret", name: "typed", body: { type: "example.com/own", stringData: { a: "1", b: "2" } } },
  { kind: "ServiceAccount", name: "robot" },
  { kind: "LimitRange", name: "limits", body: { spec: { limits: [{ type: "Container", max: { cpu: "1" } }] } } },
  { kind: "Namespace", name: "prod" },
  { kind: "Namespace", name: "going", deleted: true },
  { kind: "Node", name: "silent" },
  {
    kind: "Node",
    name: "node-a",
    labels: {
      "node-role.kubernetes.io/worker": "",
      "node-role.kubernetes.io/control-plane": "",
      "kubernetes.io/role": "db",
    },
    status: {
      conditions: [{ type: "Ready", status: "True" }],
      addresses: [
        { type: "Hostname", address: "node-a" },
        { type: "InternalIP", address: "10.0.0.1" },
        { type: "ExternalIP", address: "192.0.2.1" },
      ],
      nodeInfo: {
        architecture: "amd64",
        bootID: "",
        containerRuntimeVersion: "containerd://2.0.0",
        kernelVersion: "6.12.0",
        kubeProxyVersion: "",
        kubeletVersion: "v1.36.3",
        machineID: "",
        operatingSystem: "linux",
        osImage: "Debian",
        systemUUID: "",
      },
    },
  },
  {
    kind: "Node",
    name: "cordoned",
    body: { spec: { unschedulable: true } },
    status: { conditions: [{ type: "Ready", status: "Unknown" }] },
  },
  {
    kind: "ResourceQuota",
    name: "full",
    body: { spec: { hard: { "requests.storage": "1Ti", "limits.cpu": "4", persistentvolumeclaims: "10" } } },
    status: {
      hard: { "requests.storage": "1Ti", "limits.cpu": "4", persistentvolumeclaims: "10" },
      used: { "requests.storage": "100Gi", "limits.cpu": "500m" },
    },
  },
  { kind: "ResourceQuota", name: "fresh", body: { spec: { hard: { pods: "3" } } } },
  { kind: "coordination.k8s.io/Lease", name: "held", body: { spec: { holderIdentity: "resizer-0" } } },
  { kind: "coordination.k8s.io/Lease", name: "free", body: { spec: {} } },
  {
    kind: "scheduling.k8s.io/PriorityClass",
    name: "high",
    body: { value: 1000, globalDefault: true, preemptionPolicy: "Never" },
  },
  { kind: "scheduling.k8s.io/PriorityClass", name: "low", body: { value: -5 } },
  { kind: "admissionregistration.k8s.io/MutatingWebhookConfiguration", name: "one", body: { webhooks: [WEBHOOK] } },
  { kind: "admissionregistration.k8s.io/ValidatingWebhookConfiguration", name: "none", body: { webhooks: [] } },
  ...POLICY_STATES,
  { kind: "rbac.authorization.k8s.io/Role", name: "view", body: { rules: [] } },
  {
    kind: "rbac.authorization.k8s.io/RoleBinding",
    name: "many",
    body: { roleRef: roleRef("Role"), subjects: SUBJECTS },
  },
  { kind: "rbac.authorization.k8s.io/ClusterRoleBinding", name: "nobody", body: { roleRef: roleRef("ClusterRole") } },
];

export const OTHERS: readonly Actor[] = [...NETWORK, ...EVENTS, ...BASICS];
