/** A connection that speaks HTTP/2, for a test: ours at one end; at the other Node's own client, or bare bytes. */
import { once } from "node:events";
import { type ClientHttp2Session, type ClientHttp2Stream, connect, type OutgoingHttpHeaders } from "node:http2";
import { type AddressInfo, connect as connectPlain, createServer, type Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { DEFAULT_LISTENER_LIMITS, type ListenerLimits } from "../../limits.ts";
import { sendWhole } from "../answer.ts";
import { type Http2Connection, type Http2Options, serveHttp2 } from "../connection.ts";
import type { ServerStream } from "../stream.ts";

export interface ServeOptions extends Partial<Pick<Http2Options, "take" | "stalledMs">> {
  readonly limits?: Partial<ListenerLimits>;
  /** What Node's client asks for at the start. */
  readonly settings?: Parameters<ClientHttp2Session["settings"]>[0];
}

export interface Served extends AsyncDisposable {
  /** Node's own client, on a connection of its own. */
  client(): Promise<Client>;
  /** A connection on which nothing was said yet. */
  open(): Promise<Socket>;
  /** Our ends, in the order in which they were opened. */
  readonly connections: readonly Http2Connection[];
  /** How many were cut for not reading. */
  readonly slow: () => number;
}

export interface Client {
  readonly session: ClientHttp2Session;
  readonly send: (path: string, options?: OutgoingHttpHeaders, body?: Buffer | string) => Promise<Answer>;
}

export interface Answer {
  readonly code: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Buffer;
}

/** Answers with `ok`, unless it is told otherwise. */
export async function serve(options: ServeOptions = {}): Promise<Served> {
  const { take = async (stream: ServerStream) => sendWhole(stream, 200, "ok"), limits, stalledMs, settings } = options;
  const connections: Http2Connection[] = [];
  const sockets = new Set<Socket>();
  let slow = 0;
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    const all = { ...DEFAULT_LISTENER_LIMITS, ...limits };
    const onSlowReader = (): void => void slow++;
    connections.push(serveHttp2(socket, { limits: all, take, onSlowReader, ...(stalledMs && { stalledMs }) }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const sessions: ClientHttp2Session[] = [];
  return {
    connections,
    slow: () => slow,
    async client() {
      const session = connect(`http://127.0.0.1:${port}`, { ...(settings && { settings }) });
      // What goes wrong with it is seen by who asks something.
      session.on("error", () => {});
      sessions.push(session);
      await once(session, "connect");
      return { session, send: (path, headers, body) => send(session, path, headers, body) };
    },
    async open() {
      const socket = connectPlain(port, "127.0.0.1");
      socket.on("error", () => {});
      sockets.add(socket);
      await once(socket, "connect");
      return socket;
    },
    async [Symbol.asyncDispose]() {
      for (const session of sessions) session.destroy();
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** A stream on which the body may be sent piece by piece. */
export function ask(session: ClientHttp2Session, path: string, headers: OutgoingHttpHeaders = {}): ClientHttp2Stream {
  return session.request({ ":path": path, ":authority": "localhost", ...headers }, { endStream: false });
}

async function send(
  session: ClientHttp2Session,
  path: string,
  headers: OutgoingHttpHeaders = {},
  body?: Buffer | string,
): Promise<Answer> {
  const method = body === undefined ? "GET" : "POST";
  const stream = ask(session, path, { ":method": method, ...headers });
  stream.end(body);
  return answerOf(stream);
}

export async function answerOf(stream: ClientHttp2Stream): Promise<Answer> {
  const [headers] = (await once(stream, "response")) as [Record<string, unknown>];
  return { code: Number(headers[":status"]), headers, body: await buffer(stream) };
}
