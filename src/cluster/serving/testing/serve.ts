/** A listener for a test, and two ways to talk to it: as a client would, and byte by byte. */
import { once } from "node:events";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { Agent, type RequestOptions, request } from "node:https";
import { buffer } from "node:stream/consumers";
import { connect, type TLSSocket } from "node:tls";
import { temporaryFolder } from "../../store/testing/temporary-folder.ts";
import { ensureCertificates, type ServerCertificate } from "../certificates.ts";
import { openDataFolder } from "../data-folder.ts";
import { type Listener, type ListenerOptions, startListener } from "../listener.ts";

export interface Answer {
  readonly code: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Served extends AsyncDisposable {
  readonly listener: Listener;
  readonly ca: string;
  /** Sends a request on a connection of its own, unless an agent is given. */
  send(path: string, options?: RequestOptions, body?: string | Buffer): Promise<Answer>;
  /** A connection on which nothing was said yet. */
  open(): Promise<TLSSocket>;
  /** Says this, and gives back all that is answered until the server closes. */
  say(text: string | Buffer): Promise<string>;
}

let certificates: ServerCertificate | undefined;

/** Made once for all tests of a file. */
export function testCertificates(): ServerCertificate {
  if (certificates === undefined) {
    using folder = temporaryFolder();
    certificates = ensureCertificates(openDataFolder(folder.path), Date.now());
  }
  return certificates;
}

/** Answers every request with `ok`, unless it is given another handler. */
export async function serve(options: Partial<ListenerOptions> = {}): Promise<Served> {
  const { ca, cert, key } = testCertificates();
  const listener = await startListener({
    tls: { cert, key },
    handle: (_, response) => void response.end("ok"),
    ...options,
  });
  const { port } = listener;
  const open = async (): Promise<TLSSocket> => {
    const socket = connect({ host: "127.0.0.1", port, ca });
    await once(socket, "secureConnect");
    return socket;
  };
  return {
    listener,
    ca,
    open,
    async send(path, more = {}, body) {
      const sent = request({ host: "127.0.0.1", port, ca, path, agent: false, servername: "localhost", ...more });
      const answered = once(sent, "response") as Promise<[IncomingMessage]>;
      sent.end(body);
      const [answer] = await answered;
      return { code: answer.statusCode ?? 0, headers: answer.headers, body: await buffer(answer) };
    },
    async say(text) {
      const socket = await open();
      socket.write(text);
      return (await everything(socket)).toString();
    },
    [Symbol.asyncDispose]: () => listener.stop(0),
  };
}

/** All that comes until the connection is closed, in whatever way. */
export async function everything(socket: TLSSocket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  socket
    .on("data", (chunk: Buffer) => chunks.push(chunk))
    .on("error", () => {})
    .resume();
  await once(socket, "close");
  return Buffer.concat(chunks);
}

/** Keeps one connection and sends one request after the other on it. */
export function oneConnection(): Agent {
  return new Agent({ keepAlive: true, maxSockets: 1 });
}

/** The Status of an answer as it came over a bare connection. */
export function statusOf(text: string): { readonly line: string; readonly status: Record<string, unknown> } {
  const [head = "", body = ""] = text.split("\r\n\r\n");
  return { line: head.split("\r\n", 1)[0] ?? "", status: JSON.parse(body) as Record<string, unknown> };
}
