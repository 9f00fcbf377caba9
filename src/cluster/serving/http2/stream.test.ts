/** Answers that go on, to clients that read as they like. */
import { once } from "node:events";
import { constants } from "node:http2";
import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { headOf, sendWhole } from "./answer.ts";
import { FRAME, SETTING } from "./protocol.ts";
import type { ServerStream } from "./stream.ts";
import { frame, HELLO, headers, number, setting } from "./testing/frames.ts";
import { ask, serve } from "./testing/serve.ts";

const MEGABYTE = Buffer.alloc(2 ** 20, "x");

describe("answers that go on", () => {
  const streaming = () => {
    const begun = Promise.withResolvers<ServerStream>();
    const take = async (stream: ServerStream): Promise<void> => {
      stream.begin(200, headOf(200, {}));
      begun.resolve(stream);
    };
    return { take, begun: begun.promise };
  };

  test("what is written arrives, and the end is a whole one", async () => {
    const { take, begun } = streaming();
    await using served = await serve({ take });
    const { send } = await served.client();
    const answer = send("/");
    const stream = await begun;
    expect(stream.write(Buffer.from("one\n"))).toBe(true);
    expect(stream.write(Buffer.from("two\n"))).toBe(true);
    stream.end();
    stream.end();
    expect(stream.write(Buffer.from("three\n"))).toBe(false);
    expect((await answer).body.toString()).toBe("one\ntwo\n");
  });

  test("a reader that keeps up gets far more than may wait", async () => {
    const { take, begun } = streaming();
    await using served = await serve({ take });
    const { send } = await served.client();
    const answer = send("/");
    const stream = await begun;
    for (let count = 0; count < 32; count++) {
      expect(stream.write(MEGABYTE)).toBe(true);
      await stream.drained();
    }
    stream.end();
    expect((await answer).body).toHaveLength(32 * 2 ** 20);
    expect(served.slow()).toBe(0);
  });

  test("a reader that does not read is cut once more waits than may; others on its connection are not", async () => {
    const streams = new Map<string, ServerStream>();
    await using served = await serve({
      take: async (stream) => {
        stream.begin(200, headOf(200, {}));
        streams.set(stream.head.url, stream);
      },
    });
    const { session } = await served.client();
    const slow = ask(session, "/slow").on("error", () => {});
    const other = ask(session, "/other");
    await Promise.all([once(slow, "response"), once(other, "response")]);
    const gone = Promise.withResolvers<void>();
    streams.get("/slow")?.onGone(gone.resolve);
    let written = 0;
    while (streams.get("/slow")?.write(MEGABYTE) === true) written++;
    await gone.promise;
    expect(written).toBeLessThan(10);
    expect(served.slow()).toBe(1);
    await once(slow.resume(), "close");
    expect(slow.rstCode).toBe(constants.NGHTTP2_CANCEL);
    streams.get("/other")?.end(Buffer.from("still here"));
    const [text] = (await once(other, "data")) as [Buffer];
    expect(text.toString()).toBe("still here");
  });

  test("a reader that leaves a little unread is cut in the end", async () => {
    const { take, begun } = streaming();
    await using served = await serve({ take, stalledMs: 1000 });
    const { session } = await served.client();
    const reader = ask(session, "/").on("error", () => {});
    const stream = await begun;
    // More than its window has room for.
    stream.write(MEGABYTE);
    served.connections[0]?.check(performance.now() + 900);
    expect(stream.isGone).toBe(false);
    served.connections[0]?.check(performance.now() + 1100);
    expect({ gone: stream.isGone, slow: served.slow() }).toEqual({ gone: true, slow: 1 });
    reader.destroy();
  });

  test("one that lets a byte through now and then is cut as well, and one that reads slowly is not", async () => {
    const streams: ServerStream[] = [];
    await using served = await serve({
      stalledMs: 1000,
      take: async (stream) => {
        streams.push(stream);
        sendWhole(stream, 200, MEGABYTE);
      },
    });
    const socket = await served.open();
    const grow = (stream: number, bytes: number) => frame(FRAME.WINDOW_UPDATE, 0, stream, number(bytes));
    socket.resume().write(Buffer.concat([HELLO, grow(0, 2 ** 30), headers(1), headers(3)]));
    await expect.poll(() => streams.map(({ window }) => window)).toEqual([0, 0]);
    const left = MEGABYTE.length - 65_535;
    await setTimeout(1100);
    socket.write(Buffer.concat([grow(1, 1), grow(3, 2 ** 14)]));
    await expect.poll(() => streams.map(({ queuedBytes }) => left - queuedBytes)).toEqual([1, 2 ** 14]);
    served.connections[0]?.check(performance.now());
    expect(streams.map(({ isGone }) => isGone)).toEqual([true, false]);
    expect(served.slow()).toBe(1);
    socket.destroy();
  });

  test("a connection that takes nothing of a long answer is cut in the end", async () => {
    await using served = await serve({
      stalledMs: 1000,
      take: async (stream) =>
        sendWhole(
          stream,
          200,
          Array.from({ length: 1000 }, () => "x".repeat(100_000)),
        ),
    });
    const socket = await served.open();
    socket.pause();
    const windows = Buffer.concat([
      setting(SETTING.INITIAL_WINDOW_SIZE, 2 ** 30),
      frame(FRAME.WINDOW_UPDATE, 0, 0, number(2 ** 30)),
    ]);
    socket.write(Buffer.concat([HELLO, windows, headers(1)]));
    await expect.poll(() => served.connections.length).toBe(1);
    const late = setInterval(() => served.connections[0]?.check(performance.now() + 1100), 10);
    await expect.poll(() => served.slow()).toBe(1);
    clearInterval(late);
    await once(socket.resume(), "close");
  });

  test("a client that goes is noticed, whether it cancels or is cut off", async () => {
    for (const leave of ["cancel", "destroy"]) {
      const { take, begun } = streaming();
      await using served = await serve({ take });
      const { session } = await served.client();
      const reader = ask(session, "/").on("error", () => {});
      const stream = await begun;
      const gone = new Promise<void>((resolve) => stream.onGone(resolve));
      if (leave === "cancel") reader.close(constants.NGHTTP2_CANCEL);
      else session.destroy();
      await gone;
      expect(stream.write(MEGABYTE)).toBe(false);
      await stream.drained();
    }
  });

  test("one event for a thousand streams arrives at each", async () => {
    const streams: ServerStream[] = [];
    await using served = await serve({
      take: async (stream) => {
        stream.begin(200, headOf(200, {}));
        streams.push(stream);
      },
    });
    const { session } = await served.client();
    session.setMaxListeners(0);
    const readers = Array.from({ length: 1000 }, () => ask(session, "/"));
    await Promise.all(readers.map((reader) => once(reader, "response")));
    const event = Buffer.from(`{"type":"MODIFIED","object":${JSON.stringify("x".repeat(1000))}}\n`);
    for (const stream of streams) stream.end(event);
    const bodies = await Promise.all(readers.map(async (reader) => Buffer.concat(await reader.toArray())));
    expect(bodies.every((body) => body.equals(event))).toBe(true);
  });
});
