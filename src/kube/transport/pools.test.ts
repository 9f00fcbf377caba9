import { createServer } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer, type Server, type Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { ClusterConfig } from "../config/cluster-config.ts";
import { type Credential, type Credentials, fixedCredentials } from "../config/credentials.ts";
import { type ApiServer, type ApiServerOptions, startApiServer } from "../testing/api-server.ts";
import { type Authority, createAuthority, hasOpenssl, type Issued } from "../testing/certificates.ts";
import { configFor } from "../testing/connect.ts";
import { failure } from "../testing/failure.ts";
import { until } from "../testing/until.ts";
import { createTransport, type Transport } from "./transport.ts";

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

async function serve(options: ApiServerOptions): Promise<ApiServer> {
  const server = await startApiServer(options);
  open.push(() => server.close());
  return server;
}

function transportTo(server: string, more: Partial<ClusterConfig>): Transport {
  const transport = createTransport(configFor(server, more));
  open.push(() => transport.close());
  return transport;
}

interface Proxy {
  readonly url: string;
  /** Where it was asked to go. */
  readonly targets: string[];
}

async function listening(
  scheme: string,
  proxy: Server,
  sockets: ReadonlySet<Socket>,
  targets: string[],
): Promise<Proxy> {
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  open.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => proxy.close(resolve));
  });
  return { url: `${scheme}://127.0.0.1:${(proxy.address() as AddressInfo).port}`, targets };
}

function join(sockets: Set<Socket>, client: Socket, host: string, port: number, ready: () => void): void {
  const upstream = connect(port, host, ready);
  for (const socket of [client, upstream]) {
    sockets.add(socket);
    socket.on("error", () => {});
  }
  client.pipe(upstream).pipe(client);
}

function startHttpProxy(): Promise<Proxy> {
  const targets: string[] = [];
  const sockets = new Set<Socket>();
  const proxy = createServer();
  proxy.on("connect", (request, client: Socket) => {
    targets.push(request.url ?? "");
    const [host = "", port] = (request.url ?? "").split(":");
    join(sockets, client, host, Number(port), () => client.write("HTTP/1.1 200 OK\r\n\r\n"));
  });
  return listening("http", proxy, sockets, targets);
}

/** As much of RFC 1928 as it takes to reach an IPv4 address without a password. */
function startSocksProxy(): Promise<Proxy> {
  const targets: string[] = [];
  const sockets = new Set<Socket>();
  const proxy = createTcpServer((client) => {
    sockets.add(client);
    client.once("data", () => {
      client.write(Buffer.from([5, 0]));
      client.once("data", (request: Buffer) => {
        const host = request.subarray(4, 8).join(".");
        const port = request.readUInt16BE(8);
        targets.push(`${host}:${port}`);
        join(sockets, client, host, port, () => client.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0])));
      });
    });
  });
  return listening("socks5", proxy, sockets, targets);
}

describe.skipIf(!hasOpenssl)("over TLS", () => {
  let authority: Authority;
  let server: Issued;
  beforeAll(() => {
    authority = createAuthority();
    server = authority.issue("server", "IP:127.0.0.1");
  });
  afterAll(() => authority[Symbol.dispose]());

  /** Answers with the name in the client's certificate. */
  const whoAmI = (tls: ApiServerOptions["tls"] = {}): Promise<ApiServer> =>
    serve({
      tls: { ...server, ca: authority.ca, requestCert: true, rejectUnauthorized: false, ...tls },
      intercept(_, response) {
        const name = (response.socket as TLSSocket).getPeerCertificate().subject?.CN ?? "nobody";
        response.end(JSON.stringify({ name }));
        return true;
      },
    });
  const tls = (more: Partial<ClusterConfig["tls"]> = {}): ClusterConfig["tls"] => ({
    ca: authority.ca,
    serverName: undefined,
    insecure: false,
    ...more,
  });
  const ask = (transport: Transport): Promise<{ name: string }> => transport.json({ method: "GET", path: "/" });

  it("a server of our authority is trusted, and no other", async () => {
    const { url } = await whoAmI();
    expect(await ask(transportTo(url, { tls: tls() }))).toEqual({ name: "nobody" });
    const error = await failure(ask(transportTo(url, { tls: tls({ ca: undefined }) })));
    expect(error.reason).toBe("Unreachable");
    expect(error.message).toContain("certificate");
  });

  it("any server is trusted when that was asked for", async () => {
    const { url } = await whoAmI();
    const insecure = tls({ ca: undefined, insecure: true });
    expect(await ask(transportTo(url, { tls: insecure }))).toEqual({ name: "nobody" });
  });

  it("the certificate must have the name of the server, or the one that was given", async () => {
    const { url } = await whoAmI(authority.issue("kubernetes", "DNS:kubernetes"));
    expect((await failure(ask(transportTo(url, { tls: tls() })))).message).toContain("does not match");
    expect(await ask(transportTo(url, { tls: tls({ serverName: "kubernetes" }) }))).toEqual({ name: "nobody" });
  });

  it("a client certificate tells who we are", async () => {
    const { url } = await whoAmI();
    const credentials = fixedCredentials({ certificate: authority.issue("admin") });
    expect(await ask(transportTo(url, { tls: tls(), credentials }))).toEqual({ name: "admin" });
  });

  it("a renewed client certificate gets new connections, and the old ones go away", async () => {
    const apiServer = await whoAmI();
    let current: Credential = { authorization: undefined, certificate: authority.issue("old") };
    const credentials: Credentials = { current: async () => current, refused: () => false };
    const transport = transportTo(apiServer.url, { tls: tls(), credentials });
    expect(await ask(transport)).toEqual({ name: "old" });
    const before = apiServer.connections;
    current = { authorization: undefined, certificate: authority.issue("new") };
    expect(await ask(transport)).toEqual({ name: "new" });
    await until("the old connections are gone", () => apiServer.connections <= before);
    expect(await ask(transport)).toEqual({ name: "new" });
  });

  it.each([
    ["http", startHttpProxy],
    ["socks5", startSocksProxy],
  ])("a proxy (%s) is gone through, and the server behind it is still the one that is checked", async (_, start) => {
    const { url } = await whoAmI();
    const proxy = await start();
    const credentials = fixedCredentials({ certificate: authority.issue("admin") });
    expect(await ask(transportTo(url, { tls: tls(), credentials, proxyUrl: proxy.url }))).toEqual({ name: "admin" });
    expect(proxy.targets).toEqual([url.replace("https://", "")]);
    const untrusted = transportTo(url, { tls: tls({ ca: undefined }), proxyUrl: proxy.url });
    expect((await failure(ask(untrusted))).reason).toBe("Unreachable");
  });
});
