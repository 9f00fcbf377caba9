/** Where services lead to (upstream pkg/apis/discovery/validation and ValidateEndpoints). */
import { isIP } from "node:net";
import { duplicate, type FieldError, invalid, notSupported, required, tooMany } from "../../../admission/verdict.ts";
import { labelValueErrors } from "../selectors/label-syntax.ts";
import { checkAddress, checkName, checkPort, checkQualifiedName, checkRequiredName, checkUnchanged } from "./checks.ts";
import { dnsLabel, dnsSubdomain } from "./names.ts";
import { repeated } from "./repeated.ts";

interface Port {
  readonly name?: string;
  readonly port?: number;
  readonly protocol?: string;
  readonly appProtocol?: string;
}

interface Endpoint {
  readonly addresses?: readonly string[] | null;
  readonly hostname?: string;
  readonly nodeName?: string;
  readonly hints?: {
    readonly forZones?: readonly { readonly name?: string }[];
    readonly forNodes?: readonly { readonly name?: string }[];
  };
}

export interface SliceToCheck {
  readonly addressType?: string;
  readonly endpoints?: readonly Endpoint[] | null;
  readonly ports?: readonly Port[] | null;
}

const TYPES = ["FQDN", "IPv4", "IPv6"];
const PROTOCOLS = ["SCTP", "TCP", "UDP"];
const MAX_ENDPOINTS = 1000;
const MAX_ADDRESSES = 100;
const MAX_HINTS = 8;

export function validateSlice({ addressType = "", endpoints, ports: given }: SliceToCheck): FieldError[] {
  if (addressType === "") return [required("addressType")];
  if (!TYPES.includes(addressType)) return [notSupported("addressType", addressType, TYPES)];
  const all = endpoints ?? [];
  const ports = given ?? [];
  const again = repeated(ports, ({ name }) => name ?? "");
  return [
    ...(all.length > MAX_ENDPOINTS
      ? [tooMany("endpoints", all.length, MAX_ENDPOINTS)]
      : all.flatMap((endpoint, index) => checkEndpoint(endpoint, addressType, `endpoints[${index}]`))),
    ...ports.flatMap((port, index) => checkSlicePort(port, again.has(index), `ports[${index}]`)),
  ];
}

export function validateSliceUpdate(old: SliceToCheck, next: SliceToCheck): FieldError[] {
  return [...validateSlice(next), ...checkUnchanged(old.addressType, next.addressType ?? "", "addressType")];
}

function checkEndpoint(endpoint: Endpoint, type: string, path: string): FieldError[] {
  const { hostname, nodeName, hints } = endpoint;
  const addresses = endpoint.addresses ?? [];
  const at = `${path}.addresses`;
  return [
    ...(addresses.length === 0 ? [required(at, "must contain at least 1 address")] : []),
    ...(addresses.length > MAX_ADDRESSES ? [tooMany(at, addresses.length, MAX_ADDRESSES)] : []),
    ...addresses.flatMap((address, index) => checkOfType(address, type, at, index)),
    ...(nodeName === undefined
      ? []
      : dnsSubdomain(nodeName).map((problem) => invalid(`${path}.nodeName`, nodeName, problem))),
    ...(hostname === undefined
      ? []
      : dnsLabel(hostname).map((problem) => invalid(`${path}.hostname`, hostname, problem))),
    ...checkHints(hints?.forZones ?? [], labelValueErrors, `${path}.hints.forZones`),
    ...checkHints(hints?.forNodes ?? [], dnsSubdomain, `${path}.hints.forNodes`),
  ];
}

function checkOfType(address: string, type: string, path: string, index: number): FieldError[] {
  if (type === "FQDN") return dnsSubdomain(address).map((problem) => invalid(`${path}[${index}]`, address, problem));
  const family = isIP(address);
  if (family === 0) return checkAddress(address, `${path}[${index}]`);
  return `IPv${family}` === type ? [] : [invalid(path, address, `must be an ${type} address`)];
}

function checkHints(
  hints: readonly { readonly name?: string }[],
  rule: (name: string) => string[],
  path: string,
): FieldError[] {
  if (hints.length > MAX_HINTS) return [tooMany(path, hints.length, MAX_HINTS)];
  const again = repeated(hints, ({ name }) => name ?? "");
  return hints.flatMap(({ name = "" }, index) => {
    const at = `${path}[${index}].name`;
    if (again.has(index)) return [duplicate(at, name)];
    return rule(name).map((problem) => invalid(at, name, problem));
  });
}

function checkSlicePort({ name = "", protocol = "", appProtocol }: Port, isTaken: boolean, path: string): FieldError[] {
  return [
    ...checkName(name, dnsLabel, `${path}.name`),
    ...(isTaken ? [duplicate(`${path}.name`, name)] : []),
    ...(PROTOCOLS.includes(protocol) ? [] : [notSupported(`${path}.protocol`, protocol, PROTOCOLS)]),
    ...(appProtocol === undefined ? [] : checkQualifiedName(appProtocol, `${path}.appProtocol`)),
  ];
}

interface Address {
  readonly ip?: string;
  readonly hostname?: string;
  readonly nodeName?: string;
}

export interface EndpointsToCheck {
  readonly subsets?: readonly {
    readonly addresses?: readonly Address[];
    readonly notReadyAddresses?: readonly Address[];
    readonly ports?: readonly Port[];
  }[];
}

export function validateEndpoints({ subsets = [] }: EndpointsToCheck): FieldError[] {
  return subsets.flatMap(({ addresses = [], notReadyAddresses = [], ports = [] }, index) => {
    const path = `subsets[${index}]`;
    const none = addresses.length === 0 && notReadyAddresses.length === 0;
    return [
      ...(none ? [required(path, "must specify `addresses` or `notReadyAddresses`")] : []),
      ...addresses.flatMap((address, place) => checkEndpointAddress(address, `${path}.addresses[${place}]`)),
      ...notReadyAddresses.flatMap((address, place) =>
        checkEndpointAddress(address, `${path}.notReadyAddresses[${place}]`),
      ),
      ...ports.flatMap((port, place) => checkEndpointPort(port, ports.length > 1, `${path}.ports[${place}]`)),
    ];
  });
}

function checkEndpointAddress({ ip = "", hostname, nodeName }: Address, path: string): FieldError[] {
  const why = nonSpecial(ip);
  return [
    ...checkAddress(ip, `${path}.ip`),
    ...checkName(hostname, dnsLabel, `${path}.hostname`),
    ...(nodeName === undefined
      ? []
      : dnsSubdomain(nodeName).map((problem) => invalid(`${path}.nodeName`, nodeName, problem))),
    ...why.map((problem) => invalid(`${path}.ip`, ip, problem)),
  ];
}

/** An address of a net, and not of the machine itself. */
function nonSpecial(ip: string): string[] {
  if (isIP(ip) === 0) return ["must be a valid IP address"];
  const isUnspecified = ip === "0.0.0.0" || ip === "::";
  const isLoopback = ip.startsWith("127.") || ip === "::1";
  const isLinkLocal = ip.startsWith("169.254.") || /^fe[89ab]/i.test(ip);
  const isMulticast = ip.startsWith("224.0.0.") || /^ff02:/i.test(ip);
  return [
    ...(isUnspecified ? [`may not be unspecified (${ip})`] : []),
    ...(isLoopback ? ["may not be in the loopback range (127.0.0.0/8, ::1/128)"] : []),
    ...(isLinkLocal ? ["may not be in the link-local range (169.254.0.0/16, fe80::/10)"] : []),
    ...(isMulticast ? ["may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)"] : []),
  ];
}

function checkEndpointPort(
  { name, port, protocol, appProtocol }: Port,
  needsName: boolean,
  path: string,
): FieldError[] {
  return [
    ...(needsName ? checkRequiredName(name, dnsLabel, `${path}.name`) : checkName(name, dnsLabel, `${path}.name`)),
    ...checkPort(port, `${path}.port`),
    ...((protocol ?? "") === ""
      ? [required(`${path}.protocol`)]
      : PROTOCOLS.includes(protocol ?? "")
        ? []
        : [notSupported(`${path}.protocol`, protocol, PROTOCOLS)]),
    ...(appProtocol === undefined ? [] : checkQualifiedName(appProtocol, `${path}.appProtocol`)),
  ];
}
