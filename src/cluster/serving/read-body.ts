/** The body of a request, read whole and never further than it may be. */
import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { badRequest, StatusError, tooLarge } from "../api/status-error.ts";
import { MAX_BODY_BYTES } from "./limits.ts";

const unzip = promisify(gunzip);

/**
 * Reads the body, and decompresses it when it came as gzip; neither form may have more than `limit` bytes. Rejects with a
 * `StatusError`: 413 beyond the limit, 415 for any other encoding, 400 for one that is broken off or no gzip. What is left of a
 * refused body is read and thrown away, so that the client, who may be busy sending it, gets to see the answer.
 */
export async function readBody(request: IncomingMessage, limit = MAX_BODY_BYTES): Promise<Buffer> {
  const encoding = (request.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  const refusal = refusalOf(request, encoding, limit);
  if (refusal !== undefined) {
    request.resume();
    throw refusal;
  }
  const body = await collect(request, limit);
  return encoding === "gzip" ? decompress(body, limit) : body;
}

function refusalOf(request: IncomingMessage, encoding: string, limit: number): StatusError | undefined {
  if (encoding !== "identity" && encoding !== "gzip") {
    return new StatusError(
      415,
      "UnsupportedMediaType",
      `the body of the request was in an unknown encoding ${JSON.stringify(encoding)} - accepted encodings include: gzip, identity`,
    );
  }
  return Number(request.headers["content-length"] ?? 0) > limit ? overLimit(limit) : undefined;
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
    const brokenOff = (): void => reject(badRequest("the request ended before its body did"));
    const whole = (): void => {
      request.off("close", brokenOff);
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, size));
    };
    request.on("data", onData).once("end", whole).once("error", brokenOff).once("close", brokenOff);
  });
}

async function decompress(body: Buffer, limit: number): Promise<Buffer> {
  try {
    return await unzip(body, { maxOutputLength: limit });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === "ERR_BUFFER_TOO_LARGE" ? overLimit(limit) : badRequest("the body of the request is no gzip");
  }
}

function overLimit(limit: number): StatusError {
  return tooLarge(`limit is ${limit}`);
}
