/** What one client, friendly or not, may take of the server. */

export interface ListenerLimits {
  /** All headers of a request together; more is answered with 431. @default 16 KiB */
  readonly headerBytes: number;
  /** From the start of a connection, or of a request on it, until its headers are there; then 408. @default 10 s */
  readonly headersMs: number;
  /** The same, until all of the body is there. Answers, and so watches, may take as long as they like. @default 60 s */
  readonly requestMs: number;
  /**
   * How long a connection stays open without a request. Longer than clients keep theirs (client-go: 90 s), so that it is they who
   * close it, and no request meets a connection that is just being closed. @default 120 s
   */
  readonly idleMs: number;
  /** Connections at the same time, watches among them; more are closed at once. @default 16,384 */
  readonly connections: number;
  /** Requests at the same time on one connection of HTTP/2, watches among them; more are to be asked for again. @default 1000 */
  readonly streams: number;
}

export const DEFAULT_LISTENER_LIMITS: ListenerLimits = {
  headerBytes: 16 * 2 ** 10,
  headersMs: 10_000,
  requestMs: 60_000,
  idleMs: 120_000,
  connections: 16_384,
  streams: 1000,
};

/** The largest body that is read, compressed or not: what kube-apiserver allows. */
export const MAX_BODY_BYTES = 3 * 2 ** 20;

/** How much may wait in memory for a client that reads a stream slowly. */
export const MAX_BUFFERED_BYTES = 8 * 2 ** 20;

/** How long a client may leave what is there for it. */
export const STALLED_MS = 60_000;
