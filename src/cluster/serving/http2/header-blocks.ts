/** Heads of requests, put together from the frames that they come in, and decoded. */

import type { Frame } from "./frame-reader.ts";
import { createHpackDecoder, type Field, HpackError } from "./hpack/index.ts";
import { CODE, ConnectionError, DEFAULT_TABLE_BYTES, FLAG, FRAME } from "./protocol.ts";
import { unpadded } from "./unpadded.ts";

export interface HeaderBlock {
  readonly stream: number;
  readonly fields: readonly Field[];
  /** There was more than may be; `fields` has the first of it. */
  readonly tooLarge: boolean;
  /** Nothing follows on this stream. */
  readonly endStream: boolean;
}

export interface HeaderBlocks {
  /** When the block began that is not whole yet. */
  readonly since: number | undefined;
  /** A block, when this frame makes it whole. To be told of every frame: nothing may come in between. Throws `ConnectionError`. */
  take(frame: Frame): HeaderBlock | undefined;
}

interface Begun {
  readonly stream: number;
  readonly endStream: boolean;
  readonly since: number;
  readonly parts: Buffer[];
  bytes: number;
}

/** `maxListBytes`: what a head may have, as RFC 9113 counts it (6.5.2). */
export function createHeaderBlocks(maxListBytes: number): HeaderBlocks {
  const decoder = createHpackDecoder({ tableBytes: DEFAULT_TABLE_BYTES, maxListBytes });
  // Packed it may be longer than the list, but not by much: who goes on and on is not listened to.
  const maxBlockBytes = 2 * maxListBytes;
  let begun: Begun | undefined;

  const finish = ({ stream, endStream, parts }: Begun): HeaderBlock => {
    begun = undefined;
    const [only] = parts;
    try {
      const { fields, tooLarge } = decoder.decode(
        parts.length === 1 && only !== undefined ? only : Buffer.concat(parts),
      );
      return { stream, fields, tooLarge, endStream };
    } catch (error) {
      if (error instanceof HpackError) throw new ConnectionError(CODE.COMPRESSION_ERROR, error.message);
      throw error;
    }
  };
  const add = (block: Begun, frame: Frame, part: Buffer): HeaderBlock | undefined => {
    block.parts.push(part);
    block.bytes += part.length;
    if (block.bytes > maxBlockBytes || block.parts.length > maxBlockBytes / 256) {
      throw new ConnectionError(CODE.ENHANCE_YOUR_CALM, "the headers of the request are too large");
    }
    if ((frame.flags & FLAG.END_HEADERS) !== 0) return finish(block);
    begun = block;
    return undefined;
  };

  return {
    get since() {
      return begun?.since;
    },
    take(frame) {
      if (begun !== undefined) {
        if (frame.type !== FRAME.CONTINUATION || frame.stream !== begun.stream) {
          throw new ConnectionError(CODE.PROTOCOL_ERROR, "a head is not whole, and something else follows");
        }
        return add(begun, frame, frame.payload);
      }
      if (frame.type === FRAME.CONTINUATION) {
        throw new ConnectionError(CODE.PROTOCOL_ERROR, "a CONTINUATION of nothing");
      }
      if (frame.type !== FRAME.HEADERS) return undefined;
      const { stream, flags } = frame;
      const since = performance.now();
      const block: Begun = { stream, endStream: (flags & FLAG.END_STREAM) !== 0, since, parts: [], bytes: 0 };
      return add(block, frame, blockIn(frame));
    },
  };
}

/** Without padding, and without a priority, which is not looked at. */
function blockIn(frame: Frame): Buffer {
  const payload = unpadded(frame);
  if ((frame.flags & FLAG.PRIORITY) === 0) return payload;
  if (payload.length < 5) throw new ConnectionError(CODE.FRAME_SIZE_ERROR, "HEADERS without room for their priority");
  if ((payload.readUInt32BE(0) & 0x7fff_ffff) === frame.stream) {
    throw new ConnectionError(CODE.PROTOCOL_ERROR, "a stream that depends on itself");
  }
  return payload.subarray(5);
}
