/** Objects to patch, and parts of objects to patch them with, of five kinds. */
import type { Json, JsonObject } from "../../../src/cluster/api/json.ts";
import type { Random } from "./random.ts";

export interface Kind {
  readonly apiVersion: string;
  readonly kind: string;
  /** Of the collection. */
  readonly path: string;
  readonly status: boolean;
  /** The schema in its definition, for a kind of our own. */
  readonly custom?: JsonObject;
  /** A whole object that the server takes. */
  readonly base: JsonObject;
  /** Some fields of such an object; each list item and map entry is whole. */
  part(random: Random): JsonObject;
  statusPart?(random: Random): JsonObject;
}

const NAMESPACE = "default";
const core = (plural: string) => `/api/v1/namespaces/${NAMESPACE}/${plural}`;

/** An entry now and then. */
function sometimes(random: Random, n: number, entries: () => JsonObject): JsonObject {
  return random.once(n) ? entries() : {};
}

function texts(random: Random, prefix: string): JsonObject {
  return Object.fromEntries(random.some(["a", "b", "c", "d"]).map((key) => [`${prefix}${key}`, `v${random.below(3)}`]));
}

function owner(name: string, uid: string): JsonObject {
  return { apiVersion: "v1", kind: "ConfigMap", name, uid: `00000000-0000-4000-8000-00000000000${uid}` };
}

export function metadataPart(random: Random): JsonObject {
  return {
    ...sometimes(random, 3, () => ({ labels: texts(random, "l-") })),
    ...sometimes(random, 3, () => ({ annotations: texts(random, "example.com/") })),
    ...sometimes(random, 4, () => ({ finalizers: random.some(["example.com/a", "example.com/b", "example.com/c"]) })),
    ...sometimes(random, 5, () => ({ ownerReferences: random.some([owner("x", "1"), owner("y", "2")]) })),
  };
}

function container(random: Random, name: string): JsonObject {
  const variable = (each: string): Json => ({ name: each, value: `v${random.below(3)}` });
  const port = (containerPort: number): Json => ({
    containerPort,
    ...sometimes(random, 2, () => ({ protocol: random.pick(["TCP", "UDP"]) })),
    ...sometimes(random, 3, () => ({ name: `p-${containerPort}` })),
  });
  return {
    name,
    image: `image-${random.below(3)}`,
    ...sometimes(random, 2, () => ({ env: random.some(["A", "B", "C"]).map(variable) })),
    ...sometimes(random, 3, () => ({ ports: random.some([80, 81, 82]).map(port) })),
    ...sometimes(random, 4, () => ({ args: random.some(["-a", "-b", "-c"]) })),
    ...sometimes(random, 3, () => ({ resources: { requests: { cpu: `${1 + random.below(3)}00m` } } })),
    ...sometimes(random, 4, () => ({
      volumeMounts: random.some(["/x", "/y"]).map((mountPath) => ({ mountPath, name: random.pick(["u", "v"]) })),
    })),
    ...sometimes(random, 6, () => ({ securityContext: { runAsUser: random.below(3), privileged: false } })),
    ...sometimes(random, 6, () => ({ readinessProbe: { tcpSocket: { port: random.pick([80, "http"]) } } })),
  };
}

function podSpecPart(random: Random): JsonObject {
  const volumes = [
    { name: "u", emptyDir: {} },
    { name: "v", configMap: { name: `map-${random.below(2)}` } },
  ];
  return {
    ...sometimes(random, 1, () => ({
      containers: random.some(["a", "b", "c"]).map((name) => container(random, name)),
    })),
    ...sometimes(random, 4, () => ({ volumes: random.some(volumes) })),
    ...sometimes(random, 5, () => ({ nodeSelector: texts(random, "n-") })),
    ...sometimes(random, 5, () => ({ imagePullSecrets: random.some(["s", "t"]).map((name) => ({ name })) })),
    ...sometimes(random, 6, () => ({
      hostAliases: random.some(["10.0.0.1", "10.0.0.2"]).map((ip) => ({ ip, hostnames: random.some(["h", "i"]) })),
    })),
    ...sometimes(random, 6, () => ({
      tolerations: random.some(["k", "l"]).map((key) => ({ key, operator: "Exists" })),
    })),
    ...sometimes(random, 6, () => ({ terminationGracePeriodSeconds: random.below(40) })),
  };
}

function template(labels: JsonObject): JsonObject {
  return {
    metadata: { labels },
    spec: {
      containers: [{ name: "a", image: "image-0" }],
      volumes: [
        { name: "u", emptyDir: {} },
        { name: "v", emptyDir: {} },
      ],
    },
  };
}

function conditions(random: Random, types: readonly string[]): Json {
  return random
    .some(types)
    .map((type) => ({ type, status: random.pick(["True", "False"]), reason: `R${random.below(3)}` }));
}

const STRING = { type: "string" };
const structure = (properties: JsonObject): JsonObject => ({ type: "object", properties });
const keyed = (keys: readonly string[], properties: JsonObject): JsonObject => ({
  type: "array",
  items: { ...structure(properties), required: [keys[0]!] },
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": keys,
});

const WIDGET: JsonObject = structure({
  spec: structure({
    size: { type: "integer" },
    tags: { type: "array", items: STRING, "x-kubernetes-list-type": "set" },
    ports: keyed(["port", "protocol"], {
      port: { type: "integer" },
      protocol: { ...STRING, default: "TCP" },
      name: STRING,
    }),
    rules: { type: "array", items: structure({ verb: STRING }) },
    options: { type: "object", additionalProperties: STRING },
    whole: { type: "object", additionalProperties: STRING, "x-kubernetes-map-type": "atomic" },
    target: { "x-kubernetes-int-or-string": true },
    free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  }),
  status: structure({ phase: STRING, conditions: keyed(["type"], { type: STRING, status: STRING, reason: STRING }) }),
});

export const KINDS: readonly Kind[] = [
  {
    apiVersion: "example.com/v1",
    kind: "Widget",
    path: `/apis/example.com/v1/namespaces/${NAMESPACE}/widgets`,
    status: true,
    custom: WIDGET,
    base: { spec: { size: 1, tags: ["x"], free: { a: { b: [1] } } } },
    part: (random) => ({
      ...sometimes(random, 2, () => ({ size: random.below(4) })),
      ...sometimes(random, 2, () => ({ tags: random.some(["x", "y", "z"]) })),
      ...sometimes(random, 2, () => ({
        ports: random
          .some([1, 2, 3])
          .map((port) => ({ port, protocol: random.pick(["TCP", "UDP"]), name: `p${random.below(2)}` })),
      })),
      ...sometimes(random, 3, () => ({ rules: random.some(["get", "list"]).map((verb) => ({ verb })) })),
      ...sometimes(random, 3, () => ({ options: texts(random, "o-") })),
      ...sometimes(random, 3, () => ({ whole: texts(random, "w-") })),
      ...sometimes(random, 3, () => ({ target: random.pick([80, "http"]) })),
      ...sometimes(random, 3, () => ({
        free: { a: random.pick<Json>([1, "x", [1, 2], { b: 1 }, {}]), ...texts(random, "f-") },
      })),
    }),
    statusPart: (random) => ({
      ...sometimes(random, 2, () => ({ phase: random.pick(["A", "B"]) })),
      ...sometimes(random, 2, () => ({ conditions: conditions(random, ["X", "Y"]) })),
    }),
  },
  {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    path: `/apis/apps/v1/namespaces/${NAMESPACE}/statefulsets`,
    status: true,
    base: {
      spec: {
        serviceName: "s",
        selector: { matchLabels: { app: "s" } },
        template: template({ app: "s" }),
        volumeClaimTemplates: [
          {
            metadata: { name: "data" },
            spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
          },
        ],
      },
    },
    part: (random) => ({
      ...sometimes(random, 2, () => ({ replicas: random.below(4) })),
      ...sometimes(random, 5, () => ({ minReadySeconds: random.below(3) })),
      ...sometimes(random, 6, () => ({
        updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: random.below(3) } },
      })),
      ...sometimes(random, 2, () => ({
        template: {
          ...sometimes(random, 3, () => ({ metadata: { annotations: texts(random, "example.com/") } })),
          spec: podSpecPart(random),
        },
      })),
    }),
    statusPart: (random) => ({
      replicas: random.below(3),
      ...sometimes(random, 2, () => ({ readyReplicas: 0 })),
      ...sometimes(random, 2, () => ({ conditions: conditions(random, ["X", "Y", "Z"]) })),
    }),
  },
  {
    apiVersion: "v1",
    kind: "Pod",
    path: core("pods"),
    status: true,
    base: { spec: template({})["spec"]! },
    part: (random) => ({
      ...sometimes(random, 2, () => ({ containers: [{ name: "a", image: `image-${random.below(3)}` }] })),
      ...sometimes(random, 8, () => ({ activeDeadlineSeconds: 100 - random.below(50) })),
      ...sometimes(random, 8, () => podSpecPart(random)),
    }),
    statusPart: (random) => ({
      ...sometimes(random, 2, () => ({ phase: random.pick(["Pending", "Running"]) })),
      ...sometimes(random, 2, () => ({ message: `m${random.below(3)}` })),
      ...sometimes(random, 2, () => ({ conditions: conditions(random, ["Ready", "PodScheduled", "Initialized"]) })),
    }),
  },
  {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    path: core("persistentvolumeclaims"),
    status: true,
    base: {
      spec: { accessModes: ["ReadWriteOnce"], storageClassName: "", resources: { requests: { storage: "1Gi" } } },
    },
    part: (random) => ({
      ...sometimes(random, 3, () => ({ accessModes: ["ReadWriteOnce"] })),
      ...sometimes(random, 3, () => ({ resources: { requests: { storage: random.pick(["1Gi", "1024Mi", "2Gi"]) } } })),
      ...sometimes(random, 6, () => ({ volumeName: "pv" })),
    }),
    statusPart: (random) => ({
      ...sometimes(random, 2, () => ({ phase: random.pick(["Pending", "Bound"]) })),
      ...sometimes(random, 2, () => ({ capacity: { storage: random.pick(["1Gi", "2Gi"]) } })),
      ...sometimes(random, 2, () => ({ allocatedResources: { storage: random.pick(["1Gi", "2Gi"]) } })),
      ...sometimes(random, 2, () => ({
        allocatedResourceStatuses: { storage: random.pick(["ControllerResizeInProgress", "NodeResizePending"]) },
      })),
      ...sometimes(random, 2, () => ({ conditions: conditions(random, ["Resizing", "FileSystemResizePending"]) })),
    }),
  },
  {
    apiVersion: "v1",
    kind: "Service",
    path: core("services"),
    status: true,
    base: { spec: { clusterIP: "None", selector: { app: "s" }, ports: [{ name: "p-80", port: 80 }] } },
    part: (random) => ({
      ...sometimes(random, 2, () => ({
        ports: random.some([80, 81, 82]).map((port) => ({
          port,
          name: `p-${port}`,
          ...sometimes(random, 2, () => ({ targetPort: 90 + random.below(3) })),
        })),
      })),
      ...sometimes(random, 3, () => ({ selector: texts(random, "s-") })),
      ...sometimes(random, 4, () => ({ publishNotReadyAddresses: random.once(2) })),
      ...sometimes(random, 4, () => ({ externalIPs: random.some(["10.1.0.1", "10.1.0.2"]) })),
    }),
    statusPart: (random) => ({
      conditions: (conditions(random, ["X", "Y"]) as JsonObject[]).map((each) => ({
        ...each,
        message: "",
        lastTransitionTime: "2026-01-01T00:00:00Z",
      })),
    }),
  },
  {
    apiVersion: "v1",
    kind: "ConfigMap",
    path: core("configmaps"),
    status: false,
    base: { data: { a: "v0" } },
    part: (random) => ({
      ...sometimes(random, 1, () => ({ data: texts(random, "") })),
      ...sometimes(random, 4, () => ({ binaryData: { z: random.pick(["AA==", "AQ=="]) } })),
    }),
  },
];
