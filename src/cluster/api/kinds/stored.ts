/**
 * Kinds that a chart or a controller of Kubernetes asks for and that nothing here acts on: requests are not queued by
 * priority, no certificate is signed, no container runtime and no device is there, addresses of services come from one range
 * that is fixed, and no other API server is behind this one. What Kubernetes makes of them by itself is not made here: who lists
 * them sees what somebody has stored.
 */
import { type Kind, kindsOf } from "./kind.ts";
import { CLUSTER, GIVES_OBJECT, MADE_BY_PUT, SPEC } from "./traits.ts";

export const STORED: readonly Kind[] = [
  ...kindsOf("apiregistration.k8s.io/v1", [
    {
      kind: "APIService",
      plural: "apiservices",
      categories: ["api-extensions"],
      ...CLUSTER,
      versionRequired: true,
      subresources: ["status"],
    },
  ]),
  ...kindsOf("certificates.k8s.io/v1", [
    {
      kind: "CertificateSigningRequest",
      plural: "certificatesigningrequests",
      shortNames: ["csr"],
      ...CLUSTER,
      subresources: ["approval", "status"],
    },
  ]),
  ...kindsOf("flowcontrol.apiserver.k8s.io/v1", [
    { kind: "FlowSchema", plural: "flowschemas", ...CLUSTER, ...SPEC, subresources: ["status"] },
    {
      kind: "PriorityLevelConfiguration",
      plural: "prioritylevelconfigurations",
      ...CLUSTER,
      ...SPEC,
      subresources: ["status"],
    },
  ]),
  ...kindsOf("node.k8s.io/v1", [
    { kind: "RuntimeClass", plural: "runtimeclasses", ...CLUSTER, ...MADE_BY_PUT, versionRequired: true },
  ]),
  ...kindsOf("resource.k8s.io/v1", [
    { kind: "DeviceClass", plural: "deviceclasses", ...CLUSTER, ...GIVES_OBJECT, ...SPEC },
    { kind: "ResourceClaim", plural: "resourceclaims", ...GIVES_OBJECT, subresources: ["status"] },
    { kind: "ResourceClaimTemplate", plural: "resourceclaimtemplates", ...GIVES_OBJECT },
    { kind: "ResourceSlice", plural: "resourceslices", ...CLUSTER, ...GIVES_OBJECT, ...SPEC },
  ]),
];
