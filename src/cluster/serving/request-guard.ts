/**
 * Requests that cannot come from a client of ours. A web page in the user's browser can make it send requests to this machine,
 * under a name that its own server maps to 127.0.0.1 (DNS rebinding): such a request has that name in `Host`, and one that a page
 * sends elsewhere has an `Origin`. No Kubernetes client has either.
 */
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";
import { badRequest, StatusError } from "../api/status-error.ts";
import { SERVER_NAMES } from "./certificates.ts";

const NAMES: ReadonlySet<string> = new Set(SERVER_NAMES.dns);

const ADDRESSES = new BlockList();
ADDRESSES.addSubnet("127.0.0.0", 8, "ipv4");
for (const address of SERVER_NAMES.ip) ADDRESSES.addAddress(address, family(address));

/** `name`, `name:port`, `[::1]`, `[::1]:port` */
const HOST = /^(?:\[([\da-f:.]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/i;

/** What keeps a request of HTTP/1 from being looked at; undefined for nothing. `port` is the one that the server listens on. */
export function objectionTo(request: IncomingMessage, port: number): StatusError | undefined {
  // Node keeps the first of several, and tells nobody.
  if (countHosts(request.rawHeaders) > 1) return badRequest("too many Host headers");
  return objectionToHead(request, port, request.httpVersion === "1.0");
}

/** The same of any request; whether it may do without a `Host`. */
export function objectionToHead(
  { headers, url }: { readonly headers: IncomingHttpHeaders; readonly url?: string | undefined },
  port: number,
  mayLackHost = false,
): StatusError | undefined {
  if (headers.origin !== undefined) {
    return forbidden(
      "requests with an Origin header are refused: they come from a web page in a browser, and this server is not for those",
    );
  }
  const { host } = headers;
  if (host === undefined && !mayLackHost) return badRequest("missing required Host header");
  if (host !== undefined && !isOurs(host, port)) {
    return forbidden(
      `the Host ${JSON.stringify(host)} is none of this server's: it answers to localhost and 127.0.0.1 at port ${port} alone, so that no web page can reach it under a name of its own (DNS rebinding)`,
    );
  }
  if (url?.startsWith("/") !== true) {
    return badRequest("the target of the request should be a path; this server is no proxy");
  }
  return undefined;
}

function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === "host") count++;
  }
  return count;
}

/** Every request of a client has the same, so that looking closely once will do. */
let lastOfOurs = { host: "", port: 0 };

function isOurs(host: string, port: number): boolean {
  if (host === lastOfOurs.host && port === lastOfOurs.port) return true;
  if (!isNameOfOurs(host, port)) return false;
  lastOfOurs = { host, port };
  return true;
}

function isNameOfOurs(host: string, ourPort: number): boolean {
  const [, ipv6, other = "", port] = HOST.exec(host) ?? [];
  if (port !== undefined && Number(port) !== ourPort) return false;
  const name = (ipv6 ?? other).toLowerCase();
  if (isIP(name) === 0) return ipv6 === undefined && NAMES.has(name);
  return ADDRESSES.check(name, family(name));
}

function family(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}

function forbidden(message: string): StatusError {
  return new StatusError(403, "Forbidden", message);
}
