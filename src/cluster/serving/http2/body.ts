/** The body of a request on a stream, read whole and never further than it may be. */
import { MAX_BODY_BYTES } from "../limits.ts";
import { decoded, refusalOf } from "../read-body.ts";
import type { ServerStream } from "./stream.ts";

/** As `readBody` does it for HTTP/1.1, with the same refusals. */
export async function readStreamBody(stream: ServerStream, limit = MAX_BODY_BYTES): Promise<Buffer> {
  const { headers } = stream.head;
  const refusal = refusalOf(headers, limit);
  if (refusal !== undefined) throw refusal;
  return decoded(headers, await stream.readBody(limit), limit);
}
