/** HTTP/2 byte by byte. */
import { once } from "node:events";
import type { Socket } from "node:net";
import { createFrameReader, type Frame } from "../frame-reader.ts";
import { encodeFields, type Field } from "../hpack/index.ts";
import { FLAG, FRAME, PREFACE } from "../protocol.ts";

/** Any frame, right or wrong. */
export function frame(type: number, flags: number, stream: number, payload: Buffer | number = 0): Buffer {
  const bytes = typeof payload === "number" ? Buffer.alloc(payload) : payload;
  const head = Buffer.alloc(9);
  head.writeUIntBE(bytes.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, bytes]);
}

export const GET: readonly Field[] = [
  [":method", "GET"],
  [":scheme", "https"],
  [":path", "/"],
  [":authority", "localhost"],
];
export const POST: readonly Field[] = [[":method", "POST"], ...GET.slice(1)];

export function headers(stream: number, fields: readonly Field[] = GET, flags: number = FLAG.END_STREAM): Buffer {
  return frame(FRAME.HEADERS, flags | FLAG.END_HEADERS, stream, encodeFields(fields));
}

export function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

export function setting(id: number, value: number): Buffer {
  const bytes = Buffer.alloc(6);
  bytes.writeUInt16BE(id);
  bytes.writeUInt32BE(value, 2);
  return frame(FRAME.SETTINGS, 0, 0, bytes);
}

/** How a client begins that has nothing special to say. */
export const HELLO = Buffer.concat([PREFACE, frame(FRAME.SETTINGS, 0, 0)]);

/** All frames that come until the connection is closed. Servers have no preface: that is put in for the reader. */
export async function framesUntilClosed(socket: Socket): Promise<Frame[]> {
  const frames: Frame[] = [];
  const read = createFrameReader(2 ** 24 - 1, (each) => frames.push(each));
  read(PREFACE);
  socket.on("data", read);
  await once(socket, "close");
  return frames;
}
