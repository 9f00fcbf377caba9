/** How a pod is named and how it looks up names (upstream validatePodDNSConfig, ValidateHostAliases). */
import { type FieldError, forbidden, invalid, required, tooLong } from "../../../../admission/verdict.ts";
import { checkAddress, checkName } from "../checks.ts";
import { dnsLabel, dnsSubdomain, searchDomain } from "../names.ts";

export interface DnsConfig {
  readonly nameservers?: readonly string[];
  readonly searches?: readonly string[];
  readonly options?: readonly { readonly name?: string }[];
}

export interface HostAlias {
  readonly ip?: string;
  readonly hostnames?: readonly string[];
}

export interface Naming {
  readonly dnsPolicy?: string;
  readonly dnsConfig?: DnsConfig;
  readonly hostAliases?: readonly HostAlias[];
  readonly hostname?: string;
  readonly subdomain?: string;
  readonly hostnameOverride?: string;
  readonly setHostnameAsFQDN?: boolean;
  readonly hostNetwork?: boolean;
}

const MAX_SERVERS = 3;
const MAX_SEARCHES = 32;
const MAX_SEARCH_CHARACTERS = 2048;

export function checkDnsConfig({ dnsPolicy, dnsConfig }: Naming, path: string): FieldError[] {
  const isAlone = dnsPolicy === "None";
  if (dnsConfig === undefined) {
    return isAlone ? [required(path, "must provide `dnsConfig` when `dnsPolicy` is None")] : [];
  }
  const { nameservers = [], searches = [], options = [] } = dnsConfig;
  if (isAlone && nameservers.length === 0) {
    return [required(`${path}.nameservers`, "must provide at least one DNS nameserver when `dnsPolicy` is None")];
  }
  const tooMany = `must not have more than ${MAX_SERVERS} nameservers`;
  const tooManySearches = `must not have more than ${MAX_SEARCHES} search paths`;
  const tooLongSearches = `must not have more than ${MAX_SEARCH_CHARACTERS} characters (including spaces) in the search list`;
  return [
    ...(nameservers.length > MAX_SERVERS ? [invalid(`${path}.nameservers`, nameservers, tooMany)] : []),
    ...nameservers.flatMap((server, index) => checkAddress(server, `${path}.nameservers[${index}]`)),
    ...(searches.length > MAX_SEARCHES ? [invalid(`${path}.searches`, searches, tooManySearches)] : []),
    ...(searches.join(" ").length > MAX_SEARCH_CHARACTERS
      ? [invalid(`${path}.searches`, searches, tooLongSearches)]
      : []),
    ...searches.flatMap((search, index) => {
      if (search === ".") return [];
      const name = search.replace(/\.$/, "");
      return searchDomain(name).map((problem) => invalid(`${path}.searches[${index}]`, name, problem));
    }),
    ...options.flatMap(({ name = "" }, index) =>
      name === "" ? [required(`${path}.options[${index}]`, "must not be empty")] : [],
    ),
  ];
}

export function checkHostAliases(aliases: readonly HostAlias[], path: string): FieldError[] {
  return aliases.flatMap(({ ip, hostnames = [] }, index) => [
    ...checkAddress(ip, `${path}[${index}].ip`),
    ...hostnames.flatMap((name, place) =>
      dnsSubdomain(name).map((problem) => invalid(`${path}[${index}].hostnames[${place}]`, name, problem)),
    ),
  ]);
}

const MAX_HOSTNAME = 64;

/** The name that a pod has for itself, whatever else it would be called. */
export function checkHostnameOverride(spec: Naming, path: string): FieldError[] {
  const { hostnameOverride: name, setHostnameAsFQDN, hostNetwork } = spec;
  if (name === undefined) return [];
  return [
    ...(setHostnameAsFQDN === true ? [forbidden(path, "may not be specified when setHostnameAsFQDN is true")] : []),
    ...(hostNetwork === true ? [forbidden(path, "may not be specified when hostNetwork is true")] : []),
    ...(Buffer.byteLength(name) > MAX_HOSTNAME ? [tooLong(path, MAX_HOSTNAME)] : []),
    ...dnsSubdomain(name).map((problem) => invalid(path, name, problem)),
  ];
}

export function checkHostname({ hostname, subdomain }: Naming, path: string): FieldError[] {
  return [...checkName(hostname, dnsLabel, `${path}.hostname`), ...checkName(subdomain, dnsLabel, `${path}.subdomain`)];
}
