/** The Endpoints of a service: one object that tells of all (upstream endpoints_controller.go). */
import { isPodReady } from "../../shared/decide/pod-ready.ts";
import { addressesOf, familiesOf, hostnameOf, isReachable, portsOf, targetRefOf } from "./pods.ts";
import {
  type EndpointAddress,
  type EndpointPort,
  type Endpoints,
  HEADLESS,
  isHeadless,
  type Service,
  type ServingPod,
  type Subset,
} from "./types.ts";

const MANAGED_BY = "endpoints.kubernetes.io/managed-by";
/** More addresses than these are not told of in one object, and the object says so. */
const CAPACITY = 1000;
const OVER_CAPACITY = "endpoints.kubernetes.io/over-capacity";

/** The object as it should be. `found` is what is there; what others put on it stays. */
export function endpointsOf(service: Service, pods: readonly ServingPod[], found: Endpoints | undefined): Endpoints {
  const { name, namespace = "", labels } = service.metadata;
  const { annotations: given, ...metadata } = found?.metadata ?? { name, namespace };
  const { [OVER_CAPACITY]: _, ...others } = given ?? {};
  const all = addressesByPorts(service, pods);
  const isCut = all.length > CAPACITY;
  const annotations = isCut ? { ...others, [OVER_CAPACITY]: "truncated" } : others;
  return {
    ...found,
    metadata: {
      ...metadata,
      labels: { ...labels, ...(isHeadless(service) ? { [HEADLESS]: "" } : {}), [MANAGED_BY]: "endpoint-controller" },
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
    },
    subsets: subsetsOf(isCut ? [...all].sort(readyFirst).slice(0, CAPACITY) : all),
  };
}

interface Reachable {
  readonly address: EndpointAddress;
  readonly ports: readonly EndpointPort[];
  readonly ready: boolean;
}

function addressesByPorts(service: Service, pods: readonly ServingPod[]): readonly Reachable[] {
  const { publishNotReadyAddresses = false, ports: wanted = [] } = service.spec ?? {};
  const [family = "IPv4"] = familiesOf(service);
  return pods.flatMap((pod) => {
    const isGoing = pod.metadata.deletionTimestamp !== undefined;
    const [ip] = isReachable(pod) && (publishNotReadyAddresses || !isGoing) ? addressesOf(pod, family) : [];
    const ports = portsOf(service, pod).map(({ name, ...port }) => (name ? { name, ...port } : port));
    // Only one that has no address of its own can do without ports.
    if (ip === undefined || (ports.length === 0 && (wanted.length > 0 || !isHeadless(service)))) return [];
    const { nodeName } = pod.spec;
    const address: EndpointAddress = {
      ip,
      ...hostnameOf(pod, service),
      ...(nodeName === undefined ? {} : { nodeName }),
      targetRef: targetRefOf(pod),
    };
    return [{ address, ports, ready: publishNotReadyAddresses || isPodReady(pod) }];
  });
}

/** Those that offer the same ports stand together. */
function subsetsOf(all: readonly Reachable[]): readonly Subset[] {
  const groups = new Map<string, { ports: readonly EndpointPort[]; members: Reachable[] }>();
  for (const each of all) {
    const ports = [...each.ports].sort((a, b) => compare(a.name ?? "", b.name ?? "") || a.port - b.port);
    const key = JSON.stringify(ports);
    const group = groups.get(key) ?? { ports, members: [] };
    group.members.push(each);
    groups.set(key, group);
  }
  return [...groups.entries()]
    .sort(([a], [b]) => compare(a, b))
    .map(([, { ports, members }]) => {
      const of = (ready: boolean): EndpointAddress[] =>
        members
          .filter((each) => each.ready === ready)
          .map(({ address }) => address)
          .sort((a, b) => compare(a.ip, b.ip) || compare(a.targetRef?.uid ?? "", b.targetRef?.uid ?? ""));
      const [addresses, notReadyAddresses] = [of(true), of(false)];
      return {
        ...(addresses.length === 0 ? {} : { addresses }),
        ...(notReadyAddresses.length === 0 ? {} : { notReadyAddresses }),
        ...(ports.length === 0 ? {} : { ports }),
      };
    });
}

function readyFirst(a: Reachable, b: Reachable): number {
  return Number(b.ready) - Number(a.ready);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
