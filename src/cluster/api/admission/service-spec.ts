/** A service with the fields that addresses and ports depend on, and what its type makes of them. */
import type { KubeObject } from "../../../core/types.ts";

export interface ServicePort {
  readonly name?: string;
  readonly protocol?: string;
  readonly port: number;
  readonly nodePort?: number;
}

export interface ServiceSpec {
  readonly type?: string;
  readonly clusterIP?: string;
  readonly clusterIPs?: readonly string[];
  readonly ipFamilies?: readonly string[];
  readonly ipFamilyPolicy?: string;
  readonly selector?: Readonly<Record<string, string>>;
  readonly ports?: readonly ServicePort[];
  readonly healthCheckNodePort?: number;
  readonly externalTrafficPolicy?: string;
  readonly internalTrafficPolicy?: string;
  readonly externalIPs?: readonly string[];
  readonly allocateLoadBalancerNodePorts?: boolean;
  readonly loadBalancerClass?: string;
}

export interface Service extends KubeObject {
  readonly spec: ServiceSpec;
}

/** The address of a service that has none: its name leads to its pods. */
export const HEADLESS = "None";

export function hasAddress({ type }: ServiceSpec): boolean {
  return type !== "ExternalName";
}

export function isHeadless({ clusterIPs = [], clusterIP }: ServiceSpec): boolean {
  return (clusterIPs[0] ?? clusterIP) === HEADLESS;
}

export function hasNodePorts({ type }: ServiceSpec): boolean {
  return type === "NodePort" || type === "LoadBalancer";
}

/** Whether its ports get node ports without asking. */
export function getsNodePorts({ type, allocateLoadBalancerNodePorts = true }: ServiceSpec): boolean {
  return type === "NodePort" || (type === "LoadBalancer" && allocateLoadBalancerNodePorts);
}

/** Whether a load balancer asks the nodes on a port of its own which of them have pods. */
export function hasHealthPort({ type, externalTrafficPolicy }: ServiceSpec): boolean {
  return type === "LoadBalancer" && externalTrafficPolicy === "Local";
}

export function nodePortsOf({ ports = [] }: ServiceSpec): number[] {
  return ports.flatMap(({ nodePort = 0 }) => (nodePort === 0 ? [] : [nodePort]));
}

/** The spec without these fields. */
export function without(spec: ServiceSpec, ...fields: readonly (keyof ServiceSpec)[]): ServiceSpec {
  return Object.fromEntries(Object.entries(spec).filter(([field]) => !fields.some((each) => each === field)));
}
