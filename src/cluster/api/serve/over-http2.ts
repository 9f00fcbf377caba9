/** The API over HTTP/2. */
import type { OutgoingHttpHeaders } from "node:http";
import { distinctHeaders, headOf, readStreamBody, type ServerStream, sendWhole } from "../../serving/index.ts";
import { AUDIT_ID, auditIdOf } from "./audit-id.ts";
import type { ApiReply, ApiRequest, Handle } from "./exchange.ts";

export type StreamHandle = (stream: ServerStream) => Promise<void>;

export function overHttp2(handle: Handle): StreamHandle {
  return (stream) => handle(requestOf(stream), replyTo(stream));
}

function requestOf(stream: ServerStream): ApiRequest {
  const { head } = stream;
  return {
    method: head.method,
    url: head.url,
    headers: head.headers,
    get headersDistinct() {
      return distinctHeaders(head);
    },
    body: (limit) => readStreamBody(stream, limit),
  };
}

const WATCH_HEADERS = { "cache-control": "no-cache, private" };

function named({ head }: ServerStream): OutgoingHttpHeaders {
  return { [AUDIT_ID]: auditIdOf(head.headers) };
}

function replyTo(stream: ServerStream): ApiReply {
  return {
    get isBegun() {
      return stream.isBegun;
    },
    get code() {
      return stream.code;
    },
    send: (code, body, headers) => sendWhole(stream, code, body, { ...headers, ...named(stream) }),
    begin(contentType = "application/json") {
      stream.begin(200, headOf(200, { ...WATCH_HEADERS, "content-type": contentType, ...named(stream) }));
      return {
        write: (line) => stream.write(line.bytes),
        drained: () => stream.drained(),
        end: () => stream.end(),
        onGone: (listener) => stream.onGone(listener),
      };
    },
    cut: () => stream.cut(),
  };
}
