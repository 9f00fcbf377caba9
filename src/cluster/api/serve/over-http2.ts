/** The API over HTTP/2. */
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import { distinctHeaders, headOf, readStreamBody, type ServerStream, sendWhole } from "../../serving/index.ts";
import type { Text } from "../encode/writer.ts";
import type { EventLine } from "../handlers/answer.ts";
import { AUDIT_ID, auditIdOf } from "./audit-id.ts";
import type { ApiReply, ApiRequest, EventStream, Handle } from "./exchange.ts";

export type StreamHandle = (stream: ServerStream) => Promise<void>;

export function overHttp2(handle: Handle): StreamHandle {
  return (stream) => handle(new StreamRequest(stream), new StreamReply(stream));
}

// Classes: an object that is written out with getters takes V8 a call for each of them, and two kilobytes, for every request.

class StreamRequest implements ApiRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly #stream: ServerStream;

  constructor(stream: ServerStream) {
    const { method, url, headers } = stream.head;
    this.method = method;
    this.url = url;
    this.headers = headers;
    this.#stream = stream;
  }

  get headersDistinct(): NodeJS.Dict<string[]> {
    return distinctHeaders(this.#stream.head);
  }

  body(limit: number): Promise<Buffer> {
    return readStreamBody(this.#stream, limit);
  }
}

class StreamReply implements ApiReply {
  readonly #stream: ServerStream;

  constructor(stream: ServerStream) {
    this.#stream = stream;
  }

  get isBegun(): boolean {
    return this.#stream.isBegun;
  }

  get code(): number {
    return this.#stream.code;
  }

  send(code: number, body: Text, headers: OutgoingHttpHeaders): void {
    sendWhole(this.#stream, code, body, this.#named(headers));
  }

  begin(contentType = "application/json"): EventStream {
    const stream = this.#stream;
    stream.begin(200, headOf(200, this.#named({ "cache-control": "no-cache, private", "content-type": contentType })));
    stream.forgetHeaders();
    return new StreamOfEvents(stream);
  }

  cut(): void {
    this.#stream.cut();
  }

  #named(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
    return { ...headers, [AUDIT_ID]: auditIdOf(this.#stream.head.headers) };
  }
}

class StreamOfEvents implements EventStream {
  readonly #stream: ServerStream;

  constructor(stream: ServerStream) {
    this.#stream = stream;
  }

  write({ bytes }: EventLine): boolean {
    return this.#stream.write(bytes);
  }

  drained(): Promise<void> | undefined {
    return this.#stream.drained();
  }

  end(): void {
    this.#stream.end();
  }

  onGone(listener: () => void): void {
    this.#stream.onGone(listener);
  }
}
