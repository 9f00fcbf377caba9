/** Policies with their bindings and params, and the requests that they are asked about: each in a namespace of its own. */
import type { Json, JsonObject } from "../../../src/cluster/api/json.ts";
import type { Ask } from "./ask.ts";

export interface Scene {
  readonly name: string;
  /** Objects of this namespace, or of the cluster, that are there before. */
  readonly before?: readonly JsonObject[];
  readonly policies: readonly JsonObject[];
  /** Sent one after the other. */
  readonly asks: readonly Ask[];
}

const GROUP = "admissionregistration.k8s.io/v1";
export const MAP_RULE = { apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"], operations: ["*"] };
const WRITES = { ...MAP_RULE, operations: ["CREATE", "UPDATE"] };

/** A policy of one validation that is not met, unless told otherwise; it counts in the namespace of the scene alone. */
export function validating(scene: string, spec: JsonObject, binding: JsonObject = {}, name = "p"): JsonObject[] {
  const policy = `${scene}-${name}`;
  return [
    {
      apiVersion: GROUP,
      kind: "ValidatingAdmissionPolicy",
      metadata: { name: policy },
      spec: { validations: [{ expression: "false" }], ...spec, matchConstraints: inScene(scene, spec, MAP_RULE) },
    },
    {
      apiVersion: GROUP,
      kind: "ValidatingAdmissionPolicyBinding",
      metadata: { name: `${policy}-b` },
      spec: { policyName: policy, validationActions: ["Deny"], ...binding },
    },
  ];
}

export function mutating(scene: string, spec: JsonObject, binding: JsonObject = {}, name = "p"): JsonObject[] {
  const policy = `${scene}-${name}`;
  return [
    {
      apiVersion: GROUP,
      kind: "MutatingAdmissionPolicy",
      metadata: { name: policy },
      spec: { reinvocationPolicy: "Never", ...spec, matchConstraints: inScene(scene, spec, WRITES) },
    },
    {
      apiVersion: GROUP,
      kind: "MutatingAdmissionPolicyBinding",
      metadata: { name: `${policy}-b` },
      spec: { policyName: policy, ...binding },
    },
  ];
}

function inScene(scene: string, { matchConstraints = {} }: JsonObject, rule: JsonObject): JsonObject {
  return {
    resourceRules: [rule],
    namespaceSelector: { matchLabels: { scene } },
    ...(matchConstraints as JsonObject),
  };
}

export const patch = (expression: string): JsonObject => ({ patchType: "JSONPatch", jsonPatch: { expression } });
export const apply = (expression: string): JsonObject => ({
  patchType: "ApplyConfiguration",
  applyConfiguration: { expression },
});

export function map(name: string, data: JsonObject = { a: "b" }, metadata: JsonObject = {}): JsonObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, ...metadata }, data };
}

/** As many replicas as are asked for, of one container. */
export function deployment(name: string, more: JsonObject = {}, container: JsonObject = {}): JsonObject {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name: "main", image: "i:1", ...container }] },
      },
      ...more,
    },
  };
}

export const DEPLOYMENT_RULE = {
  apiGroups: ["apps"],
  apiVersions: ["v1"],
  resources: ["deployments"],
  operations: ["CREATE", "UPDATE"],
};
export const onDeployments = { resourceRules: [DEPLOYMENT_RULE] };

/** Where objects of these kinds are, in a namespace. */
export function pathOf(object: JsonObject, namespace: string): string {
  const { apiVersion, kind } = object as { apiVersion: string; kind: string };
  const plural = `${kind.toLowerCase()}s`.replace(/ys$/, "ies").replace(/sss$/, "sses");
  const root = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  return CLUSTER.test(kind) ? `${root}/${plural}` : `${root}/namespaces/${namespace}/${plural}`;
}
const CLUSTER = /^(?:Namespace|StorageClass|CustomResourceDefinition|ClusterRole(?:Binding)?|.*Admission.*)$/;

export const created = (scene: string, object: JsonObject, query = ""): Ask => ({
  method: "POST",
  path: `${pathOf(object, scene)}${query}`,
  body: object,
});

export const replaced = (scene: string, object: JsonObject): Ask => ({
  method: "PUT",
  path: `${pathOf(object, scene)}/${(object["metadata"] as { name: string }).name}`,
  body: object,
});

export const deleted = (scene: string, object: JsonObject): Ask => ({
  method: "DELETE",
  path: `${pathOf(object, scene)}/${(object["metadata"] as { name: string }).name}`,
});

export const merged = (path: string, body: JsonObject): Ask => ({
  method: "PATCH",
  path,
  body,
  contentType: "application/merge-patch+json",
});

/** A scene in which one policy judges the creation of a map. */
export function judged(
  name: string,
  spec: JsonObject,
  more: Partial<Scene> & { readonly binding?: JsonObject } = {},
): Scene {
  const { binding = {}, ...rest } = more;
  return { name, policies: validating(name, spec, binding), asks: [created(name, map("m"))], ...rest };
}

export function changed(
  name: string,
  spec: JsonObject,
  more: Partial<Scene> & { readonly binding?: JsonObject } = {},
): Scene {
  const { binding = {}, ...rest } = more;
  return { name, policies: mutating(name, spec, binding), asks: [created(name, map("m"))], ...rest };
}

export const rule = (expression: string, more: JsonObject = {}): { validations: Json } => ({
  validations: [{ expression, ...more }],
});

/** So many entries. */
export function data(count: number): JsonObject {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`key-${index}`, "value"]));
}
