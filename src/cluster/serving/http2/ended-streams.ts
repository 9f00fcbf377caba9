/** Streams that we ended while their client was still sending: what comes of them yet, and when they are told to stop. */
import type { Output } from "./output.ts";
import { CODE } from "./protocol.ts";

export interface EndedStreams {
  /** It was cut: what comes of it yet is nobody's fault. */
  cut(stream: number): void;
  /** The answer was sent before the request was whole; the client may finish what it is sending. */
  answered(stream: number, now: number): void;
  /** The client has sent all of it, or wants no more itself. */
  heardAll(stream: number): void;
  /** Whether something of it may come yet. */
  has(stream: number): boolean;
  /** Tells those who go on sending that nobody reads it. To be called now and then. */
  check(now: number): void;
}

/** Of so many; those before them are forgotten. */
const REMEMBERED = 1000;
/** How long a request may go on that is answered already. */
const ANSWERED_MS = 1000;

/**
 * That the rest of a request is of no use may be said at once (RFC 9113 8.1), but then curl before 8.7 takes the answer for none when its
 * body is still on the way. Most bodies are here in a moment, and there is nothing to say.
 */
export function createEndedStreams(output: Pick<Output, "reset">): EndedStreams {
  const ended = new Set<number>();
  /** Those answered, and when. */
  const sending = new Map<number, number>();

  const stop = (stream: number): void => {
    if (sending.delete(stream)) output.reset(stream, CODE.NO_ERROR);
  };
  const cut = (stream: number): void => {
    ended.add(stream);
    const [oldest] = ended;
    if (ended.size <= REMEMBERED || oldest === undefined) return;
    stop(oldest);
    ended.delete(oldest);
  };
  return {
    cut,
    answered(stream, now) {
      sending.set(stream, now);
      cut(stream);
    },
    heardAll: (stream) => void sending.delete(stream),
    has: (stream) => ended.has(stream),
    check(now) {
      for (const [stream, since] of sending) if (now - since > ANSWERED_MS) stop(stream);
    },
  };
}
