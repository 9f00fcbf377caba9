/** Answers that are sent whole. */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { pipeline, Readable } from "node:stream";
import { createGzip, gzip } from "node:zlib";
import { STALLED_MS } from "./limits.ts";

/** Above this an answer is compressed for clients that take it so; both numbers are kube-apiserver's. */
const GZIP_ABOVE_BYTES = 128 * 2 ** 10;
const GZIP_LEVEL = 1;

/** Large answers go out in slices. Each that begins is a sign of life: who reads slowly is not taken for one who does not read. */
const SLICE_BYTES = 256 * 2 ** 10;

/**
 * Sends a body of JSON, compressed where it is large and the client accepts gzip, and ends the answer. `headers` come on top, and may
 * give another content type. A client that takes nothing of it for `stalledMs` is cut off. Of a body that comes in pieces, the
 * next is asked for when those before it are on their way.
 */
export function sendJson(
  request: IncomingMessage,
  response: ServerResponse,
  code: number,
  body: string | Buffer | Iterable<string>,
  headers: OutgoingHttpHeaders = {},
  stalledMs = STALLED_MS,
): void {
  response.statusCode = code;
  response.setHeader("Content-Type", "application/json");
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) response.setHeader(name, value);
  if (typeof body !== "string" && !Buffer.isBuffer(body)) {
    sendPieces(request, response, body[Symbol.iterator](), stalledMs);
    return;
  }
  const plain = typeof body === "string" ? Buffer.from(body) : body;
  if (plain.length <= GZIP_ABOVE_BYTES || !acceptsGzip(request)) {
    end(response, plain, stalledMs);
    return;
  }
  gzip(plain, { level: GZIP_LEVEL }, (error, compressed) => {
    // Out of memory is all that can go wrong here.
    if (error !== null) {
      response.destroy(error);
      return;
    }
    response.setHeader("Content-Encoding", "gzip").appendHeader("Vary", "Accept-Encoding");
    end(response, compressed, stalledMs);
  });
}

function sendPieces(
  request: IncomingMessage,
  response: ServerResponse,
  pieces: Iterator<string>,
  stalledMs: number,
): void {
  const first = pieces.next().value ?? "";
  const second = pieces.next();
  if (second.done === true) {
    end(response, Buffer.from(first), stalledMs);
    return;
  }
  const bytes = Readable.from(buffers([first, second.value], pieces), { objectMode: true, highWaterMark: 1 });
  response.setTimeout(stalledMs);
  // A client that goes ends it all; there is nobody to tell.
  const over = (): void => {};
  if (!acceptsGzip(request)) {
    pipeline(bytes, response, over);
    return;
  }
  response.setHeader("Content-Encoding", "gzip").appendHeader("Vary", "Accept-Encoding");
  pipeline(bytes, createGzip({ level: GZIP_LEVEL }), response, over);
}

function* buffers(begun: readonly string[], pieces: Iterator<string>): Generator<Buffer, void> {
  for (const piece of begun) yield Buffer.from(piece);
  for (let next = pieces.next(); next.done !== true; next = pieces.next()) yield Buffer.from(next.value);
}

function end(response: ServerResponse, body: Buffer, stalledMs: number): void {
  // With nobody listening for it, this timeout destroys the connection. Node takes it back with the next request.
  response.setTimeout(stalledMs);
  response.setHeader("Content-Length", body.length);
  let sent = 0;
  const sendMore = (): void => {
    while (body.length - sent > SLICE_BYTES) {
      const taken = response.write(body.subarray(sent, (sent += SLICE_BYTES)));
      if (!taken) {
        response.once("drain", sendMore);
        return;
      }
    }
    response.end(body.subarray(sent));
  };
  sendMore();
}

/** As kube-apiserver reads it: the bare word, whatever qualities others have. */
function acceptsGzip(request: IncomingMessage): boolean {
  const accepted = request.headers["accept-encoding"];
  return typeof accepted === "string" && accepted.split(",").some((token) => token.trim() === "gzip");
}
