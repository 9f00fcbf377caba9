/** Definitions of the shape that operators bring, in words of our own: a database, certificates, and the kinds of Outgrow. */
import type { JsonObject } from "../../../src/cluster/api/json.ts";

const text = { type: "string" };
const whole = { type: "integer" };
const quantity: JsonObject = {
  anyOf: [{ type: "integer" }, { type: "string" }],
  pattern:
    "^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$",
  "x-kubernetes-int-or-string": true,
};
const conditions: JsonObject = {
  type: "array",
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["type"],
  items: {
    type: "object",
    required: ["type", "status", "lastTransitionTime", "reason", "message"],
    properties: {
      type: {
        type: "string",
        maxLength: 316,
        pattern:
          "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$",
      },
      status: { type: "string", enum: ["True", "False", "Unknown"] },
      observedGeneration: { type: "integer", format: "int64", minimum: 0 },
      lastTransitionTime: { type: "string", format: "date-time" },
      reason: { type: "string", minLength: 1, maxLength: 1024, pattern: "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$" },
      message: { type: "string", maxLength: 32768 },
    },
  },
};

function of(
  group: string,
  names: { readonly plural: string; readonly kind: string; readonly shortNames?: readonly string[] },
  scope: string,
  versions: readonly JsonObject[],
): { readonly name: string; readonly definition: JsonObject } {
  return {
    name: names.kind,
    definition: {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: `${names.plural}.${group}` },
      spec: { group, names, scope, versions },
    },
  };
}

const resource = (spec: JsonObject, status: JsonObject): JsonObject => ({
  openAPIV3Schema: {
    type: "object",
    description: "What is wanted, and what is",
    properties: { apiVersion: text, kind: text, metadata: { type: "object" }, spec, status },
  },
});

const claimTemplate: JsonObject = {
  type: "object",
  required: ["metadata", "spec"],
  properties: {
    metadata: {
      type: "object",
      properties: {
        name: { type: "string", minLength: 1 },
        labels: { type: "object", additionalProperties: text },
        annotations: { type: "object", additionalProperties: text },
      },
    },
    spec: {
      type: "object",
      properties: {
        accessModes: { type: "array", items: text, "x-kubernetes-list-type": "atomic" },
        storageClassName: text,
        volumeMode: text,
        resources: {
          type: "object",
          properties: {
            requests: { type: "object", additionalProperties: quantity },
            limits: { type: "object", additionalProperties: quantity },
          },
        },
      },
    },
  },
};

const cluster = resource(
  {
    type: "object",
    required: ["podTemplate", "volumeClaimTemplates"],
    properties: {
      replicas: { type: "integer", format: "int32", default: 1 },
      podTemplate: {
        type: "object",
        properties: {
          metadata: { type: "object", properties: { labels: { type: "object", additionalProperties: text } } },
          spec: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        },
      },
      volumeClaimTemplates: { type: "array", minItems: 1, items: claimTemplate },
      serverIDBase: { type: "integer", format: "int32", minimum: 0 },
      maxDelaySeconds: { type: "integer", minimum: 0, nullable: true, default: 60 },
      startupWaitSeconds: { type: "integer", format: "int32", minimum: 0, default: 3600 },
      backupPolicyName: { type: "string", nullable: true },
      restore: {
        type: "object",
        required: ["sourceName", "restorePoint"],
        properties: {
          sourceName: { type: "string", minLength: 1 },
          restorePoint: { type: "string", format: "date-time" },
        },
      },
    },
  },
  {
    type: "object",
    properties: {
      conditions,
      currentPrimaryIndex: whole,
      syncedReplicas: whole,
      errantReplicaList: { type: "array", items: whole },
      backup: {
        type: "object",
        nullable: true,
        required: ["time"],
        properties: { time: { type: "string", format: "date-time" }, bytes: { type: "integer", format: "int64" } },
      },
    },
  },
);

const certificate = resource(
  {
    type: "object",
    required: ["issuerRef", "secretName"],
    properties: {
      commonName: text,
      dnsNames: { type: "array", items: text, "x-kubernetes-list-type": "atomic" },
      duration: text,
      issuerRef: { type: "object", required: ["name"], properties: { group: text, kind: text, name: text } },
      privateKey: {
        type: "object",
        properties: {
          algorithm: { type: "string", enum: ["RSA", "ECDSA", "Ed25519"] },
          rotationPolicy: { type: "string", enum: ["Never", "Always"] },
          size: whole,
        },
      },
      secretName: text,
      usages: { type: "array", items: { type: "string", enum: ["signing", "server auth", "client auth"] } },
      keystores: {
        type: "object",
        properties: {
          pkcs12: {
            type: "object",
            required: ["create"],
            properties: { create: { type: "boolean" }, password: { type: "string", maxLength: 8 } },
          },
        },
      },
    },
  },
  {
    type: "object",
    properties: { conditions, notAfter: { type: "string", format: "date-time" }, revision: whole },
  },
);

const expansion = resource(
  {
    type: "object",
    required: ["statefulSetName", "claims"],
    properties: {
      statefulSetName: { type: "string", minLength: 1, maxLength: 63, format: "k8s-short-name" },
      claims: {
        type: "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["template"],
        items: { type: "object", required: ["template", "storage"], properties: { template: text, storage: quantity } },
      },
      rollout: {
        type: "object",
        default: {},
        properties: {
          mode: { type: "string", enum: ["Parallel", "OneByOne"], default: "Parallel" },
          maxConcurrent: { type: "integer", format: "int32", minimum: 1, default: 10 },
          canary: { type: "integer", format: "int32", minimum: 0, default: 0 },
        },
      },
      restartPods: { type: "string", enum: ["Never", "WhenNeeded"], default: "Never" },
    },
  },
  {
    type: "object",
    properties: {
      phase: { type: "string", enum: ["Checking", "Growing", "Restarting", "UpdatingTemplate", "Done", "Stopped"] },
      claims: {
        type: "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["name"],
        items: {
          type: "object",
          required: ["name"],
          properties: { name: text, from: quantity, to: quantity, capacity: quantity, state: text, message: text },
        },
      },
      conditions,
      savedStatefulSet: {
        type: "object",
        "x-kubernetes-embedded-resource": true,
        "x-kubernetes-preserve-unknown-fields": true,
      },
    },
  },
);

const source = resource(
  {
    type: "object",
    required: ["resource", "claimTemplatesPath", "statefulSetName"],
    properties: {
      resource: {
        type: "object",
        required: ["group", "version", "kind", "plural"],
        properties: { group: text, version: text, kind: text, plural: text },
      },
      claimTemplatesPath: { type: "string", pattern: "^(\\.[A-Za-z_][A-Za-z0-9_]*)+$" },
      statefulSetName: { type: "string", pattern: "\\{name\\}" },
      condition: { type: "string", default: "VolumeResized" },
    },
  },
  { type: "object", properties: { conditions } },
);

const version = (name: string, schema: JsonObject, more: JsonObject = {}): JsonObject => ({
  name,
  served: true,
  storage: true,
  schema,
  subresources: { status: {} },
  ...more,
});

export const WORLD = [
  of("database.example.com", { plural: "mysqlclusters", kind: "MySQLCluster", shortNames: ["my"] }, "Namespaced", [
    version("v1beta2", cluster, {
      subresources: {
        status: {},
        scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.syncedReplicas" },
      },
      additionalPrinterColumns: [
        { name: "Available", type: "string", jsonPath: '.status.conditions[?(@.type=="Available")].status' },
        { name: "Synced Replicas", type: "integer", jsonPath: ".status.syncedReplicas" },
        { name: "Last Backup", type: "string", jsonPath: ".status.backup.time" },
      ],
    }),
    version("v1beta1", cluster, { storage: false, deprecated: true }),
  ]),
  of(
    "certificates.example.com",
    { plural: "certificates", kind: "Certificate", shortNames: ["cert", "certs"] },
    "Namespaced",
    [
      version("v1", certificate, {
        selectableFields: [{ jsonPath: ".spec.secretName" }],
        additionalPrinterColumns: [
          { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type == "Ready")].status' },
          { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
        ],
      }),
    ],
  ),
  of("outgrow.dev", { plural: "volumeexpansions", kind: "VolumeExpansion", shortNames: ["vx"] }, "Namespaced", [
    version("v1alpha1", expansion, {
      additionalPrinterColumns: [{ name: "Phase", type: "string", jsonPath: ".status.phase" }],
    }),
  ]),
  of("outgrow.dev", { plural: "expansionsources", kind: "ExpansionSource" }, "Cluster", [version("v1alpha1", source)]),
];
