/**
 * What a connection sends, gathered: the frames of one turn of the event loop, of however many streams, go out together. An event that a
 * thousand streams wait for takes a few writes.
 */
import type { Duplex } from "node:stream";
import { createOutbox } from "./outbox.ts";
import { FRAME, FRAME_HEAD_BYTES } from "./protocol.ts";

/** More is not gathered: whoever reads can begin with that much. */
const FULL_BYTES = 64 * 2 ** 10;
const FIRST_BYTES = 2048;
/** Large pieces are used again: what is sent at length would otherwise be as much garbage. */
const spare: Buffer[] = [];
const MAX_SPARE = 16;
/** With more on its way than this, bodies wait. */
const MAX_UNSENT_BYTES = 2 ** 20;
const NOTHING: Buffer = Buffer.alloc(0);

export interface Output {
  /** Nobody takes what is sent, at the moment; bodies should wait. What keeps the connection itself in order need not. */
  readonly isBlocked: boolean;
  /** Since when the client has not taken all that was sent; undefined when it has, or little is left. */
  readonly unsentSince: number | undefined;
  frame(type: number, flags: number, stream: number, payload?: Buffer): void;
  reset(stream: number, code: number): void;
  windowUpdate(stream: number, bytes: number): void;
  settings(values: readonly (readonly [id: number, value: number])[]): void;
  goAway(lastStream: number, code: number, reason: string): void;
  /** Resolves when what was written has left for the system, or never will; undefined when little is left. For who has much to write. */
  sent(): Promise<void> | undefined;
  /** Sends what was gathered, and says goodbye. */
  end(): void;
}

/** `onRoom`: called when nothing is blocked any more. */
export function createOutput(socket: Duplex, onRoom: () => void): Output {
  let gathered: Buffer = NOTHING;
  let used = 0;
  /** Of a piece, to begin with: a turn that has filled one may fill another. */
  let least = FIRST_BYTES;
  let scheduled = false;
  let isBlocked = false;
  let unsentSince: number | undefined;
  let leaving: PromiseWithResolvers<void> | undefined;

  const outbox = createOutbox(socket, {
    onLeft: ({ buffer }) => keep(buffer),
    onEmpty: () => {
      if (used > 0) handOver();
      else allLeft();
    },
  });
  const allLeft = (): void => {
    unsentSince = undefined;
    left();
    if (!isBlocked) return;
    isBlocked = false;
    onRoom();
  };
  const handOver = (): void => {
    if (used === 0) return;
    outbox.put({ buffer: gathered, length: used });
    gathered = NOTHING;
    used = 0;
    if (outbox.bytes >= FULL_BYTES) unsentSince ??= performance.now();
    isBlocked = outbox.bytes >= MAX_UNSENT_BYTES;
  };
  const atEndOfTurn = (): void => {
    scheduled = false;
    least = FIRST_BYTES;
    // What is on its way has not left: there is time to gather more.
    if (!outbox.isBusy) handOver();
  };
  const left = (): void => {
    leaving?.resolve();
    leaving = undefined;
  };
  socket.on("close", left);

  /** Where the next so many bytes go. */
  const room = (bytes: number): number => {
    if (used + bytes > FULL_BYTES) {
      handOver();
      least = FULL_BYTES;
    }
    if (used + bytes > gathered.length) {
      const larger = bufferFor(Math.max(least, 2 * gathered.length, used + bytes));
      gathered.copy(larger, 0, 0, used);
      gathered = larger;
    }
    if (!scheduled) {
      scheduled = true;
      // When everything that this turn has to say is said: ticks come after all promises.
      process.nextTick(atEndOfTurn);
    }
    const at = used;
    used += bytes;
    return at;
  };

  const head = (length: number, type: number, flags: number, stream: number): number => {
    const at = room(FRAME_HEAD_BYTES + length);
    gathered[at] = length >>> 16;
    gathered[at + 1] = length >>> 8;
    gathered[at + 2] = length;
    gathered[at + 3] = type;
    gathered[at + 4] = flags;
    gathered.writeUInt32BE(stream, at + 5);
    return at + FRAME_HEAD_BYTES;
  };

  return {
    get isBlocked() {
      return isBlocked;
    },
    get unsentSince() {
      return unsentSince;
    },
    frame(type, flags, stream, payload = NOTHING) {
      const at = head(payload.length, type, flags, stream);
      gathered.set(payload, at);
    },
    reset(stream, code) {
      const at = head(4, FRAME.RST_STREAM, 0, stream);
      gathered.writeUInt32BE(code, at);
    },
    windowUpdate(stream, bytes) {
      const at = head(4, FRAME.WINDOW_UPDATE, 0, stream);
      gathered.writeUInt32BE(bytes, at);
    },
    settings(values) {
      let at = head(6 * values.length, FRAME.SETTINGS, 0, 0);
      for (const [id, value] of values) {
        gathered.writeUInt16BE(id, at);
        gathered.writeUInt32BE(value, at + 2);
        at += 6;
      }
    },
    goAway(lastStream, code, reason) {
      const text = Buffer.from(reason);
      const at = head(8 + text.length, FRAME.GOAWAY, 0, 0);
      gathered.writeUInt32BE(lastStream, at);
      gathered.writeUInt32BE(code, at + 4);
      text.copy(gathered, at + 8);
    },
    sent() {
      if (!outbox.isBusy) handOver();
      if (used + outbox.bytes < FULL_BYTES || socket.destroyed) return undefined;
      unsentSince ??= performance.now();
      leaving ??= Promise.withResolvers();
      return leaving.promise;
    },
    end() {
      handOver();
      outbox.end();
    },
  };
}

function bufferFor(bytes: number): Buffer {
  if (bytes <= FULL_BYTES / 4) return Buffer.allocUnsafe(bytes);
  return bytes > FULL_BYTES ? Buffer.allocUnsafe(bytes) : (spare.pop() ?? Buffer.allocUnsafe(FULL_BYTES));
}

function keep(buffer: Buffer): void {
  if (buffer.length === FULL_BYTES && spare.length < MAX_SPARE) spare.push(buffer);
}
