/** The EndpointSlices of a service: up to a hundred endpoints each (upstream k8s.io/endpointslice). */
import { semanticallyEqual } from "../../../../../core/semantic-equal.ts";
import type { ObjectMeta, OwnerReference } from "../../../../../core/types.ts";
import { isPodReady } from "../../shared/decide/pod-ready.ts";
import { addressesOf, familiesOf, hostnameOf, isReachable, portsOf, targetRefOf } from "./pods.ts";
import {
  type Endpoint,
  type EndpointPort,
  type EndpointSlice,
  HEADLESS,
  isHeadless,
  type Service,
  type ServingPod,
} from "./types.ts";

export const SERVICE_NAME = "kubernetes.io/service-name";
export const SLICE_MANAGER = "endpointslice.kubernetes.io/managed-by";
export const MANAGER = "endpointslice-controller.k8s.io";
const PER_SLICE = 100;

export interface SlicePlan {
  readonly create: readonly EndpointSlice[];
  readonly update: readonly EndpointSlice[];
  readonly remove: readonly EndpointSlice[];
}

/** `found` are the slices of this service that we keep; `zoneOf` tells where a node is. */
export function planSlices(
  service: Service,
  pods: readonly ServingPod[],
  found: readonly EndpointSlice[],
  zoneOf: (node: string) => string | undefined,
): SlicePlan {
  const create: EndpointSlice[] = [];
  const update: EndpointSlice[] = [];
  const names = new Set(found.map(({ metadata }) => metadata.name));
  /** Free to be used for something else; in the end, too many. */
  const spare = new Set(found.filter((slice) => slice.metadata.deletionTimestamp === undefined));

  for (const family of familiesOf(service)) {
    const own = [...spare].filter((slice) => slice.addressType === family && isOwned(slice, service));
    const groups = groupByPorts(service, pods, family, zoneOf);
    const takers = groups.flatMap(({ ports, endpoints }) => {
      const keyed = own.filter((slice) => samePorts(slice.ports ?? [], ports));
      return share(keyed, endpoints, spare).map((part) => ({ ...part, ports }));
    });
    for (const { slice, endpoints, ports } of takers) {
      const kept = slice ?? own.find((each) => spare.has(each));
      if (kept === undefined) {
        create.push(newSlice(service, family, ports, endpoints, names));
        continue;
      }
      spare.delete(kept);
      const wanted = { ...kept, metadata: labelled(kept.metadata, service), ports, endpoints };
      if (!isSame(kept, wanted)) update.push(wanted);
    }
  }
  return { create, update, remove: [...spare] };
}

interface Group {
  readonly ports: readonly EndpointPort[];
  readonly endpoints: readonly Endpoint[];
}

/** Never none: a service without endpoints says so in an empty slice. */
function groupByPorts(
  service: Service,
  pods: readonly ServingPod[],
  family: string,
  zoneOf: (node: string) => string | undefined,
): readonly Group[] {
  const groups = new Map<string, { ports: readonly EndpointPort[]; endpoints: Endpoint[] }>();
  for (const pod of [...pods].sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))) {
    const addresses = isReachable(pod) ? addressesOf(pod, family) : [];
    if (addresses.length === 0) continue;
    const ports = portsOf(service, pod);
    const group = groups.get(JSON.stringify(ports)) ?? { ports, endpoints: [] };
    group.endpoints.push(endpointOf(service, pod, addresses, zoneOf));
    groups.set(JSON.stringify(ports), group);
  }
  return groups.size === 0 ? [{ ports: [], endpoints: [] }] : [...groups.values()];
}

function endpointOf(
  service: Service,
  pod: ServingPod,
  addresses: readonly string[],
  zoneOf: (node: string) => string | undefined,
): Endpoint {
  const { nodeName } = pod.spec;
  const zone = nodeName === undefined ? undefined : zoneOf(nodeName);
  const serving = isPodReady(pod);
  const terminating = pod.metadata.deletionTimestamp !== undefined;
  const ready = service.spec?.publishNotReadyAddresses === true || (serving && !terminating);
  return {
    addresses,
    conditions: { ready, serving, terminating },
    ...hostnameOf(pod, service),
    ...(nodeName === undefined ? {} : { nodeName }),
    ...(zone === undefined ? {} : { zone }),
    targetRef: targetRefOf(pod),
  };
}

/** Divides the endpoints among the slices, leaving each where it is as far as possible. Slices taken are spare no more. */
function share(
  slices: readonly EndpointSlice[],
  endpoints: readonly Endpoint[],
  spare: Set<EndpointSlice>,
): { readonly slice?: EndpointSlice; readonly endpoints: readonly Endpoint[] }[] {
  const rest = new Map(endpoints.map((endpoint) => [endpoint.targetRef?.uid ?? "", endpoint]));
  const parts: { slice?: EndpointSlice; endpoints: Endpoint[] }[] = slices.map((slice) => {
    const kept = (slice.endpoints ?? []).flatMap(({ targetRef }) => {
      const endpoint = rest.get(targetRef?.uid ?? "");
      return endpoint !== undefined && rest.delete(targetRef?.uid ?? "") ? [endpoint] : [];
    });
    return { slice, endpoints: kept };
  });
  for (const endpoint of rest.values()) {
    const part = parts.find((each) => each.endpoints.length < PER_SLICE);
    if (part !== undefined) part.endpoints.push(endpoint);
    else parts.push({ endpoints: [endpoint] });
  }
  const used = parts.filter((part) => part.endpoints.length > 0);
  const taken = used.length > 0 ? used : [parts[0] ?? { endpoints: [] }];
  for (const { slice } of taken) if (slice !== undefined) spare.delete(slice);
  return taken;
}

/** Named after what it is for, so that two attempts to make it never make two. */
function newSlice(
  service: Service,
  addressType: string,
  ports: readonly EndpointPort[],
  endpoints: readonly Endpoint[],
  names: Set<string>,
): EndpointSlice {
  const { name, namespace = "", uid = "" } = service.metadata;
  let serial = 0;
  const nameOf = (): string => `${name}-${uid.slice(0, 8)}-${addressType.toLowerCase()}-${serial}`;
  while (names.has(nameOf())) serial++;
  names.add(nameOf());
  const metadata = { name: nameOf(), namespace, ownerReferences: [ownerOf(service)] };
  return { metadata: labelled(metadata, service), addressType, ports, endpoints };
}

function ownerOf({ metadata: { name, uid = "" } }: Service): OwnerReference {
  return { apiVersion: "v1", kind: "Service", name, uid, controller: true, blockOwnerDeletion: true };
}

function isOwned({ metadata }: EndpointSlice, service: Service): boolean {
  return metadata.ownerReferences?.some(({ uid }) => uid === service.metadata.uid) === true;
}

/** The labels of the service, and those by which the slice is known. */
function labelled(metadata: ObjectMeta, service: Service): ObjectMeta {
  const labels = {
    ...service.metadata.labels,
    ...(isHeadless(service) ? { [HEADLESS]: "" } : {}),
    [SERVICE_NAME]: service.metadata.name,
    [SLICE_MANAGER]: MANAGER,
  };
  return { ...metadata, labels };
}

function samePorts(a: readonly EndpointPort[], b: readonly EndpointPort[]): boolean {
  const key = (ports: readonly EndpointPort[]): string[] =>
    ports.map(({ name = "", port, protocol, appProtocol }) => [name, port, protocol, appProtocol].join()).sort();
  return semanticallyEqual(key(a), key(b));
}

function isSame(a: EndpointSlice, b: EndpointSlice): boolean {
  return (
    semanticallyEqual(a.metadata.labels, b.metadata.labels) &&
    samePorts(a.ports ?? [], b.ports ?? []) &&
    semanticallyEqual(a.endpoints, b.endpoints)
  );
}
