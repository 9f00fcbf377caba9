/** Names in a definition: labels as RFC 1035 has them, which begin with a letter. */

const LABEL = "[a-z]([-a-z0-9]*[a-z0-9])?";
const SHAPE = new RegExp(`^${LABEL}$`);
const RULE =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end " +
  `with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '${LABEL}')`;

/** Kubernetes' messages for what is wrong with a name; none is fine. */
export function dnsLabel1035(name: string): string[] {
  return [
    ...(Buffer.byteLength(name) > 63 ? ["must be no more than 63 characters"] : []),
    ...(SHAPE.test(name) ? [] : [RULE]),
  ];
}
