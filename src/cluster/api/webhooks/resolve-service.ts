/**
 * Where a Service is, seen from this process. There is no network between pods here: a Service leads somewhere when it is
 * an ExternalName, or when EndpointSlices give it addresses that this machine can reach.
 */
import type { Catalog } from "../catalog/catalog.ts";
import type { JsonObject } from "../json.ts";
import type { Kind } from "../kinds/kind.ts";
import { listObjects } from "../objects/list.ts";
import type { ObjectStore } from "../objects/object-store.ts";
import type { ResolveService, ServiceName } from "./call-hook.ts";
import type { Address } from "./transport.ts";

interface Service {
  readonly spec?: {
    readonly type?: string;
    readonly externalName?: string;
    readonly ports?: readonly { readonly name?: string; readonly port: number }[];
  };
}

interface Slice {
  readonly ports?: readonly { readonly name?: string; readonly port?: number }[];
  readonly endpoints?: readonly {
    readonly addresses: readonly string[];
    readonly conditions?: { readonly ready?: boolean };
  }[];
}

/** The way out for whoever runs a webhook beside the cluster. */
const WAY_OUT = "; run the webhook on this machine, and give its address in clientConfig.url or in an EndpointSlice";

/** Looks services up as they are stored at the moment of the call. */
export function createServiceResolver(objects: ObjectStore, catalog: Catalog): ResolveService {
  const kindOf = (group: string, plural: string): Kind => {
    const found = catalog.find(group, "v1", plural);
    if (found === undefined) throw new Error(`${plural} are not served`);
    return found.kind;
  };
  return (name) => {
    const service = objects.find(kindOf("", "services"), name.namespace, name.name) as Service | undefined;
    if (service === undefined) throw new Error(`service ${JSON.stringify(name.name)} not found`);
    if (service.spec?.type === "ExternalName") return { host: service.spec.externalName ?? "", port: name.port };
    const matches = (slice: JsonObject) => serviceOf(slice) === name.name;
    const { items } = listObjects(objects, kindOf("discovery.k8s.io", "endpointslices"), {
      namespace: name.namespace,
      matches,
    });
    return addressIn(items, portName(service, name), name);
  };
}

function serviceOf({ metadata }: JsonObject): string | undefined {
  const { labels } = (metadata ?? {}) as { labels?: Record<string, string> };
  return labels?.["kubernetes.io/service-name"];
}

function portName({ spec }: Service, { name, port }: ServiceName): string {
  const found = spec?.ports?.find((each) => each.port === port);
  if (found === undefined) throw new Error(`no service port ${port} found for service ${JSON.stringify(name)}`);
  return found.name ?? "";
}

function addressIn(slices: readonly Slice[], port: string, { name }: ServiceName): Address {
  for (const { ports = [], endpoints = [] } of slices) {
    const number = ports.find((each) => (each.name ?? "") === port)?.port;
    const ready = endpoints.find(({ conditions }) => conditions?.ready !== false);
    const [host] = ready?.addresses ?? [];
    if (number !== undefined && host !== undefined) return { host, port: number };
  }
  throw new Error(`no endpoints available for service ${JSON.stringify(name)}${WAY_OUT}`);
}
