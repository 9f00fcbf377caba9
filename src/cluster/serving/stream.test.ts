import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { createStream, type ResponseStream, type StreamOptions } from "./stream.ts";
import { everything, type Served, serve } from "./testing/serve.ts";

interface Streaming extends AsyncDisposable {
  readonly served: Served;
  /** Resolves with the first stream, when a client has asked for it. */
  readonly begun: Promise<{ stream: ResponseStream; response: ServerResponse }>;
  readonly slow: () => number;
}

async function streaming(options: StreamOptions = {}): Promise<Streaming> {
  const begun = Promise.withResolvers<{ stream: ResponseStream; response: ServerResponse }>();
  let slow = 0;
  const served = await serve({
    handle: (_, response) => {
      response.writeHead(200).flushHeaders();
      begun.resolve({ stream: createStream(response, { ...options, onSlowReader: () => void slow++ }), response });
    },
  });
  return { served, begun: begun.promise, slow: () => slow, [Symbol.asyncDispose]: () => served[Symbol.asyncDispose]() };
}

const GET = "GET /?watch=1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
const MEGABYTE = "x".repeat(2 ** 20);

test("what is written arrives, and the end is a whole one", async () => {
  await using watch = await streaming();
  const answer = watch.served.send("/?watch=1");
  const { stream } = await watch.begun;
  expect(stream.write("one\n")).toBe(true);
  expect(stream.write(Buffer.from("two\n"))).toBe(true);
  stream.end();
  stream.end();
  expect(stream.write("three\n")).toBe(false);
  expect((await answer).body.toString()).toBe("one\ntwo\n");
});

test("a reader that keeps up gets far more than may wait", async () => {
  await using watch = await streaming({ maxBufferedBytes: 3 * 2 ** 20 });
  const answer = watch.served.send("/?watch=1");
  const { stream } = await watch.begun;
  for (let count = 0; count < 32; count++) {
    expect(stream.write(MEGABYTE)).toBe(true);
    await stream.drained();
  }
  stream.end();
  expect((await answer).body).toHaveLength(32 * 2 ** 20);
  expect(watch.slow()).toBe(0);
});

test("a reader that does not read is cut once more waits than may, and counted", async () => {
  await using watch = await streaming({ maxBufferedBytes: 4 * 2 ** 20 });
  const socket = await watch.served.open();
  socket.pause();
  socket.write(GET);
  const { stream, response } = await watch.begun;
  let written = 0;
  while (stream.write(MEGABYTE)) {
    written++;
    expect(response.writableLength).toBeLessThanOrEqual(4 * 2 ** 20);
    // The system takes what it likes; then nothing more.
    expect(written).toBeLessThan(100);
  }
  await stream.drained();
  expect(response.destroyed).toBe(true);
  expect(stream.write("more")).toBe(false);
  expect(watch.slow()).toBe(1);
  expect((await everything(socket)).length).toBeLessThan((written + 1) * 2 ** 20);
});

test("one that takes nothing of what waits is cut after a while", async () => {
  await using watch = await streaming({ stalledMs: 50 });
  const socket = await watch.served.open();
  socket.pause();
  socket.write(GET);
  const { stream, response } = await watch.begun;
  const closed = once(response, "close");
  for (let count = 0; count < 7; count++) stream.write(MEGABYTE);
  await closed;
  await stream.drained();
  expect(watch.slow()).toBe(1);
  socket.destroy();
});

test("one that talks instead of reading is cut, too, and heard again once it has read", async () => {
  await using watch = await streaming({ stalledMs: 200 });
  const socket = await watch.served.open();
  socket.on("error", () => {}).pause();
  socket.write(GET);
  const talking = setInterval(() => socket.write("\r\n"), 10);
  const { stream, response } = await watch.begun;
  stream.write(MEGABYTE);
  socket.resume();
  await stream.drained();
  expect(response.socket?.isPaused()).toBe(false);
  socket.pause();
  const closed = once(response, "close");
  for (let count = 0; count < 7; count++) stream.write(MEGABYTE);
  await closed;
  clearInterval(talking);
  expect(watch.slow()).toBe(1);
  socket.destroy();
});

test("one that talks from the first moment on is cut, when it was answered in that very moment", async () => {
  const begun = Promise.withResolvers<ServerResponse>();
  await using served = await serve({
    handle: (_, response) => {
      const stream = createStream(response, { stalledMs: 200 });
      for (let count = 0; count < 7; count++) stream.write(MEGABYTE);
      begun.resolve(response);
    },
  });
  const socket = await served.open();
  socket.on("error", () => {}).pause();
  socket.write(GET);
  const talking = setInterval(() => socket.write("\r\n"), 10);
  await once(await begun.promise, "close");
  clearInterval(talking);
  socket.destroy();
});

test("one that is told nothing for long is left alone", async () => {
  await using watch = await streaming({ stalledMs: 20 });
  const answer = watch.served.send("/?watch=1");
  const { stream, response } = await watch.begun;
  stream.write(MEGABYTE);
  await stream.drained();
  expect(response.socket?.timeout).toBe(0);
  stream.end();
  expect((await answer).body).toHaveLength(2 ** 20);
});

test("a client that goes ends the stream", async () => {
  await using watch = await streaming();
  const socket = await watch.served.open();
  socket.write(GET);
  const { stream, response } = await watch.begun;
  const closed = once(response, "close");
  socket.destroy();
  await closed;
  expect(stream.write("more")).toBe(false);
  await stream.drained();
  expect(watch.slow()).toBe(0);
});
