/** Requests that admission changes or refuses. */
import type { JsonObject } from "../../../src/cluster/api/json.ts";
import { ENDING, type Placed } from "./scene.ts";

export interface Case {
  readonly name: string;
  /** To be created; with `edit`, what is merged into the object of this name that the scene has. */
  readonly object: Placed;
  readonly edit?: boolean;
}

let count = 0;

function of(apiVersion: string, kind: string) {
  return (name: string, namespace: string, fields: JsonObject = {}): Case => {
    const { metadata, ...rest } = fields as { metadata?: JsonObject };
    const where = namespace === "" ? {} : { namespace };
    const object = { apiVersion, kind, metadata: { name: `case-${count++}`, ...where, ...metadata }, ...rest };
    return { name: `${kind}: ${name}`, object };
  };
}

const configMap = of("v1", "ConfigMap");
const node = of("v1", "Node");
const volume = of("v1", "PersistentVolume");
const ingress = of("networking.k8s.io/v1", "Ingress");
const priorityClass = of("scheduling.k8s.io/v1", "PriorityClass");

const container = (resources: JsonObject = {}, name = "main"): JsonObject => ({ name, image: "db:1", resources });
const pod = (name: string, namespace: string, spec: JsonObject = {}): Case =>
  of("v1", "Pod")(name, namespace, {
    spec: { automountServiceAccountToken: false, containers: [container()], ...spec },
  });
const sized = (requests: JsonObject, limits: JsonObject = {}): JsonObject => ({
  containers: [container({ requests, limits })],
});

const claim = (name: string, namespace: string, storage: string, spec: JsonObject = {}): Case =>
  of("v1", "PersistentVolumeClaim")(name, namespace, {
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } }, ...spec },
  });
const grown = (stored: string): Case => ({
  name: `PersistentVolumeClaim: ${stored} grows`,
  edit: true,
  object: {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name: stored, namespace: "free" },
    spec: { resources: { requests: { storage: "2Gi" } } },
  },
});
const ports = [{ port: 80 }];
const service = (name: string, spec: JsonObject, namespace = "free"): Case =>
  of("v1", "Service")(name, namespace, { spec: { ports, selector: { app: "db" }, ...spec } });
const edited = (name: string, spec: JsonObject): Case => ({
  name: `Service: ${name}`,
  edit: true,
  object: { apiVersion: "v1", kind: "Service", metadata: { name: "fixed", namespace: "free" }, spec },
});

export const CASES: readonly Case[] = [
  configMap("in a namespace that is not there", "nowhere"),
  configMap("in a namespace that is going", ENDING),
  {
    name: "ConfigMap: changed in a namespace that is going",
    edit: true,
    object: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "here", namespace: ENDING }, data: { a: "b" } },
  },

  node("is not ready at first", ""),
  node("has the taint already", "", {
    spec: { taints: [{ key: "node.kubernetes.io/not-ready", effect: "NoSchedule" }] },
  }),
  volume("is protected", "", {
    spec: {
      capacity: { storage: "1Gi" },
      accessModes: ["ReadWriteOnce"],
      csi: { driver: "csi.example.com", volumeHandle: "v" },
    },
  }),
  of("storage.k8s.io/v1", "VolumeAttributesClass")("is protected", "", {
    driverName: "csi.example.com",
    parameters: { a: "b" },
  }),
  ingress("without a class", "free", { spec: { defaultBackend: { service: { name: "s", port: { number: 80 } } } } }),
  ingress("with a class", "free", {
    spec: { ingressClassName: "other", defaultBackend: { service: { name: "s", port: { number: 80 } } } },
  }),
  ingress("with a class in the old place", "free", {
    metadata: { annotations: { "kubernetes.io/ingress.class": "old" } },
    spec: { defaultBackend: { service: { name: "s", port: { number: 80 } } } },
  }),

  priorityClass("a second default", "", { value: 5, globalDefault: true }),
  pod("with all that every pod gets", "free"),
  pod("of an account with pull secrets", "free", { serviceAccountName: "puller" }),
  pod("of an account that is not there", "free", { serviceAccountName: "stranger" }),
  pod("with a volume for its token", "free", { automountServiceAccountToken: true }),
  pod("of a class", "free", { priorityClassName: "meek" }),
  pod("of a class of the system", "free", { priorityClassName: "system-node-critical" }),
  pod("of a class that is not there", "free", { priorityClassName: "nobody" }),
  pod("with a priority of its own", "free", { priorityClassName: "meek", priority: 7 }),
  pod("with a policy of its own", "free", { priorityClassName: "meek", preemptionPolicy: "PreemptLowerPriority" }),
  pod("that tolerates everything", "free", { tolerations: [{ operator: "Exists" }] }),
  pod("that tolerates one taint longer", "free", {
    tolerations: [
      { key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoExecute", tolerationSeconds: 9 },
    ],
  }),

  pod("that gets limits", "limits"),
  pod("that gets what it lacks, init containers too", "limits", {
    containers: [container({ limits: { cpu: "1500m" } })],
    initContainers: [container({}, "first")],
  }),
  pod("below the minimum", "limits", sized({ cpu: "50m" })),
  pod("above the maximum", "limits", sized({}, { cpu: "3" })),
  pod("as a whole above the maximum", "pod-limits", {
    containers: [
      container({ limits: { cpu: "1500m", memory: "1Gi" } }),
      container({ limits: { cpu: "1", memory: "1Gi" } }, "other"),
    ],
  }),
  pod("as a whole below the minimum", "pod-limits", sized({ memory: "1Mi" }, { cpu: "1" })),
  pod("as a whole without what is asked", "pod-limits", sized({ memory: "64Mi" })),
  pod("with sidecars and init containers within the maximum", "pod-limits", {
    ...sized({ memory: "64Mi" }, { cpu: "500m" }),
    initContainers: [
      { ...container({ limits: { cpu: "500m" } }, "beside"), restartPolicy: "Always" },
      container({ limits: { cpu: "1500m" } }, "first"),
    ],
  }),
  pod("with sidecars and init containers above the maximum", "pod-limits", {
    ...sized({ memory: "64Mi" }, { cpu: "500m" }),
    initContainers: [
      { ...container({ limits: { cpu: "600m" } }, "beside"), restartPolicy: "Always" },
      container({ limits: { cpu: "1500m" } }, "first"),
    ],
  }),
  pod("with too far a ratio", "ratio", sized({ cpu: "300m" }, { cpu: "1" })),
  pod("with a ratio of nothing", "ratio"),
  pod("with a fine ratio", "ratio", sized({ cpu: "500m" }, { cpu: "1" })),

  claim("without a class", "free", "1Gi"),
  claim("with no class on purpose", "free", "1Gi", { storageClassName: "" }),
  claim("too small", "claims", "1Mi"),
  claim("too large", "claims", "11Gi"),
  grown("flexible"),
  grown("rigid"),
  grown("orphan"),
  grown("classless"),

  claim("within quota", "quota", "2Gi"),
  claim("beyond the storage of its namespace", "quota", "3Gi"),
  claim("beyond the storage of its class", "quota", "2100Mi", { storageClassName: "rigid" }),
  configMap("one too many", "quota"),
  of("v1", "Secret")("one too many", "quota"),
  of("apps/v1", "StatefulSet")("one too many", "quota", {
    spec: {
      selector: { matchLabels: { app: "db" } },
      template: { metadata: { labels: { app: "db" } }, spec: { containers: [container()] } },
    },
  }),
  service(
    "too many node ports",
    {
      type: "NodePort",
      ports: [
        { name: "a", port: 1 },
        { name: "b", port: 2 },
      ],
    },
    "quota",
  ),
  service("no load balancers", { type: "LoadBalancer" }, "quota"),
  pod("says nothing of what is limited", "quota"),
  pod("says half of what is limited", "quota", {
    containers: [container({ requests: { cpu: "1" } }), container({ limits: { memory: "1Mi" } }, "other")],
  }),
  pod("asks for too much", "quota", sized({ cpu: "3" }, { memory: "2Gi" })),
  pod("asks for too many devices", "quota", sized({ cpu: "1" }, { memory: "1Gi", "example.com/gpu": "2" })),
  pod("within quota", "quota", sized({ cpu: "2" }, { memory: "1Gi" })),
  pod("best effort where none is allowed", "scopes"),
  pod("that ends by itself where none may", "scopes", { ...sized({ cpu: "1" }), activeDeadlineSeconds: 5 }),
  pod("of a class that is limited", "scopes", { ...sized({ cpu: "1" }), priorityClassName: "meek" }),
  pod("in no scope", "scopes", sized({ cpu: "1" })),
  claim("before usage is known", "unknown", "1Gi"),
  pod("before usage is known", "unknown"),
  configMap("that no quota counts", "unknown"),

  service("with an address that is taken", { clusterIP: "10.96.0.77" }),
  service("with an address of another network", { clusterIP: "10.1.0.1" }),
  service("with the network for an address", { clusterIP: "10.96.0.0" }),
  service("with an address that is none", { clusterIP: "ten" }),
  service("with an address of the other family", { clusterIP: "2001:db8::1" }),
  service("without an address", { clusterIP: "None" }),
  service("without address and selector", { clusterIP: "None", selector: {} }),
  service("that prefers both families", {
    type: "ClusterIP",
    clusterIP: "10.96.0.78",
    ipFamilyPolicy: "PreferDualStack",
  }),
  service("that requires both families", { ipFamilyPolicy: "RequireDualStack" }),
  service("of the other family", { ipFamilies: ["IPv6"] }),
  service("of an unknown family", { ipFamilies: ["IPv5"] }),
  service("of one family twice", { ipFamilies: ["IPv4", "IPv4"], ipFamilyPolicy: "PreferDualStack" }),
  service("of an unknown policy", { ipFamilyPolicy: "Whatever" }),
  service("with two families and one policy", { ipFamilies: ["IPv4", "IPv6"], ipFamilyPolicy: "SingleStack" }),
  service("with addresses that do not fit", { clusterIP: "10.96.0.78", clusterIPs: ["10.96.0.79"] }),
  service("with a node port that is taken", {
    type: "NodePort",
    clusterIP: "10.96.0.78",
    ports: [{ port: 80, nodePort: 30_077 }],
  }),
  service("with a node port out of range", {
    type: "NodePort",
    clusterIP: "10.96.0.78",
    ports: [{ port: 80, nodePort: 80 }],
  }),
  service("with one node port for two protocols", {
    type: "NodePort",
    clusterIP: "10.96.0.78",
    ports: [
      { name: "a", port: 53, protocol: "TCP", nodePort: 30_078 },
      { name: "b", port: 53, protocol: "UDP" },
    ],
  }),
  service("elsewhere", { type: "ExternalName", externalName: "db.example.com", ports: [] }),
  edited("another address", { clusterIP: "10.96.0.78", clusterIPs: ["10.96.0.78"] }),
  edited("another address in the old field", { clusterIP: "10.96.0.78" }),
  edited("no address any more", { clusterIP: "None", clusterIPs: ["None"] }),
  edited("from node port to cluster", { type: "ClusterIP" }),
  edited("from here to elsewhere", { type: "ExternalName", externalName: "db.example.com" }),
  edited("another node port", { ports: [{ port: 80, protocol: "TCP", targetPort: 80, nodePort: 30_079 }] }),
  edited("node port left out", { ports: [{ port: 80, protocol: "TCP", targetPort: 80 }] }),
];
