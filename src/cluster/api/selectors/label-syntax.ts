/** What a label's key and value may look like, and Kubernetes' words for what may not. Follows apimachinery's validation. */

const SUBDOMAIN = "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*";
const NAME = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const VALUE = "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?";

const SUBDOMAIN_PATTERN = new RegExp(`^${SUBDOMAIN}$`);
const NAME_PATTERN = new RegExp(`^${NAME}$`);
const VALUE_PATTERN = new RegExp(`^${VALUE}$`);

const NAME_RULE =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character " +
  `(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${NAME}')`;
const SUBDOMAIN_RULE =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and " +
  `end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${SUBDOMAIN}')`;
const VALUE_RULE =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end " +
  `with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '${VALUE}')`;

/** What is wrong with a key, `example.com/name` or `name`; empty when nothing is. */
export function labelKeyErrors(key: string): string[] {
  if (isKey(key)) return [];
  const parts = key.split("/");
  if (parts.length > 2) {
    return [`a valid label key ${NAME_RULE} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const name = parts.at(-1) ?? "";
  const errors = parts.length === 2 ? prefixErrors(parts[0] ?? "") : [];
  if (name === "") errors.push("name part must be non-empty");
  else if (Buffer.byteLength(name) > 63) errors.push("name part must be no more than 63 bytes");
  if (!NAME_PATTERN.test(name)) errors.push(`name part ${NAME_RULE}`);
  return errors;
}

/** At once, as nearly all are; what fits the patterns has one byte for each character. */
function isKey(key: string): boolean {
  const slash = key.indexOf("/");
  const name = slash === -1 ? key : key.slice(slash + 1);
  if (name.length > 63 || !NAME_PATTERN.test(name)) return false;
  return slash === -1 || (slash <= 253 && SUBDOMAIN_PATTERN.test(key.slice(0, slash)));
}

function prefixErrors(prefix: string): string[] {
  if (prefix === "") return ["prefix part must be non-empty"];
  return [
    ...(prefix.length > 253 ? ["prefix part must be no more than 253 bytes"] : []),
    ...(SUBDOMAIN_PATTERN.test(prefix) ? [] : [`prefix part ${SUBDOMAIN_RULE}`]),
  ];
}

/** What is wrong with a value; empty when nothing is. */
export function labelValueErrors(value: string): string[] {
  if (value.length <= 63 && VALUE_PATTERN.test(value)) return [];
  return [
    ...(Buffer.byteLength(value) > 63 ? ["must be no more than 63 bytes"] : []),
    ...(VALUE_PATTERN.test(value) ? [] : [VALUE_RULE]),
  ];
}
