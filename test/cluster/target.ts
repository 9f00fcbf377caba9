/** An embedded cluster for tests that mean it no good, and two ways to talk to it: as a client would, and byte by byte. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import { buffer } from "node:stream/consumers";
import { connect, type TLSSocket } from "node:tls";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Agent, type Dispatcher, request } from "undici";
import { parse } from "yaml";
import { startCluster } from "../../src/cluster/index.ts";
import { temporaryFolder } from "../../src/cluster/store/testing/temporary-folder.ts";
import { DEFAULT_GATES } from "../../src/core/gates.ts";
import { silentLogger } from "../../src/kube/logger.ts";

export interface Access {
  readonly url: string;
  readonly ca: string;
  readonly token: string;
}

export interface Answer {
  readonly code: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The text as JSON; undefined when it is none. */
  readonly json: Record<string, unknown> | undefined;
}

export interface Sending {
  readonly body?: string | Uint8Array | object;
  readonly type?: string;
  readonly headers?: OutgoingHttpHeaders;
}

export interface Client extends AsyncDisposable {
  /** A body that is an object is sent as JSON; `type` is its content type, JSON unless told otherwise. */
  send(method: Dispatcher.HttpMethod, path: string, sending?: Sending): Promise<Answer>;
  /** A secure connection on which nothing was said yet. */
  open(): Promise<TLSSocket>;
}

export function readAccess(kubeconfig: string): Access {
  const config = parse(readFileSync(kubeconfig, "utf8")) as {
    clusters: [{ cluster: { server: string; "certificate-authority-data": string } }];
    users: [{ user: { token: string } }];
  };
  const { cluster } = config.clusters[0];
  const ca = Buffer.from(cluster["certificate-authority-data"], "base64").toString();
  return { url: cluster.server, ca, token: config.users[0].user.token };
}

export function createTestClient({ url, ca, token }: Access, connections = 64): Client {
  const dispatcher = new Agent({ connect: { ca }, connections, headersTimeout: 0, bodyTimeout: 0 });
  return {
    async send(method, path, { body, type = "application/json", headers = {} } = {}) {
      const answer = await request(`${url}${path}`, {
        dispatcher,
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": type, ...headers } as Record<string, string>,
        body: body === undefined ? null : isBytes(body) ? body : JSON.stringify(body),
      });
      const text = (await buffer(answer.body)).toString();
      return { code: answer.statusCode, headers: answer.headers, text, json: jsonOf(text) };
    },
    async open() {
      const socket = connect({ host: "127.0.0.1", port: Number(new URL(url).port), ca });
      await once(socket, "secureConnect");
      return socket.on("error", () => {});
    },
    [Symbol.asyncDispose]: () => dispatcher.destroy(),
  };
}

function isBytes(body: string | Uint8Array | object): body is string | Uint8Array {
  return typeof body === "string" || body instanceof Uint8Array;
}

function jsonOf(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

export interface Target extends Client {
  readonly access: Access;
  /** Fails unless the next client is served as if nothing had been. */
  isFine(): Promise<void>;
}

/** A cluster of its own in this process. */
export async function startTarget(): Promise<Target> {
  await using cleanup = new AsyncDisposableStack();
  const folder = cleanup.use(temporaryFolder());
  const cluster = await startCluster({ folder: folder.path, port: 0, gates: DEFAULT_GATES, logger: silentLogger });
  cleanup.defer(() => cluster.stop());
  const access = readAccess(cluster.kubeconfig);
  const client = cleanup.use(createTestClient(access));
  const owned = cleanup.move();
  return {
    ...client,
    access,
    async isFine() {
      const { code, text } = await client.send("GET", "/api/v1/namespaces/default");
      if (code !== 200) throw new Error(`the next request got ${code}: ${text}`);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Megabytes that this process holds on to, in the heap and beside it. */
export async function heldMegabytes(): Promise<number> {
  // What was closed is let go of over a few turns.
  for (let turn = 0; turn < 5; turn++) {
    await new Promise(setImmediate);
    collectGarbage();
  }
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 2 ** 20;
}
