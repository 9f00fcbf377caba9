/**
 * What Kubernetes fills in where an object says nothing, kind by kind. Controllers rely on it (a StatefulSet without
 * `revisionHistoryLimit` brings kube-controller-manager down), and so does everybody who compares objects.
 */
import { get, isObject, type JsonObject } from "../json.ts";
import { kindTable } from "../kinds/kind-table.ts";
import { CLAIM } from "./claim.ts";
import { ENDPOINTS, LIMIT_RANGE, NAMESPACE, NODE, PERSISTENT_VOLUME, SECRET, SERVICE } from "./core.ts";
import {
  ADMISSION_POLICY,
  ADMISSION_POLICY_BINDING,
  CSI_DRIVER,
  CUSTOM_RESOURCE_DEFINITION,
  ENDPOINT_SLICE,
  FIRST_AUTOSCALER,
  HORIZONTAL_POD_AUTOSCALER,
  INGRESS_CLASS,
  MUTATING_WEBHOOKS,
  NETWORK_POLICY,
  PRIORITY_CLASS,
  ROLE_BINDING,
  STORAGE_CLASS,
  VALIDATING_WEBHOOKS,
} from "./others.ts";
import { POD, POD_TEMPLATE } from "./pod.ts";
import { fields, type Rule } from "./rule.ts";
import { API_SERVICE, FLOW_SCHEMA, PRIORITY_LEVEL, RESOURCE_CLAIM, RESOURCE_CLAIM_TEMPLATE } from "./stored.ts";
import {
  CRON_JOB,
  DAEMON_SET,
  DEPLOYMENT,
  JOB,
  REPLICA_SET,
  REPLICATION_CONTROLLER,
  STATEFUL_SET,
} from "./workloads.ts";

/** Kinds that are not here have no defaults. */
const DEFAULTS = kindTable<Rule>([
  ["v1/Endpoints", ENDPOINTS],
  ["v1/LimitRange", LIMIT_RANGE],
  ["v1/Namespace", NAMESPACE],
  ["v1/Node", NODE],
  ["v1/PersistentVolume", PERSISTENT_VOLUME],
  ["v1/PersistentVolumeClaim", CLAIM],
  ["v1/Pod", POD],
  ["v1/PodTemplate", fields({ template: POD_TEMPLATE })],
  ["v1/ReplicationController", REPLICATION_CONTROLLER],
  ["v1/Secret", SECRET],
  ["v1/Service", SERVICE],
  ["apps/v1/DaemonSet", DAEMON_SET],
  ["apps/v1/Deployment", DEPLOYMENT],
  ["apps/v1/ReplicaSet", REPLICA_SET],
  ["apps/v1/StatefulSet", STATEFUL_SET],
  ["batch/v1/CronJob", CRON_JOB],
  ["batch/v1/Job", JOB],
  ["storage.k8s.io/v1/CSIDriver", CSI_DRIVER],
  ["storage.k8s.io/v1/StorageClass", STORAGE_CLASS],
  ["rbac.authorization.k8s.io/v1/ClusterRoleBinding", ROLE_BINDING],
  ["rbac.authorization.k8s.io/v1/RoleBinding", ROLE_BINDING],
  ["admissionregistration.k8s.io/v1/MutatingAdmissionPolicy", ADMISSION_POLICY],
  ["admissionregistration.k8s.io/v1/MutatingAdmissionPolicyBinding", ADMISSION_POLICY_BINDING],
  ["admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy", ADMISSION_POLICY],
  ["admissionregistration.k8s.io/v1/ValidatingAdmissionPolicyBinding", ADMISSION_POLICY_BINDING],
  ["admissionregistration.k8s.io/v1/MutatingWebhookConfiguration", MUTATING_WEBHOOKS],
  ["admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration", VALIDATING_WEBHOOKS],
  ["apiextensions.k8s.io/v1/CustomResourceDefinition", CUSTOM_RESOURCE_DEFINITION],
  ["autoscaling/v1/HorizontalPodAutoscaler", FIRST_AUTOSCALER],
  ["autoscaling/v2/HorizontalPodAutoscaler", HORIZONTAL_POD_AUTOSCALER],
  ["discovery.k8s.io/v1/EndpointSlice", ENDPOINT_SLICE],
  ["networking.k8s.io/v1/IngressClass", INGRESS_CLASS],
  ["networking.k8s.io/v1/NetworkPolicy", NETWORK_POLICY],
  ["scheduling.k8s.io/v1/PriorityClass", PRIORITY_CLASS],
  ["apiregistration.k8s.io/v1/APIService", API_SERVICE],
  ["flowcontrol.apiserver.k8s.io/v1/FlowSchema", FLOW_SCHEMA],
  ["flowcontrol.apiserver.k8s.io/v1/PriorityLevelConfiguration", PRIORITY_LEVEL],
  ["resource.k8s.io/v1/ResourceClaim", RESOURCE_CLAIM],
  ["resource.k8s.io/v1/ResourceClaimTemplate", RESOURCE_CLAIM_TEMPLATE],
]);

/**
 * The object with its defaults; the same object where there are none to add. Applied to what every create, update and
 * patch leads to. What it adds is never what the writer of the object is asked to account for: field ownership is taken
 * from what was sent.
 */
export function withDefaults(object: JsonObject): JsonObject {
  const [apiVersion, kind] = [get(object, "apiVersion"), get(object, "kind")];
  if (typeof apiVersion !== "string" || typeof kind !== "string") return object;
  const rule = DEFAULTS.get(apiVersion, kind);
  const result = rule?.(object, {});
  return isObject(result) ? result : object;
}
