/**
 * The kinds that the embedded cluster knows from the start: those that growing volumes needs, which are acted on, and those
 * that a Helm chart brings along, which are stored.
 */
import { CORE } from "./core.ts";
import { type Kind, kindsOf } from "./kind.ts";
import { STORED } from "./stored.ts";
import { ACTED, CLUSTER, GIVES_OBJECT, MADE_BY_PUT, SPEC } from "./traits.ts";

const APPS = kindsOf("apps/v1", [
  { kind: "ControllerRevision", plural: "controllerrevisions", ...ACTED },
  {
    kind: "DaemonSet",
    plural: "daemonsets",
    shortNames: ["ds"],
    categories: ["all"],
    ...SPEC,
    subresources: ["status"],
  },
  {
    kind: "Deployment",
    plural: "deployments",
    shortNames: ["deploy"],
    categories: ["all"],
    generation: "annotations",
    subresources: ["scale", "status"],
  },
  {
    kind: "ReplicaSet",
    plural: "replicasets",
    shortNames: ["rs"],
    categories: ["all"],
    ...SPEC,
    subresources: ["scale", "status"],
  },
  {
    kind: "StatefulSet",
    plural: "statefulsets",
    shortNames: ["sts"],
    categories: ["all"],
    ...ACTED,
    ...SPEC,
    subresources: ["scale", "status"],
  },
]);

const STORAGE = kindsOf("storage.k8s.io/v1", [
  {
    kind: "CSIDriver",
    plural: "csidrivers",
    ...CLUSTER,
    ...ACTED,
    ...GIVES_OBJECT,
    generation: "later",
    versionRequired: true,
  },
  { kind: "CSINode", plural: "csinodes", ...CLUSTER, ...ACTED, ...GIVES_OBJECT, versionRequired: true },
  { kind: "CSIStorageCapacity", plural: "csistoragecapacities", versionRequired: true },
  { kind: "StorageClass", plural: "storageclasses", shortNames: ["sc"], ...CLUSTER, ...ACTED, ...GIVES_OBJECT },
  {
    kind: "VolumeAttachment",
    plural: "volumeattachments",
    ...CLUSTER,
    ...ACTED,
    ...GIVES_OBJECT,
    versionRequired: true,
    subresources: ["status"],
  },
  {
    kind: "VolumeAttributesClass",
    plural: "volumeattributesclasses",
    shortNames: ["vac"],
    ...CLUSTER,
    ...GIVES_OBJECT,
  },
]);

const RBAC = kindsOf("rbac.authorization.k8s.io/v1", [
  { kind: "ClusterRoleBinding", plural: "clusterrolebindings", ...CLUSTER, ...ACTED, ...MADE_BY_PUT },
  { kind: "ClusterRole", plural: "clusterroles", ...CLUSTER, ...ACTED, ...MADE_BY_PUT },
  { kind: "RoleBinding", plural: "rolebindings", ...ACTED, ...MADE_BY_PUT },
  { kind: "Role", plural: "roles", ...ACTED, ...MADE_BY_PUT },
]);

/** Kubernetes keeps them so, for the releases that came before. */
const STORED_BETA = { storageVersion: "v1beta1" } as const;
const POLICY = { categories: ["api-extensions"], ...CLUSTER, ...ACTED, ...SPEC, versionRequired: true } as const;

const AUTOSCALER = {
  kind: "HorizontalPodAutoscaler",
  plural: "horizontalpodautoscalers",
  shortNames: ["hpa"],
  categories: ["all"],
  subresources: ["status"],
} as const;

const OTHERS = [
  ...kindsOf("admissionregistration.k8s.io/v1", [
    { kind: "MutatingAdmissionPolicy", plural: "mutatingadmissionpolicies", ...POLICY, ...STORED_BETA },
    { kind: "MutatingAdmissionPolicyBinding", plural: "mutatingadmissionpolicybindings", ...POLICY, ...STORED_BETA },
    {
      kind: "MutatingWebhookConfiguration",
      plural: "mutatingwebhookconfigurations",
      categories: ["api-extensions"],
      ...CLUSTER,
      ...ACTED,
      ...SPEC,
      versionRequired: true,
    },
    { kind: "ValidatingAdmissionPolicy", plural: "validatingadmissionpolicies", ...POLICY, subresources: ["status"] },
    { kind: "ValidatingAdmissionPolicyBinding", plural: "validatingadmissionpolicybindings", ...POLICY },
    {
      kind: "ValidatingWebhookConfiguration",
      plural: "validatingwebhookconfigurations",
      categories: ["api-extensions"],
      ...CLUSTER,
      ...ACTED,
      ...SPEC,
      versionRequired: true,
    },
  ]),
  ...kindsOf("apiextensions.k8s.io/v1", [
    {
      kind: "CustomResourceDefinition",
      plural: "customresourcedefinitions",
      shortNames: ["crd", "crds"],
      categories: ["api-extensions"],
      ...STORED_BETA,
      ...CLUSTER,
      ...ACTED,
      ...SPEC,
      staged: true,
      versionRequired: true,
      subresources: ["status"],
    },
  ]),
  ...kindsOf("autoscaling/v2", [AUTOSCALER]),
  ...kindsOf("autoscaling/v1", [
    {
      ...AUTOSCALER,
      storedAs: { group: "autoscaling", version: "v2", kind: AUTOSCALER.kind, plural: AUTOSCALER.plural, names: {} },
    },
  ]),
  ...kindsOf("batch/v1", [
    {
      kind: "CronJob",
      plural: "cronjobs",
      shortNames: ["cj"],
      categories: ["all"],
      ...SPEC,
      subresources: ["status"],
    },
    { kind: "Job", plural: "jobs", categories: ["all"], ...SPEC, dependents: "Orphan", subresources: ["status"] },
  ]),
  ...kindsOf("coordination.k8s.io/v1", [
    { kind: "Lease", plural: "leases", ...ACTED, versionRequired: true, ...MADE_BY_PUT },
  ]),
  ...kindsOf("discovery.k8s.io/v1", [
    { kind: "EndpointSlice", plural: "endpointslices", ...ACTED, generation: "labels" },
  ]),
  ...kindsOf("events.k8s.io/v1", [
    {
      kind: "Event",
      plural: "events",
      shortNames: ["ev"],
      ...ACTED,
      ...MADE_BY_PUT,
      dependents: "ignored",
      storedAs: {
        group: "",
        version: "v1",
        kind: "Event",
        plural: "events",
        names: {
          regarding: "involvedObject",
          note: "message",
          reportingController: "reportingComponent",
          deprecatedSource: "source",
          deprecatedFirstTimestamp: "firstTimestamp",
          deprecatedLastTimestamp: "lastTimestamp",
          deprecatedCount: "count",
        },
      },
    },
  ]),
  ...kindsOf("networking.k8s.io/v1", [
    { kind: "IngressClass", plural: "ingressclasses", ...CLUSTER, ...SPEC },
    { kind: "Ingress", plural: "ingresses", shortNames: ["ing"], ...SPEC, subresources: ["status"] },
    { kind: "IPAddress", plural: "ipaddresses", shortNames: ["ip"], ...CLUSTER },
    { kind: "NetworkPolicy", plural: "networkpolicies", shortNames: ["netpol"], ...SPEC },
    { kind: "ServiceCIDR", plural: "servicecidrs", ...CLUSTER, subresources: ["status"] },
  ]),
  ...kindsOf("policy/v1", [
    {
      kind: "PodDisruptionBudget",
      plural: "poddisruptionbudgets",
      shortNames: ["pdb"],
      ...ACTED,
      ...SPEC,
      versionRequired: true,
      subresources: ["status"],
    },
  ]),
  ...kindsOf("scheduling.k8s.io/v1", [
    { kind: "PriorityClass", plural: "priorityclasses", shortNames: ["pc"], ...CLUSTER, generation: "once" },
  ]),
];

export const BUILT_IN: readonly Kind[] = [...CORE, ...APPS, ...STORAGE, ...RBAC, ...OTHERS, ...STORED];
