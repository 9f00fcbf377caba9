/** Which proxy the environment asks for: HTTPS_PROXY, HTTP_PROXY and NO_PROXY, as Go's clients and so kubectl read them. */
import { BlockList, isIP } from "node:net";

type Environment = Readonly<Record<string, string | undefined>>;

/** The proxy for this server, or undefined for a direct connection. This machine is never reached through one. */
export function proxyFor(server: string, env: Environment): string | undefined {
  const url = new URL(server);
  const proxy = either(env, url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY");
  if (proxy === undefined) return undefined;
  const host = url.hostname.replace(/^\[|\]$/g, "").toLowerCase();
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  if (host === "localhost" || host === "::1" || host.startsWith("127.")) return undefined;
  const exceptions = (either(env, "NO_PROXY") ?? "").split(",").map((entry) => entry.trim().toLowerCase());
  if (exceptions.some((entry) => entry !== "" && covers(entry, host, port))) return undefined;
  return proxy.includes("://") ? proxy : `http://${proxy}`;
}

function either(env: Environment, name: string): string | undefined {
  return env[name] || env[name.toLowerCase()] || undefined;
}

/** `*`, `10.0.0.0/8`, `host`, `.domain` (only below it), `domain` (it and below), each with an optional `:port`. */
function covers(entry: string, host: string, port: string): boolean {
  if (entry === "*") return true;
  if (entry.includes("/")) return inRange(entry, host);
  if (isIP(entry) !== 0) return entry === host;
  const [name = "", onlyPort] = entry.split(":");
  if (onlyPort !== undefined && onlyPort !== port) return false;
  const domain = name.replace(/^\*\./, ".");
  return domain.startsWith(".") ? host.endsWith(domain) : host === domain || host.endsWith(`.${domain}`);
}

function inRange(range: string, host: string): boolean {
  const [network = "", bits = ""] = range.split("/");
  const family = isIP(network);
  if (family === 0 || isIP(host) !== family || !/^\d+$/.test(bits) || Number(bits) > (family === 4 ? 32 : 128))
    return false;
  const type = family === 4 ? "ipv4" : "ipv6";
  const list = new BlockList();
  list.addSubnet(network, Number(bits), type);
  return list.check(host, type);
}
