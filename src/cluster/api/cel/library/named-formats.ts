/** Formats by name, and what a text lacks to be of one. */
import { formatOf } from "../../crd/schema/formats.ts";
import { labelKeyErrors, labelValueErrors } from "../../selectors/label-syntax.ts";
import { dnsLabel, dnsSubdomain } from "../../validation/names.ts";
import { type FunctionDeclaration, member, overload } from "../check/declarations.ts";
import { listOf, optionalOf, STRING, sealed } from "../check/types.ts";
import { listOfValues } from "../value/collections.ts";
import { NONE, type Opaque, some, type Value } from "../value/value.ts";
import { NoUrl, parseUrl } from "./go-url.ts";

export const FORMAT = sealed("kubernetes.NamedFormat");

interface NamedFormat {
  readonly name: string;
  readonly regexSize: number;
  readonly complaints: (text: string) => readonly string[];
}

const OLD_LABEL = "[a-z]([-a-z0-9]*[a-z0-9])?";
const OLD_LABEL_RULE =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and " +
  `end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '${OLD_LABEL}')`;

const oldLabel = (text: string): readonly string[] => [
  ...(Buffer.byteLength(text) > 63 ? ["must be no more than 63 bytes"] : []),
  ...(new RegExp(`^${OLD_LABEL}$`).test(text) ? [] : [OLD_LABEL_RULE]),
];
/** A prefix may end in a dash: what is generated behind it goes on. */
const prefixed = (complaints: (text: string) => readonly string[]) => (text: string) =>
  complaints(text.replace(/-$/, "a"));
const schemaFormat = (name: string, complaint: string) => (text: string) =>
  formatOf(name, ["string"])?.check?.(text) === true ? [] : [complaint];

const FORMATS: ReadonlyMap<string, NamedFormat> = new Map<string, NamedFormat>([
  ["dns1123Label", { name: "DNS1123Label", regexSize: 30, complaints: dnsLabel }],
  ["dns1123Subdomain", { name: "DNS1123Subdomain", regexSize: 60, complaints: dnsSubdomain }],
  ["dns1035Label", { name: "DNS1035Label", regexSize: 30, complaints: oldLabel }],
  ["qualifiedName", { name: "QualifiedName", regexSize: 60, complaints: labelKeyErrors }],
  ["dns1123LabelPrefix", { name: "DNS1123LabelPrefix", regexSize: 30, complaints: prefixed(dnsLabel) }],
  ["dns1123SubdomainPrefix", { name: "DNS1123SubdomainPrefix", regexSize: 60, complaints: prefixed(dnsSubdomain) }],
  ["dns1035LabelPrefix", { name: "DNS1035LabelPrefix", regexSize: 30, complaints: prefixed(oldLabel) }],
  ["labelValue", { name: "LabelValue", regexSize: 40, complaints: labelValueErrors }],
  ["uri", { name: "URI", regexSize: 1_103, complaints: uriComplaints }],
  ["uuid", { name: "uuid", regexSize: 70, complaints: schemaFormat("uuid", "does not match the UUID format") }],
  ["byte", { name: "byte", regexSize: 84, complaints: schemaFormat("byte", "invalid base64") }],
  ["date", { name: "date", regexSize: 71, complaints: schemaFormat("date", "invalid date") }],
  ["datetime", { name: "datetime", regexSize: 71, complaints: schemaFormat("datetime", "invalid datetime") }],
]);

function uriComplaints(text: string): readonly string[] {
  try {
    parseUrl(text);
    return [];
  } catch (error) {
    if (!(error instanceof NoUrl)) throw error;
    return [error.message];
  }
}

function valueOf(format: NamedFormat): Opaque {
  return {
    kind: "opaque",
    type: FORMAT,
    data: format,
    equals: ({ data }) => (data as NamedFormat).name === format.name,
    text: format.name,
  };
}

export const NAMED_FORMATS: readonly FunctionDeclaration[] = [
  ...Array.from(FORMATS, ([name, format]) => ({
    name: `format.${name}`,
    overloads: [overload(`format.${name}`, [], FORMAT, () => valueOf(format))],
  })),
  {
    name: "format.named",
    overloads: [
      overload("format-named", [STRING], optionalOf(FORMAT), ([name]) => {
        const format = FORMATS.get(name as string);
        return format === undefined ? NONE : some(valueOf(format));
      }),
    ],
  },
  {
    name: "validate",
    overloads: [
      member("format-validate", [FORMAT, STRING], optionalOf(listOf(STRING)), ([format, text]) =>
        complaintsOf(format, text as string),
      ),
    ],
  },
];

function complaintsOf(format: Value | undefined, text: string): Value {
  const found = ((format as Opaque).data as NamedFormat).complaints(text);
  return found.length === 0 ? NONE : some(listOfValues(found));
}
