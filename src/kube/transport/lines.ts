/** Lines of a stream of bytes. A watch sends one JSON object per line; a line may come in many pieces. */
import { KubeError } from "../kube-error.ts";

const NEWLINE = 0x0a;

/**
 * Each complete line, without its end. What follows the last newline was cut off by a broken connection and is dropped:
 * half a line says nothing.
 */
export async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string, void, undefined> {
  let pending: Buffer[] = [];
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      const piece = chunk.subarray(start, end);
      start = end + 1;
      const line = pending.length === 0 ? piece : Buffer.concat([...pending, piece]);
      pending = [];
      if (line.length > 0) yield line.toString("utf8");
    }
    if (start < chunk.length) pending.push(chunk.subarray(start));
  }
}

/** What each line says. `what`: what was asked for, for messages. */
export async function* readValues(
  chunks: AsyncIterable<Buffer>,
  what: string,
): AsyncGenerator<unknown, void, undefined> {
  for await (const line of readLines(chunks)) {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch (cause) {
      throw new KubeError("BadResponse", `${what}: a line is not JSON: ${line.slice(0, 200)}`, { cause });
    }
    yield value;
  }
}
