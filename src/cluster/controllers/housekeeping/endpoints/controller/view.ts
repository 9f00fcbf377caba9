/** What is held of services, pods, nodes, Endpoints and slices. */
import type { KubeObject } from "../../../../../core/types.ts";
import {
  type Informer,
  identity,
  keyOf,
  metadataOf,
  NODES,
  PODS,
  startInformer,
  withoutManagedFields,
} from "../../../../../kube/index.ts";
import type { Surroundings } from "../../../shared/run-controller.ts";
import { MANAGER, SERVICE_NAME, SLICE_MANAGER } from "../decide/slices.ts";
import type { EndpointSlice, Endpoints, Service, ServingPod } from "../decide/types.ts";
import { ENDPOINTS, SERVICES, SLICES } from "../resources.ts";

export interface View {
  readonly services: Informer<Service, Service, "namespace">;
  readonly pods: Informer<KubeObject, ServingPod, "namespace">;
  readonly nodes: Informer<KubeObject>;
  readonly endpoints: Informer<Endpoints>;
  /** `service`: by the service that they are of, `namespace/name`. */
  readonly slices: Informer<EndpointSlice, EndpointSlice, "service">;
}

export function startView({ client, timers, logger, metrics, signal }: Surroundings): View {
  const tools = { client, timers, logger, metrics };
  const byNamespace = { namespace: ({ metadata }: KubeObject) => metadata.namespace };
  return {
    services: startInformer<Service, Service, "namespace">(
      { ...tools, resource: SERVICES, trim: withoutManagedFields, indexes: byNamespace },
      signal,
    ),
    pods: startInformer<KubeObject, ServingPod, "namespace">(
      { ...tools, resource: PODS, trim: (pod) => holdPod(pod as ServingPod), indexes: byNamespace },
      signal,
    ),
    nodes: startInformer(
      {
        ...tools,
        resource: metadataOf(NODES),
        trim: ({ metadata }) => ({ metadata: { ...identity(metadata), labels: metadata.labels ?? {} } }),
      },
      signal,
    ),
    endpoints: startInformer<Endpoints>({ ...tools, resource: ENDPOINTS, trim: withoutManagedFields }, signal),
    slices: startInformer<EndpointSlice, EndpointSlice, "service">(
      {
        ...tools,
        resource: SLICES,
        labelSelector: `${SLICE_MANAGER}=${MANAGER}`,
        trim: withoutManagedFields,
        indexes: {
          service: ({ metadata }) =>
            keyOf({ namespace: metadata.namespace, name: metadata.labels?.[SERVICE_NAME] ?? "" }),
        },
      },
      signal,
    ),
  };
}

/** What services look at, and nothing else. */
function holdPod({ metadata, spec, status }: ServingPod): ServingPod {
  const { labels, deletionTimestamp } = metadata;
  const { nodeName, hostname, subdomain } = spec;
  const withPorts = (containers: ServingPod["spec"]["containers"] = []) =>
    containers
      .filter(({ ports }) => ports?.some(({ name }) => name !== undefined))
      .map(({ ports = [], restartPolicy }) => ({ ports, ...(restartPolicy === undefined ? {} : { restartPolicy }) }));
  return {
    metadata: {
      ...identity(metadata),
      ...(labels === undefined ? {} : { labels }),
      ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
    },
    spec: {
      ...(nodeName === undefined ? {} : { nodeName }),
      ...(hostname === undefined ? {} : { hostname }),
      ...(subdomain === undefined ? {} : { subdomain }),
      containers: withPorts(spec.containers),
      initContainers: withPorts(spec.initContainers),
    },
    status: {
      ...(status?.phase === undefined ? {} : { phase: status.phase }),
      ...(status?.podIP === undefined ? {} : { podIP: status.podIP }),
      ...(status?.podIPs === undefined ? {} : { podIPs: status.podIPs }),
      conditions: (status?.conditions ?? [])
        .filter(({ type }) => type === "Ready")
        .map(({ type, status: holds }) => ({ type, status: holds })),
    },
  };
}
