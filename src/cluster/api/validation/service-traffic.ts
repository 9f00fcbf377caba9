/** How traffic comes to a service from outside, and where it goes (upstream validateService, its second half). */
import { isIP } from "node:net";
import { duplicate, type FieldError, forbidden, invalid, notSupported, required } from "../../../admission/verdict.ts";
import { checkAddress, checkPort, checkQualifiedName } from "./checks.ts";
import { keyOfParts, repeated } from "./repeated.ts";

export interface TrafficToCheck {
  readonly type?: string;
  readonly ports?: readonly { readonly port?: number; readonly nodePort?: number; readonly protocol?: string }[];
  readonly sessionAffinity?: string;
  readonly sessionAffinityConfig?: { readonly clientIP?: { readonly timeoutSeconds?: number } };
  readonly externalIPs?: readonly string[];
  readonly externalTrafficPolicy?: string;
  readonly internalTrafficPolicy?: string;
  readonly healthCheckNodePort?: number;
  readonly loadBalancerSourceRanges?: readonly string[];
  readonly loadBalancerClass?: string;
  readonly allocateLoadBalancerNodePorts?: boolean;
  readonly trafficDistribution?: string;
}

const MAX_AFFINITY_SECONDS = 86_400;
const POLICIES = ["Cluster", "Local"];
const DISTRIBUTIONS = ["PreferClose", "PreferSameZone", "PreferSameNode"];
const CIDR_RULE = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";
const ONLY_BALANCED = "may only be used when `type` is 'LoadBalancer'";

export function checkAffinityConfig({ sessionAffinity, sessionAffinityConfig: config }: TrafficToCheck): FieldError[] {
  const path = "spec.sessionAffinityConfig";
  if (sessionAffinity === "None") {
    return config === undefined ? [] : [forbidden(path, "must not be set when session affinity is None")];
  }
  if (sessionAffinity !== "ClientIP") return [];
  const why = "when session affinity type is ClientIP";
  if (config === undefined) return [required(path, why)];
  if (config.clientIP === undefined) return [required(`${path}.clientIP`, why)];
  const seconds = config.clientIP.timeoutSeconds;
  const at = `${path}.clientIP.timeoutSeconds`;
  if (seconds === undefined) return [required(at, why)];
  if (seconds > 0 && seconds <= MAX_AFFINITY_SECONDS) return [];
  return [invalid(at, seconds, `must be greater than 0 and less than ${MAX_AFFINITY_SECONDS}`)];
}

export function checkExternalAddresses({ externalIPs = [] }: TrafficToCheck): FieldError[] {
  return externalIPs.flatMap((address, index) => checkAddress(address, `spec.externalIPs[${index}]`));
}

/** What is open on nodes, and what a balancer in front of them is told. `old`: what it replaces. */
export function checkTraffic(spec: TrafficToCheck, old: TrafficToCheck | undefined): FieldError[] {
  const isBalanced = spec.type === "LoadBalancer";
  return [
    ...checkNodePorts(spec),
    ...checkSamePorts(spec.ports ?? []),
    ...checkRanges(spec, isBalanced),
    ...(spec.allocateLoadBalancerNodePorts !== undefined && !isBalanced
      ? [forbidden("spec.allocateLoadBalancerNodePorts", ONLY_BALANCED)]
      : []),
    ...checkBalancerClass(spec, old),
    ...checkExternalPolicy(spec),
    ...checkInternalPolicy(spec),
    ...(spec.trafficDistribution === undefined || DISTRIBUTIONS.includes(spec.trafficDistribution)
      ? []
      : [notSupported("spec.trafficDistribution", spec.trafficDistribution, DISTRIBUTIONS)]),
  ];
}

function checkNodePorts({ type, ports = [] }: TrafficToCheck): FieldError[] {
  const again = repeated(ports, ({ nodePort = 0, protocol }) =>
    nodePort === 0 ? undefined : keyOfParts(nodePort, protocol),
  );
  return ports.flatMap(({ nodePort = 0 }, index) => {
    if (nodePort === 0) return [];
    const path = `spec.ports[${index}].nodePort`;
    return [
      ...(type === "ClusterIP" ? [forbidden(path, "may not be used when `type` is 'ClusterIP'")] : []),
      ...(again.has(index) ? [duplicate(path, nodePort)] : []),
    ];
  });
}

/** Shown as the server holds them. */
function checkSamePorts(ports: NonNullable<TrafficToCheck["ports"]>): FieldError[] {
  const again = repeated(ports, ({ port = 0, protocol = "" }) => keyOfParts(port, protocol));
  return ports.flatMap(({ port = 0, protocol = "" }, index) => {
    if (!again.has(index)) return [];
    const shown = { Name: "", Protocol: protocol, AppProtocol: null, Port: port, TargetPort: 0, NodePort: 0 };
    return [duplicate(`spec.ports[${index}]`, shown)];
  });
}

/** Told of in another spelling: so it is upstream. */
function checkRanges({ loadBalancerSourceRanges: ranges = [] }: TrafficToCheck, isBalanced: boolean): FieldError[] {
  if (ranges.length === 0) return [];
  const path = "spec.LoadBalancerSourceRanges";
  return [
    ...(isBalanced ? [] : [forbidden(path, ONLY_BALANCED)]),
    ...ranges.flatMap((range, index) => checkCidr(range.trim(), `${path}[${index}]`)),
  ];
}

/** A range of addresses. */
export function checkCidr(range: string, path: string): FieldError[] {
  const [address = "", bits = "", ...rest] = range.split("/");
  const family = isIP(address);
  const isRange =
    rest.length === 0 && family !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128);
  return isRange ? [] : [invalid(path, range, CIDR_RULE)];
}

function checkBalancerClass(spec: TrafficToCheck, old: TrafficToCheck | undefined): FieldError[] {
  const { loadBalancerClass: name, type } = spec;
  const path = "spec.loadBalancerClass";
  const stays = old?.type !== "LoadBalancer" || type !== "LoadBalancer" || old.loadBalancerClass === name;
  return [
    ...(stays ? [] : [invalid(path, name ?? null, "may not change once set")]),
    ...(name !== undefined && type === "LoadBalancer" ? checkQualifiedName(name, path) : []),
    ...(name !== undefined && type !== "LoadBalancer" ? [forbidden(path, ONLY_BALANCED)] : []),
  ];
}

function checkExternalPolicy(spec: TrafficToCheck): FieldError[] {
  const { type, externalTrafficPolicy: policy = "", healthCheckNodePort: port = 0, externalIPs = [] } = spec;
  const isOpen = type === "LoadBalancer" || type === "NodePort" || (type === "ClusterIP" && externalIPs.length > 0);
  const isWatched = type === "LoadBalancer" && policy === "Local";
  const path = "spec.externalTrafficPolicy";
  const closed = "may only be set for externally-accessible services";
  const unwatched = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
  return [
    ...(!isOpen && policy !== "" ? [invalid(path, policy, closed)] : []),
    ...(isOpen && policy === "" ? [required(path)] : []),
    ...(isOpen && policy !== "" && !POLICIES.includes(policy) ? [notSupported(path, policy, POLICIES)] : []),
    ...(!isWatched && port !== 0 ? [invalid("spec.healthCheckNodePort", port, unwatched)] : []),
    ...(isWatched && port !== 0 ? checkPort(port, "spec.healthCheckNodePort") : []),
  ];
}

function checkInternalPolicy({ type, internalTrafficPolicy: policy }: TrafficToCheck): FieldError[] {
  const path = "spec.internalTrafficPolicy";
  if (policy === undefined) {
    return type === "NodePort" || type === "LoadBalancer" || type === "ClusterIP" ? [required(path)] : [];
  }
  return POLICIES.includes(policy) ? [] : [notSupported(path, policy, POLICIES)];
}
