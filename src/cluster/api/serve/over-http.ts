/** The API over HTTP. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { createStream, readBody, sendJson } from "../../serving/index.ts";
import { AUDIT_ID, auditIdOf } from "./audit-id.ts";
import type { ApiReply, ApiRequest, Handle } from "./exchange.ts";

export type HttpHandle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** `onSlowReader`: called for each client that was cut off because it did not read. */
export function overHttp(handle: Handle, onSlowReader: () => void): HttpHandle {
  return (request, response) => handle(requestOf(request), replyTo(request, response, onSlowReader));
}

function requestOf(request: IncomingMessage): ApiRequest {
  const { method = "GET", url = "/", headers } = request;
  return {
    method,
    url,
    headers,
    get headersDistinct() {
      return request.headersDistinct;
    },
    body: (limit) => readBody(request, limit),
  };
}

function replyTo(request: IncomingMessage, response: ServerResponse, onSlowReader: () => void): ApiReply {
  return {
    get isBegun() {
      return response.headersSent || response.destroyed;
    },
    get code() {
      return response.statusCode;
    },
    send(code, body, headers) {
      sendJson(request, response, code, body, { ...headers, [AUDIT_ID]: auditIdOf(request.headers) });
    },
    begin(contentType = "application/json") {
      response.writeHead(200, {
        "content-type": contentType,
        "cache-control": "no-cache, private",
        [AUDIT_ID]: auditIdOf(request.headers),
        "transfer-encoding": "chunked",
      });
      response.flushHeaders();
      const stream = createStream(response, { onSlowReader });
      return {
        write: (line) => stream.write(line.bytes),
        drained: () => stream.drained(),
        end: () => stream.end(),
        onGone: (listener) => void response.once("close", listener),
      };
    },
    cut: () => void response.destroy(),
  };
}
