/** A request and its answer as the API sees them, whatever carries them. */
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import type { Text } from "../encode/writer.ts";
import type { EventLine } from "../handlers/answer.ts";

export interface ApiRequest {
  readonly method: string;
  /** As it was sent: the path, and the query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** Every value by itself: joined, they would make one group of many. */
  readonly headersDistinct: NodeJS.Dict<string[]>;
  /** The body, read whole. Rejects with a `StatusError` beyond `limit` bytes, and for one that cannot be read. */
  body(limit: number): Promise<Buffer>;
}

export interface ApiReply {
  /** Nothing else can be answered any more: an answer was given or begun, or the client has gone. */
  readonly isBegun: boolean;
  /** What was answered. */
  readonly code: number;
  /** Gives the whole answer; of JSON, unless the headers say something else. */
  send(code: number, body: Text, headers: OutgoingHttpHeaders): void;
  /** Begins an answer that goes on; of JSON, unless something else is said. */
  begin(contentType?: string): EventStream;
  /** Breaks off what cannot be finished. */
  cut(): void;
}

export interface EventStream {
  /** False when the stream is over, by whatever cause: stop producing. */
  write(line: EventLine): boolean;
  /** Resolves when there is room again for more, or the stream is over; undefined when there is room. Never rejects. */
  drained(): Promise<void> | undefined;
  /** Ends the answer as a whole one. May be called twice. */
  end(): void;
  /** Calls once when the client goes. */
  onGone(listener: () => void): void;
}

export type Handle = (request: ApiRequest, reply: ApiReply) => Promise<void>;
