/** The frames of HTTP/2 that this client writes and reads: RFC 9113, section 6. */

export const DATA = 0x0;
export const HEADERS = 0x1;
export const RST_STREAM = 0x3;
export const SETTINGS = 0x4;
export const PING = 0x6;
export const GOAWAY = 0x7;
export const WINDOW_UPDATE = 0x8;
export const CONTINUATION = 0x9;

export const ACK = 0x1;
export const END_STREAM = 0x1;
export const END_HEADERS = 0x4;
export const PADDED = 0x8;
export const PRIORITY = 0x20;

export const HEADER_TABLE_SIZE = 0x1;
const ENABLE_PUSH = 0x2;
export const MAX_CONCURRENT_STREAMS = 0x3;
const INITIAL_WINDOW_SIZE = 0x4;

export const FRAME_HEAD = 9;
export const INITIAL_WINDOW = 65_535;

export function frameHead(length: number, type: number, flags: number, stream: number): Buffer {
  const head = Buffer.allocUnsafe(FRAME_HEAD);
  head.writeUIntBE(length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return head;
}

/** What a client says first: that it speaks HTTP/2, wants nothing that it did not ask for, and how much it takes at a time. */
export function preface(streamWindow: number, connectionWindow: number): Buffer {
  const settings = Buffer.alloc(12);
  settings.writeUInt16BE(ENABLE_PUSH, 0);
  settings.writeUInt16BE(INITIAL_WINDOW_SIZE, 6);
  settings.writeUInt32BE(streamWindow, 8);
  return Buffer.concat([
    Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    frameHead(settings.length, SETTINGS, 0, 0),
    settings,
    windowUpdate(0, connectionWindow - INITIAL_WINDOW),
  ]);
}

export function windowUpdate(stream: number, bytes: number): Buffer {
  const payload = Buffer.alloc(4);
  payload.writeUInt32BE(bytes);
  return Buffer.concat([frameHead(4, WINDOW_UPDATE, 0, stream), payload]);
}

/** Pairs of a setting and its value. */
export function* readSettings(payload: Buffer): Generator<[setting: number, value: number]> {
  for (let at = 0; at + 6 <= payload.length; at += 6) yield [payload.readUInt16BE(at), payload.readUInt32BE(at + 2)];
}
