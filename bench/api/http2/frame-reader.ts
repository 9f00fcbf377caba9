/** Frames, straight off the pieces that a socket gives. A piece is there for the length of a call, and so is what a listener gets. */
import { DATA, END_STREAM, FRAME_HEAD, PADDED } from "./frames.ts";

export interface FrameListener {
  /** What has come of a DATA frame, without waiting for the rest of it. `last` is the end of the stream. */
  onData(stream: number, piece: Buffer, last: boolean): void;
  /** Any other frame, whole. */
  onFrame(type: number, flags: number, stream: number, payload: Buffer): void;
}

const NOTHING = Buffer.alloc(0);

export class FrameReader {
  readonly #listener: FrameListener;
  /** The beginning of a frame whose end has not come. */
  #rest: Buffer = NOTHING;
  /** The DATA frame that is being read: what is still to come of it. */
  #left = 0;
  #stream = 0;
  #ends = false;

  constructor(listener: FrameListener) {
    this.#listener = listener;
  }

  read(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let at = 0;
    for (;;) {
      const taken = this.#left > 0 ? this.#readData(bytes, at) : this.#readFrame(bytes, at);
      if (taken === 0) break;
      at += taken;
    }
    this.#rest = at === bytes.length ? NOTHING : Buffer.from(bytes.subarray(at));
  }

  /** How many bytes it took: none, when there is not enough. */
  #readData(bytes: Buffer, at: number): number {
    const taken = Math.min(this.#left, bytes.length - at);
    if (taken === 0) return 0;
    this.#left -= taken;
    this.#listener.onData(this.#stream, bytes.subarray(at, at + taken), this.#ends && this.#left === 0);
    return taken;
  }

  #readFrame(bytes: Buffer, at: number): number {
    if (bytes.length - at < FRAME_HEAD) return 0;
    const length = bytes.readUIntBE(at, 3);
    const type = bytes[at + 3] ?? 0;
    const flags = bytes[at + 4] ?? 0;
    const stream = bytes.readUInt32BE(at + 5) & 0x7fff_ffff;
    if (type === DATA) {
      // None of the servers that are measured does.
      if ((flags & PADDED) !== 0) throw new Error("the server pads its DATA frames, which this client does not read");
      this.#left = length;
      this.#stream = stream;
      this.#ends = (flags & END_STREAM) !== 0;
      if (length === 0) this.#listener.onData(stream, NOTHING, this.#ends);
      return FRAME_HEAD;
    }
    const end = at + FRAME_HEAD + length;
    if (end > bytes.length) return 0;
    this.#listener.onFrame(type, flags, stream, bytes.subarray(at + FRAME_HEAD, end));
    return end - at;
  }
}
