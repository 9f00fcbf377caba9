/** The API over HTTP. */
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { createStream, readBody, sendJson } from "../../serving/index.ts";
import type { Text } from "../encode/writer.ts";
import { AUDIT_ID, auditIdOf } from "./audit-id.ts";
import type { ApiReply, ApiRequest, EventStream, Handle } from "./exchange.ts";

export type HttpHandle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** `onSlowReader`: called for each client that was cut off because it did not read. */
export function overHttp(handle: Handle, onSlowReader: () => void): HttpHandle {
  return (request, response) => handle(new HttpRequest(request), new HttpReply(request, response, onSlowReader));
}

// Classes, as in over-http2.ts.

class HttpRequest implements ApiRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly #request: IncomingMessage;

  constructor(request: IncomingMessage) {
    const { method = "GET", url = "/", headers } = request;
    this.method = method;
    this.url = url;
    this.headers = headers;
    this.#request = request;
  }

  get headersDistinct(): NodeJS.Dict<string[]> {
    return this.#request.headersDistinct;
  }

  body(limit: number): Promise<Buffer> {
    return readBody(this.#request, limit);
  }
}

class HttpReply implements ApiReply {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #onSlowReader: () => void;

  constructor(request: IncomingMessage, response: ServerResponse, onSlowReader: () => void) {
    this.#request = request;
    this.#response = response;
    this.#onSlowReader = onSlowReader;
  }

  get isBegun(): boolean {
    return this.#response.headersSent || this.#response.destroyed;
  }

  get code(): number {
    return this.#response.statusCode;
  }

  send(code: number, body: Text, headers: OutgoingHttpHeaders): void {
    sendJson(this.#request, this.#response, code, body, { ...headers, [AUDIT_ID]: auditIdOf(this.#request.headers) });
  }

  begin(contentType = "application/json"): EventStream {
    const response = this.#response;
    response.writeHead(200, {
      "content-type": contentType,
      "cache-control": "no-cache, private",
      [AUDIT_ID]: auditIdOf(this.#request.headers),
      "transfer-encoding": "chunked",
    });
    response.flushHeaders();
    const stream = createStream(response, { onSlowReader: this.#onSlowReader });
    return {
      write: (line) => stream.write(line.bytes),
      drained: () => stream.drained(),
      end: () => stream.end(),
      onGone: (listener) => void response.once("close", listener),
    };
  }

  cut(): void {
    this.#response.destroy();
  }
}
