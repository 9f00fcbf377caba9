/** Policies and bindings for tests: for ConfigMaps, bound everywhere, unless told otherwise. */
import type { JsonObject } from "../../json.ts";

const API = "admissionregistration.k8s.io/v1";
export const MAPS = {
  apiGroups: [""],
  apiVersions: ["v1"],
  resources: ["configmaps"],
  operations: ["CREATE", "UPDATE"],
};

export function policyOf(type: "Mutating" | "Validating", name: string, spec: JsonObject): JsonObject {
  return {
    apiVersion: API,
    kind: `${type}AdmissionPolicy`,
    metadata: { name },
    spec: { matchConstraints: { resourceRules: [MAPS] }, ...spec },
  };
}

export function bindingOf(
  type: "Mutating" | "Validating",
  policy: string,
  spec: JsonObject = {},
  name = policy,
): JsonObject {
  return {
    apiVersion: API,
    kind: `${type}AdmissionPolicyBinding`,
    metadata: { name },
    spec: { policyName: policy, ...(type === "Validating" ? { validationActions: ["Deny"] } : {}), ...spec },
  };
}

/** One that says no to everything, in these words. */
export function refusing(name: string, message: string, spec: JsonObject = {}, binding: JsonObject = {}): JsonObject[] {
  const validations = [{ expression: "false", message }];
  return [policyOf("Validating", name, { validations, ...spec }), bindingOf("Validating", name, binding)];
}

/** One that makes this JSON patch. */
export function patching(name: string, expression: string, spec: JsonObject = {}): JsonObject[] {
  const mutations = [{ patchType: "JSONPatch", jsonPatch: { expression } }];
  return [policyOf("Mutating", name, { reinvocationPolicy: "Never", mutations, ...spec }), bindingOf("Mutating", name)];
}

export function mapOf(name: string, data: JsonObject = { a: "b" }, namespace = "default"): JsonObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace }, data };
}
