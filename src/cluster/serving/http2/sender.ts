/** The sending half of a connection: whose turn it is, and how much each stream and all of them together may send. */
import { MAX_BUFFERED_BYTES } from "../limits.ts";
import type { Output } from "./output.ts";
import type { PeerSettings } from "./peer-settings.ts";
import { CODE, ConnectionError, DEFAULT_WINDOW, FLAG, FRAME, MAX_WINDOW } from "./protocol.ts";
import type { ServerStream } from "./stream.ts";

export interface SenderOptions {
  readonly output: Output;
  readonly peer: PeerSettings;
  /** The last of an answer is on its way. */
  readonly onSentAll: (stream: ServerStream) => void;
  /** A stream was cut because its client does not read. */
  readonly onSlowReader: () => void;
  /** The whole connection is to be cut: its client reads nothing at all. */
  readonly cutAll: () => void;
}

export interface Sender {
  /** The head of an answer, which is all of it when it is `whole`. */
  sendHead(stream: number, block: Buffer, whole: boolean): void;
  /** Sends this much of a body, if all of it may be sent at once. */
  sendNow(stream: ServerStream, bytes: Buffer): boolean;
  /** What the stream has to send, as far as it may be sent now; the rest when it may. */
  sendBody(stream: ServerStream): void;
  /** So many bytes more wait to be sent; or less. */
  queued(bytes: number): void;
  /** The client takes so much more on the connection. Throws `ConnectionError` when that is more than there can be. */
  grow(bytes: number): void;
  /** There may be room for a stream again. */
  resume(stream: ServerStream): void;
  /** There may be room for all. */
  resumeAll(): void;
  /** Nothing more is to be sent of it. */
  forget(stream: ServerStream): void;
  /** Cuts those that could send next to nothing since then. */
  cutStalled(since: number): void;
}

/** Longer ones would only keep others waiting. */
const MAX_FRAME_BYTES = 32 * 2 ** 10;

/** All that waits for a client that does not read. */
const MAX_WAITING_BYTES = 8 * MAX_BUFFERED_BYTES;

/** Who takes less in the time that it has does not read: a byte now and then would keep an answer in memory for years. */
const SIGN_OF_LIFE_BYTES = 16 * 2 ** 10;

/** What goes before a packed head to say that no table is used. */
const NO_TABLE = Buffer.from([0x20]);

export function createSender({ output, peer, onSentAll, onSlowReader, cutAll }: SenderOptions): Sender {
  /** Those that have something to send, and may not; who waits longest is first. */
  const waiting = new Set<ServerStream>();
  let window = DEFAULT_WINDOW;
  let waitingBytes = 0;

  const allowedFor = (stream: ServerStream): number =>
    Math.min(stream.window, window, peer.frameBytes, MAX_FRAME_BYTES);

  function sendBody(stream: ServerStream): void {
    while (stream.queuedBytes > 0) {
      const allowed = allowedFor(stream);
      if (allowed <= 0 || output.isBlocked) {
        wait(stream);
        return;
      }
      const part = stream.take(allowed);
      stream.window -= part.length;
      window -= part.length;
      const isLast = stream.isEnding && stream.queuedBytes === 0;
      output.frame(FRAME.DATA, isLast ? FLAG.END_STREAM : 0, stream.id, part);
      if (isLast) {
        onSentAll(stream);
        return;
      }
    }
    waiting.delete(stream);
    if (!stream.isEnding) return;
    output.frame(FRAME.DATA, FLAG.END_STREAM, stream.id);
    onSentAll(stream);
  }

  function wait(stream: ServerStream): void {
    // Behind all others, so that each gets its turn.
    if (!waiting.delete(stream)) noteProgress(stream);
    waiting.add(stream);
    // An answer that is all there grows no more: a long one is not one that nobody reads. It alone may be longer than all others together.
    if (stream.queuedBytes > MAX_BUFFERED_BYTES && !stream.isEnding) cutSlowReader(stream);
    else if (waitingBytes - stream.queuedBytes > MAX_WAITING_BYTES) cutAll();
  }

  function cutSlowReader(stream: ServerStream): void {
    onSlowReader();
    stream.cut(CODE.CANCEL);
  }

  function resume(stream: ServerStream): void {
    if (stream.window <= 0 || !waiting.has(stream)) return;
    const before = stream.queuedBytes;
    sendBody(stream);
    stream.progressBytes += before - stream.queuedBytes;
    if (stream.progressBytes >= SIGN_OF_LIFE_BYTES) noteProgress(stream);
  }

  function noteProgress(stream: ServerStream): void {
    stream.progressAt = performance.now();
    stream.progressBytes = 0;
  }

  function resumeAll(): void {
    for (const stream of waiting) {
      if (output.isBlocked || window <= 0) return;
      resume(stream);
    }
  }

  return {
    sendHead(stream, block, whole) {
      let rest = peer.mentionsTable ? Buffer.concat([NO_TABLE, block]) : block;
      peer.mentionsTable = false;
      let type: number = FRAME.HEADERS;
      let flags: number = whole ? FLAG.END_STREAM : 0;
      while (rest.length > peer.frameBytes) {
        output.frame(type, flags, stream, rest.subarray(0, peer.frameBytes));
        rest = rest.subarray(peer.frameBytes);
        type = FRAME.CONTINUATION;
        flags = 0;
      }
      output.frame(type, flags | FLAG.END_HEADERS, stream, rest);
    },
    sendNow(stream, bytes) {
      if (bytes.length > allowedFor(stream) || output.isBlocked) return false;
      stream.window -= bytes.length;
      window -= bytes.length;
      output.frame(FRAME.DATA, 0, stream.id, bytes);
      return true;
    },
    sendBody,
    queued(bytes) {
      waitingBytes += bytes;
    },
    grow(bytes) {
      window += bytes;
      if (window > MAX_WINDOW) throw new ConnectionError(CODE.FLOW_CONTROL_ERROR, "a window too large");
      resumeAll();
    },
    resume,
    resumeAll,
    forget: (stream) => void waiting.delete(stream),
    cutStalled(since) {
      for (const stream of waiting) if (stream.progressAt < since) cutSlowReader(stream);
    },
  };
}
