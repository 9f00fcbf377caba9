/** URLs as Go's net/url reads them. */
import { goQuote } from "../../decode/go-quote.ts";
import { NoAddress, parseAddress } from "./go-ip.ts";

export interface GoUrl {
  readonly scheme: string;
  /** With the port. */
  readonly host: string;
  readonly path: string;
  readonly query: string;
  readonly text: string;
}

/** What is no URL; the message is Go's. */
export class NoUrl extends Error {}

// oxlint-disable-next-line no-control-regex -- these very characters are what no address may hold
const CONTROL = /[\x00-\x1f\x7f]/;

/** Absolute, or a path from the root on: Go's ParseRequestURI, and Parse for what it makes of it. Throws `NoUrl`. */
export function parseUrl(text: string): GoUrl {
  try {
    parsed(text, true);
    const [before = "", ...fragment] = text.split("#");
    if (fragment.length > 0) unescaped(fragment.join("#"), "fragment");
    return { ...parsed(before, false), text };
  } catch (error) {
    if (!(error instanceof NoUrl)) throw error;
    throw new NoUrl(`parse ${goQuote(text)}: ${error.message}`);
  }
}

function parsed(text: string, ofRequest: boolean): Omit<GoUrl, "text"> {
  if (CONTROL.test(text)) throw new NoUrl("net/url: invalid control character in URL");
  if (text === "" && ofRequest) throw new NoUrl("empty url");
  if (text === "*") return { scheme: "", host: "", path: "*", query: "" };
  const { scheme, rest: afterScheme } = schemeOf(text);
  const at = afterScheme.indexOf("?");
  const query = at < 0 ? "" : afterScheme.slice(at + 1);
  let rest = at < 0 ? afterScheme : afterScheme.slice(0, at);
  if (!rest.startsWith("/")) {
    if (scheme !== "") return { scheme, host: "", path: "", query };
    if (ofRequest) throw new NoUrl("invalid URI for request");
    if ((rest.split("/")[0] ?? "").includes(":")) throw new NoUrl("first path segment in URL cannot contain colon");
  }
  let host = "";
  if ((scheme !== "" || (!ofRequest && !rest.startsWith("///"))) && rest.startsWith("//")) {
    const slash = rest.indexOf("/", 2);
    const authority = slash < 0 ? rest.slice(2) : rest.slice(2, slash);
    rest = slash < 0 ? "" : rest.slice(slash);
    host = hostOf(scheme, authority);
  }
  unescaped(rest, "path");
  return { scheme, host, path: rest, query };
}

function schemeOf(text: string): { scheme: string; rest: string } {
  for (let index = 0; index < text.length; index++) {
    const character = text[index] ?? "";
    if (/[a-zA-Z]/.test(character)) continue;
    if (/[0-9+.-]/.test(character)) {
      if (index === 0) break;
      continue;
    }
    if (character !== ":") break;
    if (index === 0) throw new NoUrl("missing protocol scheme");
    return { scheme: text.slice(0, index).toLowerCase(), rest: text.slice(index + 1) };
  }
  return { scheme: "", rest: text };
}

function hostOf(scheme: string, authority: string): string {
  const at = authority.lastIndexOf("@");
  const host = parsedHost(scheme, authority.slice(at + 1));
  if (at < 0) return host;
  const user = authority.slice(0, at);
  if (!/^[A-Za-z0-9._:~!$&'()*+,;=%@-]*$/.test(user)) throw new NoUrl("net/url: invalid userinfo");
  unescaped(user, "user");
  return host;
}

function parsedHost(scheme: string, host: string): string {
  const open = host.lastIndexOf("[");
  if (open > 0) throw new NoUrl("invalid IP-literal");
  if (open === 0) {
    const close = host.lastIndexOf("]");
    if (close < 0) throw new NoUrl("missing ']' in host");
    checkPort(host.slice(close + 1));
    try {
      if (parseAddress(host.slice(1, close)).bits === 32) throw new NoUrl("invalid IP-literal");
    } catch (error) {
      if (!(error instanceof NoAddress)) throw error;
      throw new NoUrl(`invalid host: ${error.message}`);
    }
    // Of an address in brackets, only the zone may be written with percent signs.
    const zone = host.indexOf("%25");
    return zone < 0 || zone > close ? host : host.slice(0, zone) + decoded(host.slice(zone, close)) + host.slice(close);
  }
  const first = host.indexOf(":");
  if (first >= 0) checkPort(host.slice(scheme === "http" || scheme === "https" ? first : host.lastIndexOf(":")));
  return unescaped(host, "host");
}

function checkPort(port: string): void {
  if (!/^(?::[0-9]*)?$/.test(port)) throw new NoUrl(`invalid port ${goQuote(port)} after host`);
}

/** Of a host, only what is not ASCII may be written with percent signs. */
function unescaped(text: string, part: "path" | "host" | "user" | "fragment"): string {
  const wrong = /%(?![0-9a-fA-F]{2}).{0,2}/su.exec(text);
  if (wrong !== null) throw new NoUrl(`invalid URL escape ${goQuote(wrong[0])}`);
  if (part !== "host") return text;
  const ascii = /%[0-7][0-9a-fA-F]/.exec(text);
  if (ascii !== null && ascii[0] !== "%25") throw new NoUrl(`invalid URL escape ${goQuote(ascii[0])}`);
  const bad = /[^A-Za-z0-9._~!$&'()*+,;=:[\]<>"%\u0080-\uffff-]/.exec(text);
  if (bad !== null) throw new NoUrl(`invalid character ${goQuote(bad[0])} in host name`);
  return decoded(text);
}

/** What the host is without the port; brackets are taken off. */
export function hostnameOf({ host }: GoUrl): string {
  const bracketed = /^\[(.*)\](?::[0-9]*)?$/.exec(host);
  return bracketed?.[1] ?? host.replace(/:[0-9]*$/, "");
}

export function portOf({ host }: GoUrl): string {
  return /:([0-9]*)$/.exec(host.replace(/^\[.*\]/, ""))?.[1] ?? "";
}

/** As it was written where that is a way to write it. */
export function escapedPath({ path }: GoUrl): string {
  if (/^[A-Za-z0-9._~!$&'()*+,;=:@[\]/%-]*$/.test(path)) return path;
  return path.replaceAll(/[^A-Za-z0-9._~!$&'()*+,;=:@/%-]/gu, (character) =>
    Array.from(Buffer.from(character), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join(""),
  );
}

/** The values of each key, keys in the order in which they come. */
export function queryOf({ query }: GoUrl): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const pair of query.split("&")) {
    if (pair === "" || pair.includes(";")) continue;
    const at = pair.indexOf("=");
    if (/%(?![0-9a-fA-F]{2})/.test(pair)) continue;
    const plain = (text: string): string => decoded(text.replaceAll("+", " "));
    const [key, value] = at < 0 ? [plain(pair), ""] : [plain(pair.slice(0, at)), plain(pair.slice(at + 1))];
    const before = found.get(key);
    if (before === undefined) found.set(key, [value]);
    else before.push(value);
  }
  return found;
}

/** Bytes that are no text stand as Go shows them: each as U+FFFD. */
function decoded(text: string): string {
  return text.replaceAll(/(?:%[0-9a-fA-F]{2})+/g, (bytes) => Buffer.from(bytes.replaceAll("%", ""), "hex").toString());
}
