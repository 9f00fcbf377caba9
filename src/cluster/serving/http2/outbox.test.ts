import { Duplex } from "node:stream";
import { expect, test } from "vitest";
import { createOutbox, type Piece } from "./outbox.ts";

/** A socket that takes what it is given when it is told to. */
function slowSocket() {
  const taken: string[] = [];
  let take = (): void => {};
  const socket = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      take = () => {
        taken.push(chunk.toString());
        done();
      };
    },
    writev(chunks, done) {
      take = () => {
        taken.push(chunks.map(({ chunk }) => String(chunk)).join(""));
        done();
      };
    },
  });
  socket.on("error", () => {});
  return { socket, taken, take: () => take() };
}

function outboxOf(socket: Duplex) {
  const left: Piece[] = [];
  let emptied = 0;
  const outbox = createOutbox(socket, { onLeft: (piece) => left.push(piece), onEmpty: () => emptied++ });
  return { outbox, left, emptied: () => emptied };
}

/** With room behind it, as gathered bytes have. */
const piece = (text: string): Piece => ({ buffer: Buffer.from(`${text}...`), length: text.length });

test("a piece waits until the one before it has left", async () => {
  const { socket, taken, take } = slowSocket();
  const { outbox, left, emptied } = outboxOf(socket);
  for (const text of ["one", "two", "three"]) outbox.put(piece(text));
  expect({ bytes: outbox.bytes, isBusy: outbox.isBusy }).toEqual({ bytes: 11, isBusy: true });
  take();
  await expect.poll(() => outbox.bytes).toBe(8);
  take();
  await expect.poll(() => outbox.bytes).toBe(5);
  expect({ taken, emptied: emptied() }).toEqual({ taken: ["one", "two"], emptied: 0 });
  take();
  await expect.poll(emptied).toBe(1);
  expect({ taken, bytes: outbox.bytes, isBusy: outbox.isBusy }).toEqual({
    taken: ["one", "two", "three"],
    bytes: 0,
    isBusy: false,
  });
  expect(left.map(({ length }) => length)).toEqual([3, 3, 5]);
});

test("at the end everything is handed over, and then the end", async () => {
  const { socket, taken, take } = slowSocket();
  const { outbox } = outboxOf(socket);
  for (const text of ["one", "two", "three"]) outbox.put(piece(text));
  outbox.end();
  expect(socket.writableEnded).toBe(true);
  take();
  await expect.poll(() => taken).toEqual(["one"]);
  take();
  await expect.poll(() => taken).toEqual(["one", "twothree"]);
  await expect.poll(() => socket.writableFinished).toBe(true);
});

test("nothing is sent to a socket that is gone", async () => {
  const { socket, taken, take } = slowSocket();
  const { outbox } = outboxOf(socket);
  for (const text of ["one", "two"]) outbox.put(piece(text));
  socket.destroy();
  outbox.put(piece("three"));
  expect(outbox.bytes).toBe(6);
  take();
  await expect.poll(() => outbox.isBusy).toBe(false);
  expect(taken).toEqual(["one"]);
});
