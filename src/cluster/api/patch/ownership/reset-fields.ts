/** Which fields an endpoint does not write, whatever the request says: nobody comes to own them through it. */
import { type FieldSet, NO_FIELDS, setOfPaths } from "./field-set.ts";
import { field } from "./path-element.ts";

const fields = (...paths: string[]): FieldSet => setOfPaths(paths.map((path) => path.split(".").map(field)));

/** Kinds without a status endpoint: all of them is written through the main one. */
const NO_STATUS = new Set([
  "v1/ConfigMap",
  "v1/Secret",
  "v1/ServiceAccount",
  "v1/Event",
  "v1/LimitRange",
  "v1/Endpoints",
  "v1/PodTemplate",
  "apps/v1/ControllerRevision",
  "storage.k8s.io/v1/StorageClass",
  "storage.k8s.io/v1/CSIDriver",
  "storage.k8s.io/v1/CSINode",
  "storage.k8s.io/v1/CSIStorageCapacity",
  "storage.k8s.io/v1/VolumeAttributesClass",
  "coordination.k8s.io/v1/Lease",
  "events.k8s.io/v1/Event",
  "scheduling.k8s.io/v1/PriorityClass",
  "discovery.k8s.io/v1/EndpointSlice",
  "networking.k8s.io/v1/NetworkPolicy",
  "networking.k8s.io/v1/IngressClass",
  "networking.k8s.io/v1/IPAddress",
  "node.k8s.io/v1/RuntimeClass",
  "resource.k8s.io/v1/DeviceClass",
  "resource.k8s.io/v1/ResourceClaimTemplate",
  "resource.k8s.io/v1/ResourceSlice",
  "rbac.authorization.k8s.io/v1/Role",
  "rbac.authorization.k8s.io/v1/RoleBinding",
  "rbac.authorization.k8s.io/v1/ClusterRole",
  "rbac.authorization.k8s.io/v1/ClusterRoleBinding",
  "admissionregistration.k8s.io/v1/MutatingWebhookConfiguration",
  "admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration",
  "admissionregistration.k8s.io/v1/MutatingAdmissionPolicy",
  "admissionregistration.k8s.io/v1/MutatingAdmissionPolicyBinding",
  "admissionregistration.k8s.io/v1/ValidatingAdmissionPolicyBinding",
]);

const STATUS = fields("status");
const SPEC = fields("spec");
const METADATA_AND_SPEC = fields("metadata", "spec");

/** What a request for a certificate says is said once, and is decided upon and answered through endpoints of their own. */
const SIGNING_REQUEST: Readonly<Record<string, FieldSet>> = {
  "": fields("spec", "status"),
  approval: fields("spec", "status.certificate"),
  status: fields("spec", "status.conditions"),
};

/** What the status endpoint leaves alone beside, or in place of, the spec. */
const STATUS_ENDPOINT: Readonly<Record<string, FieldSet>> = {
  "v1/Pod": fields("spec", "metadata.deletionTimestamp", "metadata.ownerReferences"),
  "apps/v1/Deployment": fields("spec", "metadata.labels"),
  "storage.k8s.io/v1/VolumeAttachment": METADATA_AND_SPEC,
  "admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy": METADATA_AND_SPEC,
  "apiregistration.k8s.io/v1/APIService": METADATA_AND_SPEC,
  "flowcontrol.apiserver.k8s.io/v1/FlowSchema": METADATA_AND_SPEC,
  "flowcontrol.apiserver.k8s.io/v1/PriorityLevelConfiguration": METADATA_AND_SPEC,
  "networking.k8s.io/v1/ServiceCIDR": METADATA_AND_SPEC,
  "resource.k8s.io/v1/ResourceClaim": METADATA_AND_SPEC,
};

/** For a built-in kind. `subresource` is empty for the main endpoint. */
export function resetFields(apiVersion: string, kind: string, subresource: string): FieldSet {
  const name = `${apiVersion}/${kind}`;
  if (NO_STATUS.has(name)) return NO_FIELDS;
  if (name === "certificates.k8s.io/v1/CertificateSigningRequest") return SIGNING_REQUEST[subresource] ?? SPEC;
  return subresource === "status" ? (STATUS_ENDPOINT[name] ?? SPEC) : STATUS;
}

/** The same for a custom resource, which may have a status endpoint or not. */
export function customResetFields({ hasStatus }: { readonly hasStatus: boolean }, subresource: string): FieldSet {
  if (subresource === "status") return METADATA_AND_SPEC;
  return hasStatus ? STATUS : NO_FIELDS;
}
