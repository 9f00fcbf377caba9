/**
 * Pieces on their way to a socket, one after the other. Given several at once, a socket of Node's joins them in a copy, encrypts all of it, and
 * only then sends the first of it: whoever reads could have begun long ago.
 */
import type { Duplex } from "node:stream";

/** Bytes that were gathered: so many of the buffer. */
export interface Piece {
  readonly buffer: Buffer;
  readonly length: number;
}

export interface Outbox {
  /** What was put in and has not left for the system. */
  readonly bytes: number;
  /** A piece is on its way; the next has to wait. */
  readonly isBusy: boolean;
  put(piece: Piece): void;
  /** Hands everything over at once, and says goodbye. */
  end(): void;
}

export interface OutboxOptions {
  /** A piece has left, and nothing else waits. */
  readonly onEmpty: () => void;
  /** Nobody looks at this piece any more. */
  readonly onLeft: (piece: Piece) => void;
}

export function createOutbox(socket: Duplex, { onEmpty, onLeft }: OutboxOptions): Outbox {
  const waiting: Piece[] = [];
  let bytes = 0;
  let isBusy = false;

  const send = (piece: Piece): void => {
    isBusy = true;
    socket.write(piece.buffer.subarray(0, piece.length), () => left(piece));
  };
  const left = (piece: Piece): void => {
    onLeft(piece);
    bytes -= piece.length;
    const next = waiting.shift();
    if (next !== undefined && isOpen()) return send(next);
    isBusy = false;
    onEmpty();
  };
  const isOpen = (): boolean => !socket.destroyed && socket.writable;

  return {
    get bytes() {
      return bytes;
    },
    get isBusy() {
      return isBusy;
    },
    put(piece) {
      // There is nobody any more.
      if (!isOpen()) return;
      bytes += piece.length;
      if (isBusy) waiting.push(piece);
      else send(piece);
    },
    end() {
      for (const piece of waiting.splice(0)) if (isOpen()) send(piece);
      socket.end();
    },
  };
}
