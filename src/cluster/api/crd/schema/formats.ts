/** The formats that schemas may name, and what they ask for: kube-openapi pkg/validation/strfmt. Others are not checked. */
import { isIPv4, isIPv6 } from "node:net";
import { wordyDuration } from "./wordy-duration.ts";

/** Whether a text is of the format. */
export type Format = (text: string) => boolean;

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const UUID3 = /^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const UUID4 = /^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i;
const UUID5 = /^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/;
const COLOR_PART = String.raw`\s*(?:0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*`;
const RGB = new RegExp(String.raw`^rgb\(${COLOR_PART},${COLOR_PART},${COLOR_PART}\)$`);
const CARD =
  /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/;
const HOST_LABEL = String.raw`[a-zA-Z0-9\p{S}\p{L}]`;
const HOSTNAME = new RegExp(
  `^(?:${HOST_LABEL}(?:-?${HOST_LABEL}{0,62})?|` +
    `(?:${HOST_LABEL}(?:[a-zA-Z0-9\\-\\p{S}\\p{L}]{0,61}${HOST_LABEL})?\\.)+[a-zA-Z\\p{L}]{2,63})$`,
  "u",
);
const MAC = /^(?:[0-9a-f]{2}([:-])(?:[0-9a-f]{2}\1)*[0-9a-f]{2}|(?:[0-9a-f]{4}\.)+[0-9a-f]{4})$/i;
// oxlint-disable-next-line no-control-regex -- these very characters are what no address may hold
const CONTROL = /[\x00-\x1f\x7f]/;
const AUTHORITY = /^(?:[^@]*@)?(?:\[[0-9a-f:.%]*\]|[^\s[\]<>"\\^`{|}:]*)(?::\d*)?$/i;
const LABEL = "[a-z0-9](?:[-a-z0-9]*[a-z0-9])?";
const SHORT_NAME = new RegExp(`^${LABEL}$`);
const LONG_NAME = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`);
const TIME = /^(\d{2}):(\d{2}):(\d{2})(?:.\d+)?(?:z|[+-]\d{2}:\d{2})$/;
/** A name and an address in brackets, or the address alone. */
const EMAIL = /^(?:[^<>]*<)?[^\s@<>()[\],;:"]+@(?:[^\s@<>()[\],;:"]+|\[[^\]]*\])(?:>)?$/;
// Both read each digit in one way only: a text of nothing but digits is not tried from every digit anew.
const GO_DURATION = /^[-+]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;
/** By name without dashes, as upstream looks them up. */
const TEXT_FORMATS: ReadonlyMap<string, Format> = new Map<string, Format>([
  ["bsonobjectid", (text) => /^[0-9a-f]{24}$/i.test(text)],
  ["uri", isRequestUri],
  ["email", (text) => EMAIL.test(text)],
  ["hostname", isHostname],
  ["ipv4", (text) => isIPv4(withoutZeros(text)) || (text.includes(".") && isIPv6(text))],
  ["ipv6", (text) => isIPv6(text) && !text.includes("%")],
  ["cidr", isCidr],
  ["mac", (text) => MAC.test(text) && [6, 8, 20].includes(text.replaceAll(/[^0-9a-f]/gi, "").length / 2)],
  ["uuid", (text) => UUID.test(text)],
  ["uuid3", (text) => UUID3.test(text)],
  ["uuid4", (text) => UUID4.test(text)],
  ["uuid5", (text) => UUID5.test(text)],
  ["isbn", (text) => isIsbn10(text) || isIsbn13(text)],
  ["isbn10", isIsbn10],
  ["isbn13", isIsbn13],
  ["creditcard", isCreditCard],
  ["ssn", (text) => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text)],
  ["hexcolor", (text) => /^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(text)],
  ["rgbcolor", (text) => RGB.test(text)],
  ["byte", (text) => BASE64.test(text)],
  ["password", () => true],
  ["date", isDate],
  ["duration", isDuration],
  ["datetime", isDateTime],
  ["k8sshortname", (text) => text.length <= 63 && SHORT_NAME.test(text)],
  ["k8slongname", (text) => text.length <= 253 && LONG_NAME.test(text)],
]);

const NUMBER_FORMATS: ReadonlyMap<string, readonly string[]> = new Map([
  ["integer", ["int32", "int64"]],
  ["number", ["float", "double"]],
]);

/** The format as far as it is checked for these types; undefined: it says nothing. */
export function formatOf(
  name: string,
  types: readonly string[],
): { readonly name: string; readonly check?: Format } | undefined {
  const [type = "", second] = types;
  if (second !== undefined || type === "" || type === "string") {
    const check = TEXT_FORMATS.get(name.replaceAll("-", ""));
    return check === undefined ? undefined : { name, check };
  }
  return NUMBER_FORMATS.get(type)?.includes(name) === true ? { name } : undefined;
}

/** Absolute, or the path of a request: what Go's `url.ParseRequestURI` takes. Only the host is looked at closely. */
function isRequestUri(text: string): boolean {
  const [scheme = ""] = /^[a-z][a-z0-9+.-]*:/i.exec(text) ?? [];
  const rest = text.slice(scheme.length);
  if (CONTROL.test(text) || (scheme === "" && !rest.startsWith("/"))) return false;
  const [, authority = ""] = (scheme === "" ? null : /^\/\/([^/?#]*)/.exec(rest)) ?? [];
  return AUTHORITY.test(authority) && !/%(?![0-9a-f]{2})/i.test(rest.split("?")[0] ?? "");
}

function isHostname(text: string): boolean {
  return (
    HOSTNAME.test(text) &&
    Buffer.byteLength(text) <= 255 &&
    text.split(".").every((part) => Buffer.byteLength(part) <= 63)
  );
}

/** Leading zeros are forgiven, for objects that were stored when Go forgave them. */
function withoutZeros(address: string): string {
  return address.replaceAll(/(^|\.)0+(?=\d)/g, "$1");
}

function isCidr(text: string): boolean {
  const [address = "", length = "", more] = text.split("/");
  if (more !== undefined || !/^\d+$/.test(length)) return false;
  if (isIPv4(withoutZeros(address))) return Number(length) <= 32;
  return isIPv6(address) && !address.includes("%") && Number(length) <= 128;
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const moment = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(text);
}

function isDateTime(text: string): boolean {
  const [date = "", time = ""] = text.toLowerCase().split("t");
  const [, hours = "", minutes = "", seconds = ""] = TIME.exec(time) ?? [];
  return isDate(date) && hours !== "" && hours <= "23" && minutes <= "59" && seconds <= "59";
}

function isDuration(text: string): boolean {
  if (GO_DURATION.test(text)) return true;
  return wordyDuration(text) !== undefined;
}

function digitsOf(text: string): number[] {
  return Array.from(text, Number);
}

function isIsbn10(text: string): boolean {
  const plain = text.replaceAll(/[\s-]+/g, "");
  if (!/^(?:\d{9}X|\d{10})$/.test(plain)) return false;
  const digits = Array.from(plain).map((digit) => (digit === "X" ? 10 : Number(digit)));
  return digits.reduce((sum, digit, index) => sum + (index + 1) * digit, 0) % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const plain = text.replaceAll(/[\s-]+/g, "");
  if (!/^\d{13}$/.test(plain)) return false;
  return digitsOf(plain).reduce((sum, digit, index) => sum + (index % 2 === 0 ? digit : 3 * digit), 0) % 10 === 0;
}

function isCreditCard(text: string): boolean {
  const plain = text.replaceAll(/\D+/g, "");
  if (!CARD.test(plain)) return false;
  const sum = digitsOf(plain)
    .reverse()
    .reduce((total, digit, index) => total + (index % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2), 0);
  return sum % 10 === 0;
}
