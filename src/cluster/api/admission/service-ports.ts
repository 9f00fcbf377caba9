/** Node ports: those that a service asks for, and any for those that it needs and does not name. */
import { type FieldError, invalid } from "../../../admission/verdict.ts";
import { type DeskWords, type NumberDesk, unavailable } from "./number-desk.ts";
import { getsNodePorts, hasHealthPort, hasNodePorts, type ServicePort, type ServiceSpec } from "./service-spec.ts";

/** The lower part is for those who choose, where there is a choice. */
export const NODE_PORTS = { first: 30_000, last: 32_767, chosenBelow: 30_086 };

export const PORT_WORDS: DeskWords = {
  outside: `provided port is not in the valid range. The range of valid ports is ${NODE_PORTS.first}-${NODE_PORTS.last}`,
  taken: "provided port is already allocated",
};

/** The spec with its node ports, and what is wrong with those that it asks for. Throws 500 when there are none left. */
export function withNodePorts(
  spec: ServiceSpec,
  desk: NumberDesk,
): { readonly spec: ServiceSpec; readonly errors: readonly FieldError[] } {
  if (!hasNodePorts(spec)) return { spec, errors: [] };
  const errors: FieldError[] = [];
  /** By port: one node port serves the same port of several protocols. */
  const shared = new Map<number, number>();
  const asking = askedFor(spec);
  const ports = (spec.ports ?? []).map((port, index): ServicePort => {
    const asked = port.nodePort || shared.get(port.port) || asking.get(port.port);
    if (asked === undefined && !getsNodePorts(spec)) return port;
    const number = asked ?? desk.any();
    if (number === undefined) throw unavailable("failed to allocate a nodePort: range is full");
    const why = asked === undefined ? undefined : desk.obstacle(asked);
    if (why !== undefined) errors.push(invalid(`spec.ports[${index}].nodePort`, number, why));
    shared.set(port.port, number);
    return { ...port, nodePort: number };
  });
  const next = { ...spec, ports };
  // Only the first is told: the rest was not tried upstream.
  if (errors.length > 0) return { spec: next, errors: errors.slice(0, 1) };
  return { spec: hasHealthPort(next) ? withHealthPort(next, desk) : next, errors };
}

/** By port: the node port that the first of them asks for. */
function askedFor({ ports = [] }: ServiceSpec): ReadonlyMap<number, number> {
  const asked = new Map<number, number>();
  for (const { port, nodePort = 0 } of ports) if (nodePort !== 0 && !asked.has(port)) asked.set(port, nodePort);
  return asked;
}

function withHealthPort(spec: ServiceSpec, desk: NumberDesk): ServiceSpec {
  const asked = spec.healthCheckNodePort ?? 0;
  if (asked === 0) {
    const number = desk.any();
    if (number === undefined) throw unavailable("failed to allocate a HealthCheck NodePort 0: range is full");
    return { ...spec, healthCheckNodePort: number };
  }
  const why = desk.obstacle(asked);
  if (why !== undefined) throw unavailable(`failed to allocate requested HealthCheck NodePort ${asked}: ${why}`);
  return spec;
}
