/** Kinds that are only stored here: requests in queues, certificates, devices, addresses. */
import {
  address,
  apiService,
  deviceClass,
  flowSchema,
  priorityLevel,
  range,
  resourceClaim,
  resourceClaimTemplate,
  resourceSlice,
  signingRequest,
} from "../stored-kinds.ts";
import type { Actor } from "./scene.ts";

const CONDITION = { status: "True", reason: "Because", message: "m", lastTransitionTime: "2026-01-01T00:00:00Z" };
const FLOW = "flowcontrol.apiserver.k8s.io";
const group = (name: string) => `${name}.example.com`;
const service = (name: string, spec: object, status?: object): Actor => ({
  kind: "apiregistration.k8s.io/APIService",
  name: `v1.${group(name)}`,
  body: { spec: { ...apiService(group(name)).spec, ...spec } },
  ...(status === undefined ? {} : { status }),
});
const request = (name: string, spec: object, status?: object): Actor => ({
  kind: "certificates.k8s.io/CertificateSigningRequest",
  name,
  body: { spec: { ...signingRequest.spec, ...spec } },
  ...(status === undefined ? {} : { status }),
});
const allocation = { devices: { results: [{ request: "one", driver: "d.example.com", pool: "p", device: "gpu-0" }] } };

export const STORED: readonly Actor[] = [
  service("local", {}),
  service("elsewhere", { service: { namespace: "default", name: "api" } }),
  request("plain", {}),
  request("short", { expirationSeconds: 5400 }),
  request("failed", {}, { conditions: [{ ...CONDITION, type: "Failed", lastUpdateTime: "2026-01-01T00:00:00Z" }] }),
  { kind: `${FLOW}/FlowSchema`, name: "plain", body: flowSchema },
  {
    kind: `${FLOW}/FlowSchema`,
    name: "by-user",
    body: { spec: { ...flowSchema.spec, matchingPrecedence: 7, distinguisherMethod: { type: "ByUser" } } },
  },
  { kind: `${FLOW}/PriorityLevelConfiguration`, name: "queueing", body: priorityLevel },
  {
    kind: `${FLOW}/PriorityLevelConfiguration`,
    name: "rejecting",
    body: { spec: { type: "Limited", limited: { limitResponse: { type: "Reject" }, nominalConcurrencyShares: 5 } } },
  },
  { kind: "networking.k8s.io/IPAddress", name: "192.0.2.7", body: address },
  {
    kind: "networking.k8s.io/IPAddress",
    name: "2001:db8::7",
    body: { spec: { parentRef: { group: "gateway.example.com", resource: "Gateways", name: "way" } } },
  },
  { kind: "networking.k8s.io/ServiceCIDR", name: "one", body: range },
  {
    kind: "networking.k8s.io/ServiceCIDR",
    name: "two",
    body: { spec: { cidrs: ["198.51.100.0/24", "2001:db8::/64"] } },
  },
  { kind: "node.k8s.io/RuntimeClass", name: "fast", body: { handler: "fast" } },
  { kind: "resource.k8s.io/DeviceClass", name: "gpu", body: deviceClass },
  { kind: "resource.k8s.io/ResourceClaim", name: "pending", body: resourceClaim },
  { kind: "resource.k8s.io/ResourceClaim", name: "going", body: resourceClaim, deleted: true },
  { kind: "resource.k8s.io/ResourceClaim", name: "allocated", body: resourceClaim, status: { allocation } },
  {
    kind: "resource.k8s.io/ResourceClaim",
    name: "reserved",
    body: resourceClaim,
    status: { allocation, reservedFor: [{ resource: "pods", name: "user", uid: "1" }] },
  },
  { kind: "resource.k8s.io/ResourceClaimTemplate", name: "template", body: resourceClaimTemplate },
  { kind: "resource.k8s.io/ResourceSlice", name: "slice", body: resourceSlice },
];
