/** What a pod has to offer to a service. */
import type { ObjectReference } from "../../../../../core/types.ts";
import type { EndpointPort, Service, ServicePort, ServingPod } from "./types.ts";

/** Whether the pod is behind the service. */
export function isBehind(service: Service, { metadata }: ServingPod): boolean {
  const { selector } = service.spec ?? {};
  if (selector === undefined || metadata.namespace !== service.metadata.namespace) return false;
  return Object.entries(selector).every(([name, value]) => metadata.labels?.[name] === value);
}

/** Whether it can be reached at all: it runs, or may yet, and has an address. */
export function isReachable({ status }: ServingPod): boolean {
  return status?.phase !== "Succeeded" && status?.phase !== "Failed" && ipsOf(status).length > 0;
}

/** Its addresses of one family, `IPv4` or `IPv6`. */
export function addressesOf({ status }: ServingPod, family: string): readonly string[] {
  return ipsOf(status).filter((ip) => isSix(ip) === (family === "IPv6"));
}

function ipsOf(status: ServingPod["status"]): readonly string[] {
  const { podIPs = [], podIP = "" } = status ?? {};
  if (podIPs.length > 0) return podIPs.map(({ ip }) => ip);
  return podIP === "" ? [] : [podIP];
}

/** The API server has seen to it that it is an address of one family or the other. */
function isSix(ip: string): boolean {
  return ip.includes(":");
}

/** The families in which the service is reached. */
export function familiesOf({ spec }: Service): readonly string[] {
  const { ipFamilies = [], clusterIP = "" } = spec ?? {};
  if (ipFamilies.length > 0) return ipFamilies;
  return [isSix(clusterIP) ? "IPv6" : "IPv4"];
}

/** Where the ports of the service lead to in this pod. A name that no container has leads nowhere. */
export function portsOf({ spec }: Service, pod: ServingPod): readonly EndpointPort[] {
  return (spec?.ports ?? []).flatMap((servicePort) => {
    const port = targetOf(servicePort, pod);
    if (port === undefined) return [];
    const { name = "", protocol = "TCP", appProtocol } = servicePort;
    return [{ name, port, protocol, ...(appProtocol === undefined ? {} : { appProtocol }) }];
  });
}

function targetOf({ targetPort, port, protocol = "TCP" }: ServicePort, { spec }: ServingPod): number | undefined {
  if (typeof targetPort !== "string") return targetPort ?? port;
  const sidecars = (spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === "Always");
  return [...(spec.containers ?? []), ...sidecars]
    .flatMap(({ ports = [] }) => ports)
    .find((each) => each.name === targetPort && (each.protocol ?? "TCP") === protocol)?.containerPort;
}

/** The name under which it is found below the service's own. */
export function hostnameOf({ metadata, spec }: ServingPod, service: Service): { readonly hostname?: string } {
  const { hostname = "", subdomain = "" } = spec;
  const isNamed = hostname !== "" && subdomain === service.metadata.name;
  return isNamed && metadata.namespace === service.metadata.namespace ? { hostname } : {};
}

export function targetRefOf({ metadata }: ServingPod): ObjectReference {
  const { namespace, name, uid } = metadata;
  return {
    kind: "Pod",
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(uid === undefined ? {} : { uid }),
  };
}
