/** When and how answers are compressed. */
import type { IncomingHttpHeaders } from "node:http";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

/** Above this an answer is compressed for clients that take it so; both numbers are kube-apiserver's. */
export const GZIP_ABOVE_BYTES = 128 * 2 ** 10;
export const GZIP_LEVEL = 1;

const zip = promisify(gzip);

/** Rejects when there is no memory left for it. */
export function compressed(bytes: Buffer): Promise<Buffer> {
  return zip(bytes, { level: GZIP_LEVEL });
}

/** As kube-apiserver reads it: the bare word, whatever qualities others have. */
export function acceptsGzip(headers: IncomingHttpHeaders): boolean {
  const accepted = headers["accept-encoding"];
  return typeof accepted === "string" && accepted.split(",").some((token) => token.trim() === "gzip");
}
