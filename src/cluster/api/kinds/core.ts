/** The kinds of the core group. */
import { type Kind, kindsOf, type Subresource, VERBS } from "./kind.ts";
import { ACTED, CLUSTER, GIVES_OBJECT, MADE_BY_PUT, SPEC } from "./traits.ts";

/** A connection to what runs in a pod. */
function streaming(name: string, kind: string): Subresource {
  return { name, verbs: ["create", "get"], speaks: { group: "", version: "v1", kind } };
}

/** The way to what is behind an object: whatever stands after it in the path is for that to read. */
function proxying(kind: string): Subresource {
  return {
    name: "proxy",
    verbs: ["create", "delete", "get", "patch", "update"],
    speaks: { group: "", version: "v1", kind },
  };
}

export const CORE: readonly Kind[] = kindsOf("v1", [
  { kind: "Binding", plural: "bindings", verbs: ["create"], ...ACTED },
  {
    kind: "ComponentStatus",
    plural: "componentstatuses",
    shortNames: ["cs"],
    // There are none: everything that this server needs is in its own process.
    verbs: ["get", "list"],
    ...CLUSTER,
    ...ACTED,
    deprecation: "v1 ComponentStatus is deprecated in v1.19+",
  },
  { kind: "ConfigMap", plural: "configmaps", shortNames: ["cm"], ...ACTED },
  {
    kind: "Endpoints",
    plural: "endpoints",
    shortNames: ["ep"],
    ...ACTED,
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
  {
    kind: "Node",
    plural: "nodes",
    shortNames: ["no"],
    ...CLUSTER,
    ...ACTED,
    subresources: [proxying("NodeProxyOptions"), "status"],
  },
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
      "ephemeralcontainers",
      { name: "eviction", verbs: ["create"], speaks: { group: "policy", version: "v1", kind: "Eviction" } },
      streaming("exec", "PodExecOptions"),
      { name: "log", verbs: ["get"], isText: true },
      streaming("portforward", "PodPortForwardOptions"),
      proxying("PodProxyOptions"),
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
    subresources: [proxying("ServiceProxyOptions"), "status"],
  },
]);
