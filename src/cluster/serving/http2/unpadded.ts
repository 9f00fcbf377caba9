/** What a frame carries, without the padding around it. */
import type { Frame } from "./frame-reader.ts";
import { CODE, ConnectionError, FLAG } from "./protocol.ts";

export function unpadded({ flags, payload }: Frame): Buffer {
  if ((flags & FLAG.PADDED) === 0) return payload;
  if (payload.length === 0) throw new ConnectionError(CODE.FRAME_SIZE_ERROR, "a padded frame without its padding");
  const padding = payload.readUInt8(0);
  if (padding >= payload.length) throw new ConnectionError(CODE.PROTOCOL_ERROR, "more padding than there is frame");
  return payload.subarray(1, payload.length - padding);
}
