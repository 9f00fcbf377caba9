/** The head of a request, out of the fields in which HTTP/2 brings it. */
import type { IncomingHttpHeaders } from "node:http";
import type { Field } from "./hpack/index.ts";

export interface RequestHead {
  readonly method: string;
  /** The path, and the query. */
  readonly url: string;
  /** With `host`, whichever way the client has said it. Of one that came several times all values are joined, as Node does it. */
  readonly headers: IncomingHttpHeaders;
  /** In the order in which they came, each value by itself. */
  readonly fields: readonly Field[];
  /** What was said about the length of the body. */
  readonly contentLength: number | undefined;
}

const NAME = /^[!#$%&'*+\-.^_`|~\da-z]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
const NOT_IN_VALUE = /[\0\r\n]|^[ \t]|[ \t]$/;
/** They speak of the connection, which is not theirs to speak of here. */
const OF_THE_CONNECTION = new Set(["connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade"]);
/** Joined, they would mean something else; the first counts, as with HTTP/1.1. */
const ONLY_ONCE = new Set(["authorization", "content-type", "user-agent", "host", "retry-after", "referer"]);

/** The request, or in words what is wrong with it: such a stream is to be ended (RFC 9113, 8.1.1). */
export function readHead(fields: readonly Field[]): RequestHead | string {
  const headers: IncomingHttpHeaders = {};
  const pseudo: Pseudo = { method: undefined, path: undefined, scheme: undefined, authority: undefined };
  let hasRegular = false;
  for (const [name, value] of fields) {
    if (NOT_IN_VALUE.test(value)) return `the value of ${name} has characters that it must not have`;
    if (name.startsWith(":")) {
      const known = PSEUDO.get(name);
      if (known === undefined) return `${name} is unknown`;
      if (hasRegular) return `${name} comes after other fields`;
      if (pseudo[known] !== undefined) return `${name} comes twice`;
      pseudo[known] = value;
      continue;
    }
    hasRegular = true;
    if (!NAME.test(name)) return "the name of a field has characters that it must not have";
    if (OF_THE_CONNECTION.has(name)) return `${name} has no place in HTTP/2`;
    if (name === "te" && value !== "trailers") return "te may say trailers alone";
    addTo(headers, name, value);
  }
  const { method, path: url, scheme, authority } = pseudo;
  if (method === undefined || url === undefined || scheme === undefined) return "method, path or scheme is missing";
  if (url === "") return "the path is empty";
  if (authority !== undefined) {
    if (headers.host !== undefined && headers.host !== authority) return "host and :authority differ";
    headers.host = authority;
  }
  const length = headers["content-length"];
  if (length !== undefined && !/^\d{1,15}$/.test(length)) return "content-length is no number";
  return { method, url, headers, fields, contentLength: length === undefined ? undefined : Number(length) };
}

interface Pseudo {
  method: string | undefined;
  path: string | undefined;
  scheme: string | undefined;
  authority: string | undefined;
}

const PSEUDO = new Map<string, keyof Pseudo>([
  [":method", "method"],
  [":path", "path"],
  [":scheme", "scheme"],
  [":authority", "authority"],
]);

/** One called `__proto__` has no effect, as with Node. */
function addTo(headers: IncomingHttpHeaders, name: string, value: string): void {
  const before = headers[name];
  if (before === undefined || !Object.hasOwn(headers, name)) headers[name] = value;
  else if (!ONLY_ONCE.has(name)) headers[name] = `${String(before)}${name === "cookie" ? "; " : ", "}${value}`;
}

/** The values of each header by themselves. */
export function distinctHeaders({ fields }: RequestHead): NodeJS.Dict<string[]> {
  const distinct = Object.create(null) as NodeJS.Dict<string[]>;
  for (const [name, value] of fields) {
    if (name.startsWith(":")) continue;
    const values = distinct[name];
    if (values === undefined) distinct[name] = [value];
    else values.push(value);
  }
  return distinct;
}
