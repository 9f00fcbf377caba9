/** What names may look like, and Kubernetes' words for what may not. A function gives the messages; none is fine. */

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
export const dnsLabel: NameRule = (name) => [
  ...checkLength(name, 63),
  ...(LABEL_SHAPE.test(name) ? [] : [SUBDOMAIN_SHAPE.test(name) ? "must not contain dots" : LABEL_RULE]),
];

/** `my-name.example.com` */
export const dnsSubdomain: NameRule = (name) => [
  ...checkLength(name, 253),
  ...(SUBDOMAIN_SHAPE.test(name) ? [] : [SUBDOMAIN_RULE]),
];

/** Whatever can be one part of a path: roles have names like `system:node`. */
export const pathSegment: NameRule = (name) => {
  if (name === "." || name === "..") return [`may not be '${name}'`];
  return ["/", "%"].filter((part) => name.includes(part)).map((part) => `may not contain '${part}'`);
};

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

function checkLength(name: string, max: number): string[] {
  return Buffer.byteLength(name) > max ? [`must be no more than ${max} characters`] : [];
}
