/** Answers on a stream of HTTP/2: whole ones, and those that go on. */
import type { OutgoingHttpHeaders } from "node:http";
import { pipeline, Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { acceptsGzip, compressed, GZIP_ABOVE_BYTES, GZIP_LEVEL } from "../compression.ts";
import { asBuffers, asPassingBuffers, bytesOf } from "../pieces.ts";
import { encodeFields, type Field } from "./hpack/index.ts";
import { CODE } from "./protocol.ts";
import type { ServerStream } from "./stream.ts";

/**
 * Sends a body of JSON, compressed where it is large and the client accepts gzip, and ends the answer. `headers` come on top, and may
 * give another content type. Of a body that comes in pieces, the next is asked for when those before it are on their way.
 */
export function sendWhole(
  stream: ServerStream,
  code: number,
  body: string | Buffer | Iterable<string>,
  headers: OutgoingHttpHeaders = {},
): void {
  const plain = bytesOf(body);
  if (Buffer.isBuffer(plain)) sendBytes(stream, code, plain, headers);
  else void sendPieces(stream, code, plain, headers);
}

function sendBytes(stream: ServerStream, code: number, plain: Buffer, headers: OutgoingHttpHeaders): void {
  if (plain.length <= GZIP_ABOVE_BYTES || !acceptsGzip(stream.head.headers)) {
    sendAll(stream, code, plain, headers);
    return;
  }
  compressed(plain).then(
    (packed) => sendAll(stream, code, packed, gzipped(headers)),
    // Out of memory is all that can go wrong here.
    () => stream.cut(),
  );
}

function gzipped(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  const vary = headers.vary === undefined ? "Accept-Encoding" : `${headers.vary}, Accept-Encoding`;
  return { ...headers, "content-encoding": "gzip", vary };
}

function sendAll(stream: ServerStream, code: number, body: Buffer, headers: OutgoingHttpHeaders): void {
  const withoutBody = stream.head.method === "HEAD" || body.length === 0;
  // That of an answer without a body would be taken for the length of what the client has.
  stream.begin(code, headOf(code, headers, code === 304 ? undefined : body.length), withoutBody);
  if (!withoutBody) stream.end(body);
}

async function sendPieces(
  stream: ServerStream,
  code: number,
  pieces: Iterable<string>,
  headers: OutgoingHttpHeaders,
): Promise<void> {
  const packs = acceptsGzip(stream.head.headers);
  const withoutBody = stream.head.method === "HEAD";
  stream.begin(code, headOf(code, packs ? gzipped(headers) : headers), withoutBody);
  if (withoutBody) return;
  try {
    for await (const chunk of packs ? packed(pieces) : asPassingBuffers(pieces)) {
      if (!stream.write(chunk)) return;
      await stream.sent();
    }
    stream.end();
  } catch {
    // It can no longer be told; a broken answer must not look like a whole one.
    stream.cut(CODE.INTERNAL_ERROR);
  }
}

function packed(pieces: Iterable<string>): AsyncIterable<Buffer> {
  const plain = Readable.from(asBuffers(pieces), { objectMode: true, highWaterMark: 1 });
  // What goes wrong ends the loop over it.
  return pipeline(plain, createGzip({ level: GZIP_LEVEL }), () => {});
}

/** The head of an answer, packed. `length`: of the body, where it is known. */
export function headOf(code: number, headers: OutgoingHttpHeaders, length?: number): Buffer {
  const fields: Field[] = [[":status", String(code)]];
  if (headers["content-type"] === undefined) fields.push(JSON_TYPE);
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined) continue;
    for (const each of Array.isArray(value) ? value : [value]) fields.push([name.toLowerCase(), String(each)]);
  }
  if (length !== undefined) fields.push(["content-length", String(length)]);
  fields.push(date());
  return encodeFields(fields);
}

const JSON_TYPE: Field = ["content-type", "application/json"];

let dated: { readonly second: number; readonly field: Field } = { second: -1, field: ["date", ""] };

/** Made once a second. */
function date(): Field {
  const now = Date.now();
  const second = Math.floor(now / 1000);
  if (second !== dated.second) dated = { second, field: ["date", new Date(now).toUTCString()] };
  return dated.field;
}
