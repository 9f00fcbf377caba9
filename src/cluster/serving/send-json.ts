/** Answers that are sent whole. */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { pipeline, Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { acceptsGzip, compressed, GZIP_ABOVE_BYTES, GZIP_LEVEL } from "./compression.ts";
import { STALLED_MS } from "./limits.ts";
import { asBuffers, asPassingBuffers, bytesOf } from "./pieces.ts";
import { hearNothingUntilSent, timeoutFor } from "./while-unread.ts";

/** Large answers go out in slices. Each that begins is a sign of life: who reads slowly is not taken for one who does not read. */
const SLICE_BYTES = 256 * 2 ** 10;

/** The system takes this much for a client that reads nothing. */
const SHORT_BYTES = 64 * 2 ** 10;

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
  const plain = bytesOf(body);
  if (!Buffer.isBuffer(plain)) {
    sendPieces(request, response, plain, stalledMs);
    return;
  }
  if (plain.length <= GZIP_ABOVE_BYTES || !acceptsGzip(request.headers)) {
    end(response, plain, stalledMs);
    return;
  }
  compressed(plain).then(
    (bytes) => {
      response.setHeader("Content-Encoding", "gzip").appendHeader("Vary", "Accept-Encoding");
      end(response, bytes, stalledMs);
    },
    // Out of memory is all that can go wrong here.
    (error: Error) => void response.destroy(error),
  );
}

function sendPieces(
  request: IncomingMessage,
  response: ServerResponse,
  pieces: Iterable<string>,
  stalledMs: number,
): void {
  response.setTimeout(timeoutFor(stalledMs));
  hearNothingUntilSent(response);
  if (!acceptsGzip(request.headers)) {
    void sendOneByOne(response, pieces);
    return;
  }
  response.setHeader("Content-Encoding", "gzip").appendHeader("Vary", "Accept-Encoding");
  const bytes = Readable.from(asBuffers(pieces), { objectMode: true, highWaterMark: 1 });
  // A client that goes ends it all; there is nobody to tell.
  pipeline(bytes, createGzip({ level: GZIP_LEVEL }), response, () => {});
}

/** Each when the one before it has left, whose memory it gets. */
async function sendOneByOne(response: ServerResponse, pieces: Iterable<string>): Promise<void> {
  try {
    for (const piece of asPassingBuffers(pieces)) {
      const left = await new Promise<boolean>((resolve) =>
        response.write(piece, (error) => resolve(error === null || error === undefined)),
      );
      if (!left || response.destroyed) return;
    }
    response.end();
  } catch {
    // It can no longer be told; a broken answer must not look like a whole one.
    response.destroy();
  }
}

function end(response: ServerResponse, body: Buffer, stalledMs: number): void {
  // With nobody listening for it, this timeout destroys the connection. Node takes it back with the next request.
  response.setTimeout(timeoutFor(stalledMs));
  if (body.length > SHORT_BYTES) hearNothingUntilSent(response);
  // That of an answer without a body would be taken for the length of what the client has.
  if (response.statusCode !== 304) response.setHeader("Content-Length", body.length);
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
