/**
 * Writes src/cluster/api/schema/generated/schemas.json: for each kind that the embedded API server knows, its fields,
 * their types, and how lists and maps merge. Prose is left out. To run when the Kubernetes of test/kube changes:
 *
 *     node scripts/generate-schemas.ts [FILE]
 *
 * The source is the OpenAPI v3 of a real kube-apiserver, started for this and gone afterwards.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { FieldType, ObjectType, ScalarName, SchemaData } from "../src/cluster/api/schema/types.ts";
import { startControlPlane } from "../test/kube/control-plane.ts";

const KINDS: Readonly<Record<string, readonly string[]>> = {
  v1: [
    "Pod",
    "Service",
    "ConfigMap",
    "Secret",
    "ServiceAccount",
    "PersistentVolume",
    "PersistentVolumeClaim",
    "Namespace",
    "Node",
    "Event",
    "ResourceQuota",
    "LimitRange",
    "Endpoints",
    "PodTemplate",
    "ReplicationController",
    "Binding",
    "ComponentStatus",
  ],
  "apps/v1": ["StatefulSet", "Deployment", "ReplicaSet", "DaemonSet", "ControllerRevision"],
  "batch/v1": ["Job", "CronJob"],
  "storage.k8s.io/v1": [
    "StorageClass",
    "CSIDriver",
    "CSINode",
    "VolumeAttachment",
    "VolumeAttributesClass",
    "CSIStorageCapacity",
  ],
  "coordination.k8s.io/v1": ["Lease"],
  "events.k8s.io/v1": ["Event"],
  "rbac.authorization.k8s.io/v1": ["Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding"],
  "policy/v1": ["PodDisruptionBudget", "Eviction"],
  "scheduling.k8s.io/v1": ["PriorityClass"],
  "discovery.k8s.io/v1": ["EndpointSlice"],
  "networking.k8s.io/v1": ["NetworkPolicy", "Ingress", "IngressClass", "IPAddress", "ServiceCIDR"],
  "autoscaling/v1": ["Scale", "HorizontalPodAutoscaler"],
  "autoscaling/v2": ["HorizontalPodAutoscaler"],
  "admissionregistration.k8s.io/v1": [
    "MutatingWebhookConfiguration",
    "ValidatingWebhookConfiguration",
    "ValidatingAdmissionPolicy",
    "ValidatingAdmissionPolicyBinding",
    "MutatingAdmissionPolicy",
    "MutatingAdmissionPolicyBinding",
  ],
  "apiextensions.k8s.io/v1": ["CustomResourceDefinition"],
  "apiregistration.k8s.io/v1": ["APIService"],
  "certificates.k8s.io/v1": ["CertificateSigningRequest"],
  "flowcontrol.apiserver.k8s.io/v1": ["FlowSchema", "PriorityLevelConfiguration"],
  "node.k8s.io/v1": ["RuntimeClass"],
  "resource.k8s.io/v1": ["DeviceClass", "ResourceClaim", "ResourceClaimTemplate", "ResourceSlice"],
  "authentication.k8s.io/v1": ["SelfSubjectReview", "TokenReview", "TokenRequest"],
  "authorization.k8s.io/v1": [
    "SelfSubjectAccessReview",
    "SelfSubjectRulesReview",
    "SubjectAccessReview",
    "LocalSubjectAccessReview",
  ],
};

/** Definitions that are a value of their own kind rather than a structure. */
const SCALARS: Readonly<Record<string, ScalarName>> = {
  "resource.Quantity": "quantity",
  "intstr.IntOrString": "intOrString",
  "meta.v1.Time": "time",
  "meta.v1.MicroTime": "microTime",
  "runtime.RawExtension": "raw",
  "meta.v1.FieldsV1": "any",
  "apiextensions.v1.JSON": "any",
};

interface OpenApiSchema {
  readonly $ref?: string;
  readonly allOf?: readonly OpenApiSchema[];
  readonly type?: string;
  readonly format?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
  readonly additionalProperties?: OpenApiSchema;
  readonly items?: OpenApiSchema;
  readonly required?: readonly string[];
  readonly "x-kubernetes-group-version-kind"?: readonly { group: string; version: string; kind: string }[];
  readonly "x-kubernetes-list-type"?: string;
  readonly "x-kubernetes-list-map-keys"?: readonly string[];
  readonly "x-kubernetes-map-type"?: string;
  readonly "x-kubernetes-patch-strategy"?: string;
  readonly "x-kubernetes-patch-merge-key"?: string;
}

type Definitions = Readonly<Record<string, OpenApiSchema>>;

/** `io.k8s.api.apps.v1.StatefulSet` becomes `apps.v1.StatefulSet`: unique among what Kubernetes publishes. */
function shortName(reference: string): string {
  const name = reference.slice(reference.lastIndexOf("/") + 1);
  return name
    .replace(/^.*\.(?=[^.]+\.v\d[^.]*\.[^.]+$)/, "")
    .replace(/^.*\.(?=(?:resource|intstr|runtime|version)\.[^.]+$)/, "");
}

function referenceOf(schema: OpenApiSchema): string | undefined {
  return schema.$ref ?? (schema.allOf?.length === 1 ? schema.allOf[0]?.$ref : undefined);
}

function fieldType(schema: OpenApiSchema): FieldType {
  const reference = referenceOf(schema);
  if (reference !== undefined) {
    const ref = shortName(reference);
    const relationship = schema["x-kubernetes-map-type"];
    return SCALARS[ref] ?? (relationship === undefined ? { ref } : { ref, atomic: relationship === "atomic" });
  }
  switch (schema.type) {
    case "array":
      return listType(schema);
    case "object":
      if (schema.additionalProperties === undefined) return "any";
      return {
        map: fieldType(schema.additionalProperties),
        ...(schema["x-kubernetes-map-type"] === "atomic" && { atomic: true }),
      };
    case "string":
      if (schema.format !== undefined && schema.format !== "byte")
        throw new Error(`no such format is known: ${schema.format}`);
      return schema.format === "byte" ? "bytes" : "string";
    case "integer":
    case "number":
    case "boolean":
      return schema.type;
    case undefined:
      return "any";
    default:
      throw new Error(`no such type is known: ${schema.type}`);
  }
}

function listType(schema: OpenApiSchema): FieldType {
  if (schema.items === undefined) throw new Error("a list without a type for its items");
  const strategies = schema["x-kubernetes-patch-strategy"]?.split(",") ?? [];
  const mergeKey = schema["x-kubernetes-patch-merge-key"];
  const merges = strategies.includes("merge");
  const keys = schema["x-kubernetes-list-map-keys"] ?? (mergeKey === undefined ? undefined : [mergeKey]);
  const kind = schema["x-kubernetes-list-type"] ?? (merges ? (keys === undefined ? "set" : "map") : "atomic");
  return {
    list: fieldType(schema.items),
    ...(kind === "set" && { set: true }),
    ...(kind === "map" && keys !== undefined && { keys }),
    ...(merges && { merge: mergeKey ?? true }),
  };
}

function objectType(schema: OpenApiSchema): ObjectType {
  const properties = Object.entries(schema.properties ?? {});
  const defaults = properties.flatMap(([name, field]) =>
    field.default === undefined || typeof field.default === "object" ? [] : [[name, field.default] as const],
  );
  const enums = properties.flatMap(([name, field]) => {
    const words = field.enum ?? field.items?.enum ?? field.additionalProperties?.enum;
    return words === undefined ? [] : [[name, words] as const];
  });
  const inline = properties.filter(([, field]) => typeof field.default === "object").map(([name]) => name);
  return {
    fields: Object.fromEntries(properties.map(([name, field]) => [name, fieldType(field)])),
    ...(inline.length > 0 && { inline }),
    ...(schema.required !== undefined && { required: schema.required }),
    ...(defaults.length > 0 && { defaults: Object.fromEntries(defaults) as ObjectType["defaults"] & {} }),
    ...(enums.length > 0 && { enums: Object.fromEntries(enums) }),
    ...(schema["x-kubernetes-map-type"] === "atomic" && { atomic: true }),
  };
}

function referencesIn(type: FieldType): string[] {
  if (typeof type === "string") return [];
  if ("ref" in type) return [type.ref];
  if ("fields" in type) return Object.values(type.fields).flatMap(referencesIn);
  return referencesIn("list" in type ? type.list : type.map);
}

function collect(documents: readonly Definitions[]): SchemaData {
  const definitions = new Map<string, OpenApiSchema>();
  for (const document of documents) {
    for (const [name, schema] of Object.entries(document)) definitions.set(shortName(name), schema);
  }
  const kinds: Record<string, string> = {};
  const types: Record<string, ObjectType> = {};
  const add = (name: string): void => {
    if (types[name] !== undefined) return;
    const definition = definitions.get(name);
    if (definition === undefined) throw new Error(`nothing is known of ${name}`);
    const type = objectType(definition);
    types[name] = type;
    for (const field of Object.values(type.fields)) referencesIn(field).forEach(add);
  };
  const named = [...definitions].flatMap(([name, definition]) =>
    (definition["x-kubernetes-group-version-kind"] ?? []).map(
      ({ group, version, kind }) => [`${group === "" ? "" : `${group}/`}${version}/${kind}`, name] as const,
    ),
  );
  const nameOf = new Map<string, string>(named);
  for (const key of Object.entries(KINDS).flatMap(([apiVersion, list]) =>
    list.map((kind) => `${apiVersion}/${kind}`),
  )) {
    const name = nameOf.get(key);
    if (name === undefined) throw new Error(`no document has ${key}`);
    kinds[key] = name;
    add(name);
  }
  const sorted = Object.entries(types).sort(([a], [b]) => (a < b ? -1 : 1));
  return { kinds, types: Object.fromEntries(sorted) };
}

/** One line per kind and per type, so that a change of Kubernetes shows as a difference that can be read. */
function print({ kinds, types }: SchemaData): string {
  const lines = (entries: Readonly<Record<string, unknown>>) =>
    Object.entries(entries)
      .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
      .join(",\n");
  return `{"kinds":{\n${lines(kinds)}\n},"types":{\n${lines(types)}\n}}\n`;
}

const target = process.argv[2] ?? join(import.meta.dirname, "../src/cluster/api/schema/generated/schemas.json");
const plane = await startControlPlane({ controllers: [] });
try {
  const documents: Definitions[] = [];
  for (const apiVersion of Object.keys(KINDS)) {
    const path = apiVersion === "v1" ? "api/v1" : `apis/${apiVersion}`;
    const { components } = await plane.api.get<{ components: { schemas: Definitions } }>(`/openapi/v3/${path}`);
    documents.push(components.schemas);
  }
  await writeFile(target, print(collect(documents)));
} finally {
  await plane.stop();
}
