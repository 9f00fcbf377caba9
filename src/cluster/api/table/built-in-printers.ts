/** Which printer a built-in kind has. */
import type { Kind } from "../kinds/kind.ts";
import { text } from "./fields.ts";
import { column, NAME, type Printer, printer } from "./printer.ts";
import * as access from "./printers/access.ts";
import * as basics from "./printers/basics.ts";
import * as devices from "./printers/devices.ts";
import { coreEvents, events } from "./printers/events.ts";
import * as network from "./printers/network.ts";
import { nodes } from "./printers/nodes.ts";
import { pods } from "./printers/pods.ts";
import * as policies from "./printers/policies.ts";
import * as scaling from "./printers/scaling.ts";
import * as serving from "./printers/serving.ts";
import * as storage from "./printers/storage.ts";
import * as workloads from "./printers/workloads.ts";

/** Go's zero time, which is what an object without a moment of creation shows. */
const NEVER = "0001-01-01T00:00:00Z";

/** For kinds without columns of their own: limit ranges, roles, CustomResourceDefinitions and the like. */
const PLAIN = printer([
  NAME,
  column("Created At", (object) => text(object, "metadata", "creationTimestamp") || NEVER, { type: "date" }),
]);

const PRINTERS: ReadonlyMap<string, Printer> = new Map([
  ["/ComponentStatus", serving.componentStatuses],
  ["/ConfigMap", basics.configMaps],
  ["/Endpoints", network.endpoints],
  ["/Event", coreEvents],
  ["/Namespace", basics.namespaces],
  ["/Node", nodes],
  ["/PersistentVolume", storage.persistentVolumes],
  ["/PersistentVolumeClaim", storage.persistentVolumeClaims],
  ["/Pod", pods],
  ["/PodTemplate", workloads.podTemplates],
  ["/ReplicationController", workloads.replicationControllers],
  ["/ResourceQuota", basics.resourceQuotas],
  ["/Secret", basics.secrets],
  ["/Service", network.services],
  ["/ServiceAccount", basics.serviceAccounts],
  ["admissionregistration.k8s.io/MutatingAdmissionPolicy", policies.mutatingPolicies],
  ["admissionregistration.k8s.io/MutatingAdmissionPolicyBinding", policies.policyBindings],
  ["admissionregistration.k8s.io/ValidatingAdmissionPolicy", policies.validatingPolicies],
  ["admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding", policies.policyBindings],
  ["admissionregistration.k8s.io/MutatingWebhookConfiguration", basics.webhookConfigurations],
  ["admissionregistration.k8s.io/ValidatingWebhookConfiguration", basics.webhookConfigurations],
  ["apiregistration.k8s.io/APIService", serving.apiServices],
  ["apps/ControllerRevision", workloads.controllerRevisions],
  ["apps/DaemonSet", workloads.daemonSets],
  ["apps/Deployment", workloads.deployments],
  ["apps/ReplicaSet", workloads.replicaSets],
  ["apps/StatefulSet", workloads.statefulSets],
  ["autoscaling/HorizontalPodAutoscaler", scaling.horizontalPodAutoscalers],
  ["autoscaling/Scale", scaling.scales],
  ["batch/CronJob", workloads.cronJobs],
  ["batch/Job", workloads.jobs],
  ["certificates.k8s.io/CertificateSigningRequest", serving.signingRequests],
  ["coordination.k8s.io/Lease", basics.leases],
  ["discovery.k8s.io/EndpointSlice", network.endpointSlices],
  ["events.k8s.io/Event", events],
  ["flowcontrol.apiserver.k8s.io/FlowSchema", serving.flowSchemas],
  ["flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration", serving.priorityLevels],
  ["networking.k8s.io/IPAddress", network.ipAddresses],
  ["networking.k8s.io/Ingress", network.ingresses],
  ["networking.k8s.io/IngressClass", network.ingressClasses],
  ["networking.k8s.io/NetworkPolicy", network.networkPolicies],
  ["networking.k8s.io/ServiceCIDR", network.serviceCidrs],
  ["node.k8s.io/RuntimeClass", basics.runtimeClasses],
  ["policy/PodDisruptionBudget", scaling.podDisruptionBudgets],
  ["rbac.authorization.k8s.io/ClusterRoleBinding", access.roleBindings],
  ["rbac.authorization.k8s.io/RoleBinding", access.roleBindings],
  ["resource.k8s.io/DeviceClass", devices.deviceClasses],
  ["resource.k8s.io/ResourceClaim", devices.resourceClaims],
  ["resource.k8s.io/ResourceClaimTemplate", devices.deviceClasses],
  ["resource.k8s.io/ResourceSlice", devices.resourceSlices],
  ["scheduling.k8s.io/PriorityClass", basics.priorityClasses],
  ["storage.k8s.io/CSIDriver", storage.csiDrivers],
  ["storage.k8s.io/CSINode", storage.csiNodes],
  ["storage.k8s.io/StorageClass", storage.storageClasses],
  ["storage.k8s.io/VolumeAttachment", storage.volumeAttachments],
  ["storage.k8s.io/VolumeAttributesClass", storage.volumeAttributesClasses],
]);

/**
 * The printer of a kind of Kubernetes' own, whatever its version; also of what a subresource speaks (`autoscaling/Scale`).
 * A kind without columns of its own shows its name and when it was made. Custom resources have `customPrinter`.
 */
export function builtInPrinter({ group, kind }: Pick<Kind, "group" | "kind">): Printer {
  return PRINTERS.get(`${group}/${kind}`) ?? PLAIN;
}
