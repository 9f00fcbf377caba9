/** How the load reaches an API server, over either protocol. */
import type { Access } from "./contender.ts";
import { createHttp1Client } from "./http1-client.ts";
import { createHttp2Client } from "./http2/client.ts";

export type Protocol = "HTTP/1.1" | "HTTP/2";

export type Method = "GET" | "POST" | "PATCH";

export interface Client {
  /** Connections, as many as are asked for. */
  open(count: number): Promise<Lanes>;
  /** As many connections as that many watches need. */
  watchers(count: number): Watchers;
}

/** Connections for one request at a time each, in the hands of as many senders. */
export interface Lanes extends AsyncDisposable {
  readonly senders: readonly Send[];
}

/**
 * How many bytes the answer has. Rejects when there is none, or when it is a refusal. Who wants to see it looks at each piece, which is there
 * until the call is over: the client must not take as long to put an answer together as the server.
 */
export type Send = (method: Method, path: string, body?: object, onData?: OnData) => Promise<number>;

export type OnData = (piece: Buffer) => void;

export interface Watchers extends AsyncDisposable {
  /** An answer that has no end: `onEnd` is for one that has, and is not called when it is we who go. */
  watch(path: string, onData: (piece: Buffer) => void, onEnd: (error: Error) => void): void;
}

export function createClient(access: Access, protocol: Protocol): Client {
  return protocol === "HTTP/2" ? createHttp2Client(access) : createHttp1Client(access);
}
