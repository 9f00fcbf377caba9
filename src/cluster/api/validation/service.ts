/** Services, their ports, types and selectors. Follows upstream's validateService. */
import { duplicate, type FieldError, forbidden, invalid, required } from "../../../admission/verdict.ts";
import {
  checkName,
  checkOneOf,
  checkPort,
  checkPortNumberOrName,
  checkQualifiedName,
  checkRequiredName,
} from "./checks.ts";
import { validateLabels } from "./metadata.ts";
import { dnsLabel, dnsSubdomain } from "./names.ts";
import { repeated } from "./repeated.ts";
import { checkAffinityConfig, checkExternalAddresses, checkTraffic, type TrafficToCheck } from "./service-traffic.ts";

export interface ServiceToCheck {
  readonly spec: Omit<TrafficToCheck, "ports"> & {
    readonly type?: string;
    readonly clusterIP?: string;
    readonly clusterIPs?: readonly string[];
    readonly ipFamilies?: readonly string[];
    readonly ipFamilyPolicy?: string;
    readonly externalName?: string;
    readonly selector?: Readonly<Record<string, string>>;
    readonly sessionAffinity?: string;
    readonly ports?: readonly {
      readonly name?: string;
      readonly port?: number;
      readonly targetPort?: number | string;
      readonly nodePort?: number;
      readonly protocol?: string;
      readonly appProtocol?: string;
    }[];
  };
}

const TYPES = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];
const AFFINITIES = ["ClientIP", "None"];
const PROTOCOLS = ["SCTP", "TCP", "UDP"];

/** Every error of a new service that has its defaults. */
export function validateService(service: ServiceToCheck): FieldError[] {
  return checkService(service, undefined);
}

function checkService({ spec }: ServiceToCheck, old: ServiceToCheck | undefined): FieldError[] {
  const ports = spec.ports ?? [];
  const needsPorts = spec.clusterIP !== "None" && spec.type !== "ExternalName";
  return [
    ...(needsPorts && ports.length === 0 ? [required("spec.ports")] : []),
    ...checkAddressFields(spec),
    ...(spec.type === "ExternalName"
      ? checkRequiredName(spec.externalName?.replace(/\.$/, ""), dnsSubdomain, "spec.externalName")
      : []),
    ...checkServicePorts(ports),
    ...validateLabels(spec.selector ?? {}, "spec.selector"),
    ...checkOneOf(spec.sessionAffinity, AFFINITIES, "spec.sessionAffinity"),
    ...checkAffinityConfig(spec),
    ...checkExternalAddresses(spec),
    ...checkOneOf(spec.type, TYPES, "spec.type"),
    ...checkTraffic(spec, old?.spec),
  ];
}

/** An address stays for the life of a service; only one that leads elsewhere has none to keep. */
export function validateServiceUpdate(old: ServiceToCheck, next: ServiceToCheck): FieldError[] {
  return [...checkAddressesStay(old.spec, next.spec), ...checkService(next, old)];
}

type Spec = ServiceToCheck["spec"];

const isHeadless = ({ clusterIPs = [] }: Spec): boolean => clusterIPs[0] === "None";

function checkAddressesStay(old: Spec, next: Spec): FieldError[] {
  if (old.type === "ExternalName" || next.type === "ExternalName" || (isHeadless(old) && isHeadless(next))) return [];
  const [before, after] = [old.clusterIPs ?? [], next.clusterIPs ?? []];
  if (before.length > 0 && after.length === 0) {
    return [invalid("spec.clusterIPs[0]", after, "primary clusterIP can not be unset")];
  }
  return before.flatMap((address, index) =>
    index < after.length && after[index] !== address
      ? [invalid(`spec.clusterIPs[${index}]`, after, "may not change once set")]
      : [],
  );
}

function checkAddressFields(spec: Spec): FieldError[] {
  if (spec.type === "ExternalName") {
    return (["clusterIPs", "ipFamilies", "ipFamilyPolicy"] as const)
      .filter((field) => (spec[field] ?? "").length > 0)
      .map((field) => forbidden(`spec.${field}`, "may not be set for ExternalName services"));
  }
  if (!isHeadless(spec) || (spec.type !== "LoadBalancer" && spec.type !== "NodePort")) return [];
  return [invalid("spec.clusterIPs[0]", "None", `may not be set to 'None' for ${spec.type} services`)];
}

type Port = NonNullable<ServiceToCheck["spec"]["ports"]>[number];

function checkServicePorts(ports: readonly Port[]): FieldError[] {
  const again = repeated(ports, ({ name = "" }) => (name === "" ? undefined : name));
  return ports.flatMap(({ name = "", port, targetPort, protocol, appProtocol }, index) => {
    const path = `spec.ports[${index}]`;
    return [
      // One port needs no name; several could not be told apart.
      ...(ports.length > 1
        ? checkRequiredName(name, dnsLabel, `${path}.name`)
        : checkName(name, dnsLabel, `${path}.name`)),
      ...(again.has(index) ? [duplicate(`${path}.name`, name)] : []),
      ...checkPort(port, `${path}.port`),
      ...checkOneOf(protocol, PROTOCOLS, `${path}.protocol`),
      ...checkPortNumberOrName(targetPort, `${path}.targetPort`),
      ...(appProtocol === undefined ? [] : checkQualifiedName(appProtocol, `${path}.appProtocol`)),
    ];
  });
}
