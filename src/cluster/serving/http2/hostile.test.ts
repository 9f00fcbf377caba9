/** Whatever is sent: the stream ends, or the connection, with the code that RFC 9113 has for it; and the next client is served. */
import { once } from "node:events";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sendWhole } from "./answer.ts";
import { readStreamBody } from "./body.ts";
import type { Frame } from "./frame-reader.ts";
import { encodeFields, type Field } from "./hpack/index.ts";
import { CODE, FLAG, FRAME, PREFACE, SETTING } from "./protocol.ts";
import type { ServerStream } from "./stream.ts";
import { frame, framesUntilClosed, GET, HELLO, headers, number, POST, setting } from "./testing/frames.ts";
import { type Served, type ServeOptions, serve } from "./testing/serve.ts";

/** Reads bodies, as a handler of writes does. */
const echo: ServeOptions = {
  take: async (stream) => {
    const body = await readStreamBody(stream).catch(() => "broken");
    if (!stream.isGone) sendWhole(stream, 200, body);
  },
};

const isFine = async (served: Served): Promise<void> => {
  const { send } = await served.client();
  expect(await send("/", {}, "x")).toMatchObject({ code: 200 });
};

const said = async (served: Served, ...parts: readonly Buffer[]): Promise<readonly Frame[]> => {
  const socket = await served.open();
  const frames = framesUntilClosed(socket);
  socket.write(Buffer.concat(parts));
  return frames;
};

const goAwayIn = (frames: readonly Frame[]): number | undefined =>
  frames.find(({ type }) => type === FRAME.GOAWAY)?.payload.readUInt32BE(4);

/** What is said, the code that it is answered with, and its bytes. */
type Case = readonly [what: string, code: number, ...parts: Buffer[]];
const byName = ([what, code, ...parts]: Case) => ({ what, code, parts });

/** A question that is answered when all before it was read. */
const PING = frame(FRAME.PING, 0, 0, 8);
const OPEN = headers(1, POST, 0);

describe("the end of the connection:", () => {
  const cases: readonly Case[] = [
    ["another protocol", CODE.PROTOCOL_ERROR, Buffer.from("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")],
    ["a preface that goes wrong at its end", CODE.PROTOCOL_ERROR, PREFACE.subarray(0, 20), Buffer.from("xxxx")],
    ["no SETTINGS first", CODE.PROTOCOL_ERROR, PREFACE, PING],
    ["an acknowledgement of SETTINGS first", CODE.PROTOCOL_ERROR, PREFACE, frame(FRAME.SETTINGS, FLAG.ACK, 0)],
    ["a frame that is too long", CODE.FRAME_SIZE_ERROR, HELLO, frame(FRAME.DATA, 0, 1, 16_385)],
    ["DATA of no stream", CODE.PROTOCOL_ERROR, HELLO, frame(FRAME.DATA, 0, 0, 1)],
    ["DATA on a stream that is not open", CODE.PROTOCOL_ERROR, HELLO, frame(FRAME.DATA, 0, 1, 1)],
    [
      "more padding than frame",
      CODE.PROTOCOL_ERROR,
      HELLO,
      OPEN,
      frame(FRAME.DATA, FLAG.PADDED, 1, Buffer.from([5, 1])),
    ],
    ["padding that is not there", CODE.FRAME_SIZE_ERROR, HELLO, OPEN, frame(FRAME.DATA, FLAG.PADDED, 1)],
    ["a stream of a server's", CODE.PROTOCOL_ERROR, HELLO, headers(2)],
    ["HEADERS of no stream", CODE.PROTOCOL_ERROR, HELLO, headers(0)],
    ["a head on a stream that is over", CODE.STREAM_CLOSED, HELLO, headers(3), headers(1)],
    ["HEADERS without room for their priority", CODE.FRAME_SIZE_ERROR, HELLO, frame(FRAME.HEADERS, 0x24, 1, 4)],
    [
      "a head that depends on itself",
      CODE.PROTOCOL_ERROR,
      HELLO,
      frame(FRAME.HEADERS, 0x24, 1, Buffer.from([0, 0, 0, 1, 0])),
    ],
    [
      "a head that cannot be unpacked",
      CODE.COMPRESSION_ERROR,
      HELLO,
      frame(FRAME.HEADERS, 0x5, 1, Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 0xff])),
    ],
    ["a CONTINUATION of nothing", CODE.PROTOCOL_ERROR, HELLO, frame(FRAME.CONTINUATION, 4, 1)],
    ["something in the middle of a head", CODE.PROTOCOL_ERROR, HELLO, frame(FRAME.HEADERS, 0, 1), PING],
    [
      "a head of another stream in the middle of one",
      CODE.PROTOCOL_ERROR,
      HELLO,
      frame(FRAME.HEADERS, 0, 1),
      frame(FRAME.CONTINUATION, 0, 3),
    ],
    [
      "CONTINUATION without end",
      CODE.ENHANCE_YOUR_CALM,
      HELLO,
      frame(FRAME.HEADERS, 0, 1),
      ...Array.from({ length: 1000 }, () => frame(FRAME.CONTINUATION, 0, 1)),
    ],
    [
      "a head without end",
      CODE.ENHANCE_YOUR_CALM,
      HELLO,
      frame(FRAME.HEADERS, 0, 1),
      frame(FRAME.CONTINUATION, 0, 1, 16_384),
      frame(FRAME.CONTINUATION, 0, 1, 16_384),
      frame(FRAME.CONTINUATION, 0, 1, 1),
    ],
    ["PRIORITY of no stream", CODE.PROTOCOL_ERROR, HELLO, frame(FRAME.PRIORITY, 0, 0, 5)],
    ["RST_STREAM of no stream", CODE.PROTOCOL_ERROR, HELLO, frame(FRAME.RST_STREAM, 0, 0, 4)],
    ["RST_STREAM of a stream that is not open", CODE.PROTOCOL_ERROR, HELLO, frame(FRAME.RST_STREAM, 0, 1, 4)],
    ["RST_STREAM of odd length", CODE.FRAME_SIZE_ERROR, HELLO, OPEN, frame(FRAME.RST_STREAM, 0, 1, 3)],
    ["SETTINGS on a stream", CODE.PROTOCOL_ERROR, HELLO, frame(FRAME.SETTINGS, 0, 1)],
    ["SETTINGS of odd length", CODE.FRAME_SIZE_ERROR, HELLO, frame(FRAME.SETTINGS, 0, 0, 3)],
    ["an acknowledgement that says something", CODE.FRAME_SIZE_ERROR, HELLO, frame(FRAME.SETTINGS, FLAG.ACK, 0, 6)],
    ["a window beyond all windows", CODE.FLOW_CONTROL_ERROR, HELLO, setting(SETTING.INITIAL_WINDOW_SIZE, 2 ** 31)],
    ["frames shorter than all frames", CODE.PROTOCOL_ERROR, HELLO, setting(SETTING.MAX_FRAME_SIZE, 16_383)],
    ["pushes twice over", CODE.PROTOCOL_ERROR, HELLO, setting(SETTING.ENABLE_PUSH, 2)],
    ["a push", CODE.PROTOCOL_ERROR, HELLO, frame(FRAME.PUSH_PROMISE, 4, 1, 4)],
    ["PING on a stream", CODE.PROTOCOL_ERROR, HELLO, frame(FRAME.PING, 0, 1, 8)],
    ["PING of odd length", CODE.FRAME_SIZE_ERROR, HELLO, frame(FRAME.PING, 0, 0, 7)],
    ["GOAWAY on a stream", CODE.PROTOCOL_ERROR, HELLO, frame(FRAME.GOAWAY, 0, 1, 8)],
    ["a window that grows by nothing", CODE.PROTOCOL_ERROR, HELLO, frame(FRAME.WINDOW_UPDATE, 0, 0, 4)],
    [
      "a window that grows too much",
      CODE.FLOW_CONTROL_ERROR,
      HELLO,
      frame(FRAME.WINDOW_UPDATE, 0, 0, number(2 ** 31 - 1)),
    ],
    [
      "the window of a stream that is not open",
      CODE.PROTOCOL_ERROR,
      HELLO,
      frame(FRAME.WINDOW_UPDATE, 0, 7, number(1)),
    ],
    [
      "a window that grows too much with all others",
      CODE.FLOW_CONTROL_ERROR,
      HELLO,
      OPEN,
      frame(FRAME.WINDOW_UPDATE, 0, 1, number(2 ** 31 - 1 - 65_535)),
      setting(SETTING.INITIAL_WINDOW_SIZE, 65_536),
    ],
    ["PINGs without end", CODE.ENHANCE_YOUR_CALM, HELLO, ...Array.from({ length: 10_001 }, () => PING)],
    [
      "SETTINGS without end",
      CODE.ENHANCE_YOUR_CALM,
      HELLO,
      ...Array.from({ length: 10_001 }, () => frame(FRAME.SETTINGS, 0, 0)),
    ],
    [
      "DATA of nothing without end",
      CODE.ENHANCE_YOUR_CALM,
      HELLO,
      OPEN,
      ...Array.from({ length: 10_001 }, () => frame(FRAME.DATA, 0, 1)),
    ],
    [
      "unknown frames without end",
      CODE.ENHANCE_YOUR_CALM,
      HELLO,
      ...Array.from({ length: 10_001 }, () => frame(0x42, 0, 0)),
    ],
  ];
  test.each(cases.map(byName))("$what", async ({ code, parts }) => {
    await using served = await serve(echo);
    expect(goAwayIn(await said(served, ...parts))).toBe(code);
    await isFine(served);
  });
});

describe("the end of the stream:", () => {
  const without = (name: string): readonly Field[] => POST.filter((field) => field[0] !== name);
  const cases: readonly Case[] = [
    ["no method", CODE.PROTOCOL_ERROR, headers(1, without(":method"))],
    ["no path", CODE.PROTOCOL_ERROR, headers(1, without(":path"))],
    ["no scheme", CODE.PROTOCOL_ERROR, headers(1, without(":scheme"))],
    ["an empty path", CODE.PROTOCOL_ERROR, headers(1, [...without(":path"), [":path", ""]])],
    ["two methods", CODE.PROTOCOL_ERROR, headers(1, [[":method", "GET"], ...POST])],
    ["a pseudo-field that there is not", CODE.PROTOCOL_ERROR, headers(1, [...GET, [":x", "y"]])],
    ["that of an answer", CODE.PROTOCOL_ERROR, headers(1, [...GET, [":status", "200"]])],
    ["a pseudo-field after others", CODE.PROTOCOL_ERROR, headers(1, [["x", "y"], ...GET])],
    ["a name in capitals", CODE.PROTOCOL_ERROR, headers(1, [...GET, ["X", "y"]])],
    ["an empty name", CODE.PROTOCOL_ERROR, headers(1, [...GET, ["", "y"]])],
    ["a line break in a value", CODE.PROTOCOL_ERROR, headers(1, [...GET, ["x", "a\r\nb: c"]])],
    ["a zero in a path", CODE.PROTOCOL_ERROR, headers(1, [...without(":path"), [":path", "/\0"]])],
    ["Connection", CODE.PROTOCOL_ERROR, headers(1, [...GET, ["connection", "close"]])],
    ["Transfer-Encoding", CODE.PROTOCOL_ERROR, headers(1, [...POST, ["transfer-encoding", "chunked"]])],
    ["TE with more than trailers", CODE.PROTOCOL_ERROR, headers(1, [...GET, ["te", "gzip"]])],
    ["two names of the server", CODE.PROTOCOL_ERROR, headers(1, [...GET, ["host", "example.com"]])],
    [
      "CONNECT",
      CODE.PROTOCOL_ERROR,
      headers(1, [
        [":method", "CONNECT"],
        [":authority", "example.com:443"],
      ]),
    ],
    ["a length that is none", CODE.PROTOCOL_ERROR, headers(1, [...POST, ["content-length", "-4"]], 0)],
    ["two lengths", CODE.PROTOCOL_ERROR, headers(1, [...POST, ["content-length", "4"], ["content-length", "5"]], 0)],
    ["a length without a body", CODE.PROTOCOL_ERROR, headers(1, [...POST, ["content-length", "4"]])],
    [
      "more than its length",
      CODE.PROTOCOL_ERROR,
      headers(1, [...POST, ["content-length", "4"]], 0),
      frame(FRAME.DATA, 0, 1, 5),
    ],
    [
      "less than its length",
      CODE.PROTOCOL_ERROR,
      headers(1, [...POST, ["content-length", "4"]], 0),
      frame(FRAME.DATA, FLAG.END_STREAM, 1, 3),
    ],
    ["a second head in place of trailers", CODE.PROTOCOL_ERROR, OPEN, headers(1, GET)],
    ["trailers that end nothing", CODE.PROTOCOL_ERROR, OPEN, headers(1, [["x", "y"]], 0)],
    ["PRIORITY of odd length", CODE.FRAME_SIZE_ERROR, frame(FRAME.PRIORITY, 0, 1, 4)],
    ["PRIORITY over itself", CODE.PROTOCOL_ERROR, frame(FRAME.PRIORITY, 0, 1, Buffer.from([0, 0, 0, 1, 0]))],
    ["a window that grows by nothing", CODE.PROTOCOL_ERROR, OPEN, frame(FRAME.WINDOW_UPDATE, 0, 1, 4)],
    [
      "a window that grows too much",
      CODE.FLOW_CONTROL_ERROR,
      OPEN,
      frame(FRAME.WINDOW_UPDATE, 0, 1, number(2 ** 31 - 1)),
    ],
    ["a body that goes on after its end", CODE.STREAM_CLOSED, headers(1, POST), frame(FRAME.DATA, 0, 1, 1)],
  ];
  test.each(cases.map(byName))("$what", async ({ code, parts }) => {
    await using served = await serve({ take: async (stream) => void (await readStreamBody(stream).catch(() => {})) });
    const frames = await said(served, HELLO, ...parts, frame(FRAME.GOAWAY, 0, 0, 8));
    const reset = frames.find(({ type, stream }) => type === FRAME.RST_STREAM && stream === 1);
    expect(reset?.payload.readUInt32BE(0)).toBe(code);
    expect(goAwayIn(frames)).toBe(CODE.NO_ERROR);
  });
});

test("requests that are taken back at once do not pile up", async () => {
  const open = new Set<ServerStream>();
  await using served = await serve({
    limits: { streams: 10 },
    take: (stream) => {
      open.add(stream);
      return new Promise(() => {});
    },
  });
  const rapid = Array.from({ length: 100 }, (_, index) => [
    headers(2 * index + 1),
    frame(FRAME.RST_STREAM, 0, 2 * index + 1, 4),
  ]);
  expect(goAwayIn(await said(served, HELLO, ...rapid.flat()))).toBe(CODE.ENHANCE_YOUR_CALM);
  // Those that would have been begun in a later turn were gone by then.
  expect(open.size).toBe(16);
});

test("more streams than there may be are refused, and no other is harmed", async () => {
  await using served = await serve({ limits: { streams: 2 }, take: () => new Promise(() => {}) });
  const socket = await served.open();
  const frames = framesUntilClosed(socket);
  socket.write(
    Buffer.concat([HELLO, headers(1), headers(3), headers(5), frame(FRAME.DATA, FLAG.END_STREAM, 5, 3), PING]),
  );
  await expect.poll(() => served.connections.length).toBe(1);
  await once(socket, "data");
  socket.end();
  const resets = (await frames).filter(({ type }) => type === FRAME.RST_STREAM);
  expect(resets.map(({ stream, payload }) => [stream, payload.readUInt32BE(0)])).toEqual([[5, CODE.REFUSED_STREAM]]);
});

describe("who takes too long is closed:", () => {
  test.each([
    ["saying nothing", Buffer.alloc(0)],
    ["half a preface", PREFACE.subarray(0, 10)],
    ["no SETTINGS", PREFACE],
    ["half a head", Buffer.concat([HELLO, frame(FRAME.HEADERS, 0, 1)])],
  ])("%s", async (_, bytes) => {
    await using served = await serve();
    const socket = await served.open();
    const frames = framesUntilClosed(socket);
    socket.write(bytes);
    await expect.poll(() => served.connections.length).toBe(1);
    // When what was sent is read is for the system to say; who is late is late however much of it there is.
    const late = setInterval(() => served.connections[0]?.check(performance.now() + 10_001), 10);
    expect(goAwayIn(await frames)).toBe(CODE.ENHANCE_YOUR_CALM);
    clearInterval(late);
  });
});

test("a connection with anything done to its bytes is answered or closed", async () => {
  await using served = await serve(echo);
  const talk = Buffer.concat([
    HELLO,
    headers(1, POST, 0),
    frame(FRAME.DATA, FLAG.PADDED, 1, Buffer.from([2, 1, 2, 3, 0, 0])),
    frame(FRAME.DATA, FLAG.END_STREAM, 1, 10),
    setting(SETTING.INITIAL_WINDOW_SIZE, 3),
    frame(FRAME.HEADERS, 0, 3, encodeFields(GET).subarray(0, 4)),
    frame(FRAME.CONTINUATION, 5, 3, encodeFields(GET).subarray(4)),
    frame(FRAME.WINDOW_UPDATE, 0, 3, number(100)),
    PING,
    frame(FRAME.GOAWAY, 0, 0, 8),
  ]);
  const edit = fc.record({ at: fc.nat(talk.length), drop: fc.nat(4), put: fc.uint8Array({ maxLength: 4 }) });
  const property = fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 3 }), async (edits) => {
    const bytes = edits.reduce(
      (text, { at, drop, put }) => Buffer.concat([text.subarray(0, at), put, text.subarray(at + drop)]),
      talk,
    );
    const socket = await served.open();
    const frames = framesUntilClosed(socket);
    socket.end(bytes);
    // Nothing but frames comes back, and an end.
    expect((await frames)[0]?.type).toBe(FRAME.SETTINGS);
  });
  await fc.assert(property, { seed: 7, numRuns: 300 });
  await isFine(served);
});

test("it makes no difference how the bytes are cut", async () => {
  await using served = await serve(echo);
  const talk = Buffer.concat([
    HELLO,
    headers(1, POST, 0),
    frame(FRAME.DATA, FLAG.END_STREAM, 1, Buffer.from("body")),
    frame(FRAME.GOAWAY, 0, 0, 8),
  ]);
  for (const size of [1, 2, 7, 24, 25]) {
    const socket = await served.open();
    socket.setNoDelay(true);
    const frames = framesUntilClosed(socket);
    for (let at = 0; at < talk.length; at += size) {
      const written = Promise.withResolvers<void>();
      socket.write(talk.subarray(at, at + size), () => written.resolve());
      await written.promise;
    }
    const body = (await frames).filter(({ type }) => type === FRAME.DATA).map(({ payload }) => payload.toString());
    expect(body.join("")).toBe("body");
  }
});
