/** The body of a request, read whole and never further than it may be. */
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { StatusError } from "../api/status-error.ts";
import { brokenOff, noGzip, overLimit, unknownEncoding } from "./body-refusals.ts";
import { MAX_BODY_BYTES } from "./limits.ts";

const unzip = promisify(gunzip);

/**
 * Reads the body, and decompresses it when it came as gzip; neither form may have more than `limit` bytes. Rejects with a
 * `StatusError`: 413 beyond the limit, 415 for any other encoding, 400 for one that is broken off or no gzip. What is left of a
 * refused body is read and thrown away, so that the client, who may be busy sending it, gets to see the answer.
 */
export async function readBody(request: IncomingMessage, limit = MAX_BODY_BYTES): Promise<Buffer> {
  const refusal = refusalOf(request.headers, limit);
  if (refusal !== undefined) {
    request.resume();
    throw refusal;
  }
  return decoded(request.headers, await collect(request, limit), limit);
}

/** What the head of a request has against its body. */
export function refusalOf(headers: IncomingHttpHeaders, limit: number): StatusError | undefined {
  const encoding = encodingOf(headers);
  if (encoding !== "identity" && encoding !== "gzip") return unknownEncoding(encoding);
  return Number(headers["content-length"] ?? 0) > limit ? overLimit(limit) : undefined;
}

/** The body as it is meant, of one that came in an encoding. Throws as `readBody` does. */
export async function decoded(headers: IncomingHttpHeaders, body: Buffer, limit: number): Promise<Buffer> {
  if (encodingOf(headers) !== "gzip") return body;
  try {
    return await unzip(body, { maxOutputLength: limit });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === "ERR_BUFFER_TOO_LARGE" ? overLimit(limit) : noGzip();
  }
}

function encodingOf(headers: IncomingHttpHeaders): string {
  return headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
}

function collect(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= limit) {
        chunks.push(chunk);
        return;
      }
      request.off("data", onData);
      request.resume();
      reject(overLimit(limit));
    };
    const fail = (): void => reject(brokenOff());
    const whole = (): void => {
      request.off("close", fail);
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, size));
    };
    request.on("data", onData).once("end", whole).once("error", fail).once("close", fail);
  });
}
