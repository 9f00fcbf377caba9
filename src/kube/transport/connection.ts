/** How one request gets to a server, and its answer back. What is common to all ways is in transport.ts. */
import type { Credential } from "../config/credentials.ts";

export interface Question {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** From the server's root, with the query: `/api/v1/pods?limit=500`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string | null;
  /** Whose request it is: the headers tell all of it but a certificate. */
  readonly credential: Credential;
  /** The answer goes on for as long as the server likes. */
  readonly endless: boolean;
}

/** Either `text` or `values` is to be called, once. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** All of the body. */
  text(): Promise<string>;
  /**
   * Values of JSON, one to a line, as they come. They may be read by others at the same time: whoever changes one copies it. Ends
   * when the server ends it, throws when the connection breaks (`what`, for messages: what was asked for), and is cut when the
   * reader stops or the signal of the request is aborted.
   */
  values(what: string): AsyncIterable<unknown>;
}

export interface Connection {
  /** Rejects with whatever went wrong on the way, and with a `KubeError` after `close`. */
  request(question: Question, signal: AbortSignal | undefined): Promise<Answer>;
  /** Cuts everything that is under way. May be called twice. */
  close(): Promise<void>;
}
