/**
 * What an update of a service means where it leaves things out: values that the server has chosen stay, and those that no
 * longer fit the type go, unless somebody has changed them as well (upstream's service strategy and REST storage).
 */
import { semanticallyEqual } from "../../../core/semantic-equal.ts";
import {
  getsNodePorts,
  hasAddress,
  hasHealthPort,
  hasNodePorts,
  nodePortsOf,
  type ServicePort,
  type ServiceSpec,
  without,
} from "./service-spec.ts";

/** The spec that is meant by `next`, sent to replace `old`. */
export function meantByUpdate(old: ServiceSpec, next: ServiceSpec): ServiceSpec {
  return inStep(old, keepGiven(old, dropUnfit(old, next)));
}

/** The spec that is meant by a new service: whoever names one address in the old field means both. */
export function meantByCreate(next: ServiceSpec): ServiceSpec {
  const { clusterIP = "", clusterIPs = [] } = next;
  return clusterIP !== "" && clusterIPs.length === 0 ? { ...next, clusterIPs: [clusterIP] } : next;
}

function dropUnfit(old: ServiceSpec, next: ServiceSpec): ServiceSpec {
  const unfit: (keyof ServiceSpec)[] = hasAddress(next) ? [] : ["internalTrafficPolicy"];
  const dropUnchanged = (...fields: (keyof ServiceSpec)[]) => {
    if (fields.every((field) => semanticallyEqual(old[field], next[field]))) unfit.push(...fields);
  };
  if (hasAddress(old) && !hasAddress(next)) {
    dropUnchanged("clusterIP", "clusterIPs");
    dropUnchanged("ipFamilies");
    dropUnchanged("ipFamilyPolicy");
  }
  if (hasHealthPort(old) && !hasHealthPort(next)) dropUnchanged("healthCheckNodePort");
  if (old.type === "LoadBalancer" && next.type !== "LoadBalancer") {
    dropUnchanged("allocateLoadBalancerNodePorts");
    dropUnchanged("loadBalancerClass");
  }
  if (isReachedFromOutside(old) && !isReachedFromOutside(next)) dropUnchanged("externalTrafficPolicy");
  const spec = without(next, ...unfit);
  const before = new Set(nodePortsOf(old));
  const dropsPorts = hasNodePorts(old) && !hasNodePorts(next) && nodePortsOf(next).every((port) => before.has(port));
  return dropsPorts ? { ...spec, ports: (next.ports ?? []).map(withoutNodePort) } : spec;
}

function withoutNodePort(port: ServicePort): ServicePort {
  const { nodePort: _, ...rest } = port;
  return rest;
}

function isReachedFromOutside(spec: ServiceSpec): boolean {
  return hasNodePorts(spec) || (spec.type === "ClusterIP" && (spec.externalIPs ?? []).length > 0);
}

/** Whoever sends the manifest again that a service was made from means to keep what it was given. */
function keepGiven(old: ServiceSpec, next: ServiceSpec): ServiceSpec {
  const kept: { -readonly [Field in keyof ServiceSpec]: ServiceSpec[Field] } = {};
  if (hasAddress(old) && hasAddress(next)) {
    if ((next.clusterIP ?? "") === "" && old.clusterIP !== undefined) kept.clusterIP = old.clusterIP;
    if ((next.clusterIPs ?? []).length === 0 && old.clusterIPs !== undefined) kept.clusterIPs = old.clusterIPs;
  }
  if (getsNodePorts(old) && getsNodePorts(next)) kept.ports = keepNodePorts(old, next);
  if (hasHealthPort(old) && hasHealthPort(next) && (next.healthCheckNodePort ?? 0) === 0) {
    if (old.healthCheckNodePort !== undefined) kept.healthCheckNodePort = old.healthCheckNodePort;
  }
  return { ...next, ...kept };
}

/** By the port's name, unless another port has asked for that node port. */
function keepNodePorts(old: ServiceSpec, next: ServiceSpec): readonly ServicePort[] {
  const asked = new Set(nodePortsOf(next));
  const given = new Map((old.ports ?? []).map(({ name = "", nodePort = 0 }) => [name, nodePort]));
  return (next.ports ?? []).map((port) => {
    const known = given.get(port.name ?? "") ?? 0;
    return (port.nodePort ?? 0) !== 0 || known === 0 || asked.has(known) ? port : { ...port, nodePort: known };
  });
}

/** The old field for the address and the new one say the same; who changes one means both. */
function inStep(old: ServiceSpec, next: ServiceSpec): ServiceSpec {
  const [before, after] = [old.clusterIP ?? "", next.clusterIP ?? ""];
  if (before === after || !semanticallyEqual(old.clusterIPs, next.clusterIPs)) return next;
  return after === "" ? without(next, "clusterIPs") : { ...next, clusterIPs: [after] };
}
