/**
 * The kinds that the embedded cluster knows from the start: those that growing volumes needs, which are acted on, and those
 * that a Helm chart brings along, which are stored.
 */
import { type Kind, kindsOf, type Subresource, VERBS } from "./kind.ts";

const CLUSTER = { namespaced: false } as const;
const ACTED = { acted: "acted" } as const;
const GIVES_OBJECT = { deleteAnswers: "object" } as const;
const SPEC = { generation: "spec" } as const;
const MADE_BY_PUT = { createOnUpdate: true } as const;

/** A connection to what runs in a pod. */
function streaming(name: string, kind: string): Subresource {
  return { name, verbs: ["create", "get"], speaks: { group: "", version: "v1", kind } };
}

const CORE = kindsOf("v1", [
  { kind: "ConfigMap", plural: "configmaps", shortNames: ["cm"], ...ACTED },
  {
    kind: "Endpoints",
    plural: "endpoints",
    shortNames: ["ep"],
    ...MADE_BY_PUT,
    deprecation: "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice",
  },
  { kind: "Event", plural: "events", shortNames: ["ev"], ...ACTED, ...MADE_BY_PUT, dependents: "ignored" },
  { kind: "LimitRange", plural: "limitranges", shortNames: ["limits"], ...ACTED, ...MADE_BY_PUT },
  {
    kind: "Namespace",
    plural: "namespaces",
    shortNames: ["ns"],
    verbs: VERBS.filter((verb) => verb !== "deletecollection"),
    ...CLUSTER,
    ...ACTED,
    ...GIVES_OBJECT,
    staged: true,
    subresources: [{ name: "finalize", verbs: ["update"] }, "status"],
  },
  { kind: "Node", plural: "nodes", shortNames: ["no"], ...CLUSTER, ...ACTED, subresources: ["status"] },
  {
    kind: "PersistentVolumeClaim",
    plural: "persistentvolumeclaims",
    shortNames: ["pvc"],
    ...ACTED,
    ...GIVES_OBJECT,
    subresources: ["status"],
  },
  {
    kind: "PersistentVolume",
    plural: "persistentvolumes",
    shortNames: ["pv"],
    ...CLUSTER,
    ...ACTED,
    ...GIVES_OBJECT,
    subresources: ["status"],
  },
  {
    kind: "Pod",
    plural: "pods",
    shortNames: ["po"],
    categories: ["all"],
    ...ACTED,
    ...GIVES_OBJECT,
    ...SPEC,
    subresources: [
      streaming("attach", "PodAttachOptions"),
      { name: "binding", verbs: ["create"], speaks: { group: "", version: "v1", kind: "Binding" } },
      { name: "eviction", verbs: ["create"], speaks: { group: "policy", version: "v1", kind: "Eviction" } },
      streaming("exec", "PodExecOptions"),
      { name: "log", verbs: ["get"], isText: true },
      streaming("portforward", "PodPortForwardOptions"),
      "status",
    ],
  },
  { kind: "PodTemplate", plural: "podtemplates", ...GIVES_OBJECT, ...SPEC },
  {
    kind: "ReplicationController",
    plural: "replicationcontrollers",
    shortNames: ["rc"],
    categories: ["all"],
    ...SPEC,
    dependents: "Orphan",
    subresources: ["scale", "status"],
  },
  {
    kind: "ResourceQuota",
    plural: "resourcequotas",
    shortNames: ["quota"],
    ...ACTED,
    ...GIVES_OBJECT,
    subresources: ["status"],
  },
  { kind: "Secret", plural: "secrets", ...ACTED },
  {
    kind: "ServiceAccount",
    plural: "serviceaccounts",
    shortNames: ["sa"],
    ...ACTED,
    ...GIVES_OBJECT,
    subresources: [
      {
        name: "token",
        verbs: ["create"],
        speaks: { group: "authentication.k8s.io", version: "v1", kind: "TokenRequest" },
      },
    ],
  },
  {
    kind: "Service",
    plural: "services",
    shortNames: ["svc"],
    categories: ["all"],
    ...ACTED,
    ...GIVES_OBJECT,
    ...MADE_BY_PUT,
    subresources: ["status"],
  },
]);

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

const OTHERS = [
  ...kindsOf("admissionregistration.k8s.io/v1", [
    {
      kind: "MutatingWebhookConfiguration",
      plural: "mutatingwebhookconfigurations",
      categories: ["api-extensions"],
      ...CLUSTER,
      ...ACTED,
      ...SPEC,
      versionRequired: true,
    },
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
      ...CLUSTER,
      ...ACTED,
      ...SPEC,
      staged: true,
      versionRequired: true,
      subresources: ["status"],
    },
  ]),
  ...kindsOf("autoscaling/v2", [
    {
      kind: "HorizontalPodAutoscaler",
      plural: "horizontalpodautoscalers",
      shortNames: ["hpa"],
      categories: ["all"],
      subresources: ["status"],
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
  ...kindsOf("discovery.k8s.io/v1", [{ kind: "EndpointSlice", plural: "endpointslices", generation: "labels" }]),
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
    { kind: "NetworkPolicy", plural: "networkpolicies", shortNames: ["netpol"], ...SPEC },
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

export const BUILT_IN: readonly Kind[] = [...CORE, ...APPS, ...STORAGE, ...RBAC, ...OTHERS];
