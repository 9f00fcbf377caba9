/** Frames out of the bytes of a connection, however these are cut. */
import { CODE, ConnectionError, FRAME_HEAD_BYTES, PREFACE } from "./protocol.ts";

export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  /** A part of what was read: to be copied by who keeps it for long. */
  readonly payload: Buffer;
}

/**
 * Takes the client's preface off, and hands on one frame after the other. What it is given next is read after that. Throws `ConnectionError`
 * for another preface, and for a frame with more than `maxPayload` bytes, before these are there.
 */
export function createFrameReader(maxPayload: number, onFrame: (frame: Frame) => void): (chunk: Buffer) => void {
  let rest: Buffer | undefined;
  let greeted = false;

  return (chunk) => {
    const bytes = rest === undefined ? chunk : Buffer.concat([rest, chunk]);
    rest = undefined;
    let at = 0;
    if (!greeted) {
      const length = Math.min(bytes.length, PREFACE.length);
      if (bytes.compare(PREFACE, 0, length, 0, length) !== 0) {
        throw new ConnectionError(CODE.PROTOCOL_ERROR, "this is no HTTP/2");
      }
      if (length < PREFACE.length) {
        rest = bytes;
        return;
      }
      greeted = true;
      at = PREFACE.length;
    }
    while (bytes.length - at >= FRAME_HEAD_BYTES) {
      const length = bytes.readUIntBE(at, 3);
      if (length > maxPayload) throw new ConnectionError(CODE.FRAME_SIZE_ERROR, `a frame of ${length} bytes`);
      const payloadAt = at + FRAME_HEAD_BYTES;
      if (bytes.length - payloadAt < length) break;
      const stream = bytes.readUInt32BE(at + 5) & 0x7fff_ffff;
      const type = bytes.readUInt8(at + 3);
      const flags = bytes.readUInt8(at + 4);
      at = payloadAt + length;
      onFrame({ type, flags, stream, payload: bytes.subarray(payloadAt, at) });
    }
    if (at < bytes.length) rest = bytes.subarray(at);
  };
}
