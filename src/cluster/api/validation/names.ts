/** What names may look like, and Kubernetes' words for what may not. A function gives the messages; none is fine. */

import { isIP, isIPv4 } from "node:net";

const LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;

const LABEL_RULE =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an " +
  `alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '${LABEL}')`;
const SUBDOMAIN_RULE =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end " +
  `with an alphanumeric character (e.g. 'example.com', regex used for validation is '${SUBDOMAIN}')`;
export type NameRule = (name: string) => string[];

const LABEL_SHAPE = new RegExp(`^${LABEL}$`);
const SUBDOMAIN_SHAPE = new RegExp(`^${SUBDOMAIN}$`);

/** `my-name`: what can be one part of a domain name. */
export const dnsLabel: NameRule = (name) => {
  if (name.length <= 63 && LABEL_SHAPE.test(name)) return [];
  return [
    ...checkLength(name, 63),
    ...(LABEL_SHAPE.test(name) ? [] : [SUBDOMAIN_SHAPE.test(name) ? "must not contain dots" : LABEL_RULE]),
  ];
};

/** `my-name.example.com` */
export const dnsSubdomain: NameRule = (name) => {
  if (name.length <= 253 && SUBDOMAIN_SHAPE.test(name)) return [];
  return [...checkLength(name, 253), ...(SUBDOMAIN_SHAPE.test(name) ? [] : [SUBDOMAIN_RULE])];
};

const LABEL_1035 = "[a-z]([-a-z0-9]*[a-z0-9])?";
const LABEL_1035_SHAPE = new RegExp(`^${LABEL_1035}$`);
const LABEL_1035_RULE =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end " +
  `with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '${LABEL_1035}')`;

/** `my-name` as RFC 1035 has it: it begins with a letter. */
export const dnsLabel1035: NameRule = (name) => [
  ...checkLength(name, 63),
  ...(LABEL_1035_SHAPE.test(name) ? [] : [LABEL_1035_RULE]),
];

const SEARCH_LABEL = "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
const SEARCH = `${SEARCH_LABEL}(\\.${SEARCH_LABEL})*`;
const SEARCH_SHAPE = new RegExp(`^${SEARCH}$`);
const SEARCH_RULE =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end " +
  `with an alphanumeric character (e.g. 'example.com', regex used for validation is '${SEARCH}')`;

/** `_tcp.example.com`: a domain that names are looked up in. */
export const searchDomain: NameRule = (name) => [
  ...checkLength(name, 253),
  ...(name.length <= 1000 && SEARCH_SHAPE.test(name) ? [] : [SEARCH_RULE]),
];

/** Whatever can be one part of a path: roles have names like `system:node`. */
export const pathSegment: NameRule = (name) => {
  if (name === "." || name === "..") return [`may not be '${name}'`];
  return ["/", "%"].filter((part) => name.includes(part)).map((part) => `may not contain '${part}'`);
};

/** An IP address, as short as it can be written. */
export const address: NameRule = (name) => {
  if (isIP(withoutZeros(name)) === 0 || name.includes("%")) {
    return ["must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"];
  }
  if (isIP(name) === 0) return ["must not have leading 0s"];
  if (isIPv4(name)) return [];
  const shortest = new URL(`http://[${name}]`).hostname.slice(1, -1);
  if (/^::ffff:[0-9a-f]+:[0-9a-f]+$/.test(shortest)) return ["must not be an IPv4-mapped IPv6 address"];
  return name === shortest ? [] : [`must be in canonical form (${JSON.stringify(shortest)})`];
};

/** Go took numbers with leading zeros for a long time, and still tells them from what is no address at all. */
function withoutZeros(name: string): string {
  return name.replace(/(^|[.:])0+(?=\d+(?:\.|$))/g, "$1");
}

const CONFIG_KEY = "[-._a-zA-Z0-9]+";
const CONFIG_KEY_RULE =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' " +
  `(e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '${CONFIG_KEY}')`;
const CONFIG_KEY_SHAPE = new RegExp(`^${CONFIG_KEY}$`);

/** A key of a ConfigMap or Secret: it may become the name of a file. */
export const configKey: NameRule = (key) => [
  ...checkLength(key, 253),
  ...(CONFIG_KEY_SHAPE.test(key) ? [] : [CONFIG_KEY_RULE]),
  ...(key === "." || key === ".." ? [`must not be '${key}'`] : []),
  ...(key.startsWith("..") && key !== ".." ? ["must not start with '..'"] : []),
];

const VARIABLE_RULE =
  "a valid environment variable name must consist only of printable ASCII characters other than '='";

/** `MY_NAME`, of an environment; one that is empty is missing, which is told elsewhere. */
export const variableName: NameRule = (name) => (/^[ -<>-~]*$/.test(name) ? [] : [VARIABLE_RULE]);

/** `http-web`: a port in words, which fits into a label of the net (RFC 6335). */
export const portName: NameRule = (name) => [
  ...checkLength(name, 15),
  ...(/^[-a-z0-9]+$/.test(name) ? [] : ["must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)"]),
  ...(/[a-z]/.test(name) ? [] : ["must contain at least one letter (a-z)"]),
  ...(name.includes("--") ? ["must not contain consecutive hyphens"] : []),
  ...(name.startsWith("-") || name.endsWith("-") ? ["must not begin or end with a hyphen"] : []),
];

function checkLength(name: string, max: number): string[] {
  return Buffer.byteLength(name) > max ? [`must be no more than ${max} characters`] : [];
}
