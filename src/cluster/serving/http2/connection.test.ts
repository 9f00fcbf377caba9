/** Real requests of nghttp2, which is Node's own client. */
import { once } from "node:events";
import { constants } from "node:http2";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { StatusError } from "../../api/status-error.ts";
import { sendWhole } from "./answer.ts";
import { readStreamBody } from "./body.ts";
import { FLAG, FRAME } from "./protocol.ts";
import { distinctHeaders } from "./request-head.ts";
import type { ServerStream } from "./stream.ts";
import { frame, framesUntilClosed, HELLO, headers, POST } from "./testing/frames.ts";
import { answerOf, ask, serve } from "./testing/serve.ts";

const echo = async (stream: ServerStream): Promise<void> => sendWhole(stream, 200, await readStreamBody(stream));
const MEGABYTE = Buffer.alloc(2 ** 20, "x");

test("a request is answered, with what was asked for at hand", async () => {
  const seen: unknown[] = [];
  await using served = await serve({
    take: async (stream) => {
      const { method, url, headers } = stream.head;
      seen.push({
        method,
        url,
        host: headers.host,
        joined: headers["x-a"],
        distinct: distinctHeaders(stream.head)["x-a"],
      });
      sendWhole(stream, 201, "{}", { "x-b": ["1", "2"], etag: "e" });
    },
  });
  const { send } = await served.client();
  const { code, headers, body } = await send("/api?x=y", { "x-a": ["1", "2"] });
  expect(seen).toEqual([{ method: "GET", url: "/api?x=y", host: "localhost", joined: "1, 2", distinct: ["1", "2"] }]);
  expect({ code, text: body.toString() }).toEqual({ code: 201, text: "{}" });
  expect(headers).toMatchObject({
    "content-type": "application/json",
    "content-length": "2",
    "x-b": "1, 2",
    etag: "e",
  });
  expect(Date.parse(String(headers["date"]))).not.toBeNaN();
});

test("many requests at a time, each with its own answer", async () => {
  await using served = await serve({ take: echo });
  const { send } = await served.client();
  const bodies = Array.from({ length: 500 }, (_, index) => `${index}`.repeat(1 + (index % 50)));
  const answers = await Promise.all(bodies.map((body) => send("/", {}, body)));
  expect(answers.map(({ body }) => body.toString())).toEqual(bodies);
});

test("HEAD has the head alone", async () => {
  await using served = await serve();
  const { send } = await served.client();
  const { headers, body } = await send("/", { ":method": "HEAD" });
  expect(headers).toMatchObject({ ":status": 200, "content-length": "2" });
  expect(body).toHaveLength(0);
});

describe("bodies", () => {
  test.each([
    ["of 3 MiB, through the default windows of the client", undefined],
    ["through windows of 1000 bytes", { initialWindowSize: 1000 }],
    ["through frames of 1 MB", { maxFrameSize: 1_000_000, initialWindowSize: 2 ** 24 }],
  ])("there and back: %s", async (_, settings) => {
    await using served = await serve({ take: echo, ...(settings && { settings }) });
    const { send } = await served.client();
    const body = Buffer.concat([MEGABYTE, Buffer.alloc(2 * 2 ** 20 - 1, "y")]);
    expect((await send("/", {}, body)).body.equals(body)).toBe(true);
  });

  test("gzip is understood, and used where it pays", async () => {
    await using served = await serve({ take: echo });
    const { send } = await served.client();
    const accept = { "content-encoding": "gzip", "accept-encoding": "gzip" };
    const { headers, body } = await send("/", accept, gzipSync(MEGABYTE));
    expect(headers).toMatchObject({ "content-encoding": "gzip", vary: "Accept-Encoding" });
    expect(gunzipSync(body).equals(MEGABYTE)).toBe(true);
  });

  test.each(["identity", "gzip"])("in pieces arrive whole, as %s", async (accept) => {
    const pieces = Array.from({ length: 50 }, (_, index) => `${index}`.repeat(50_000));
    await using served = await serve({ take: async (stream) => sendWhole(stream, 200, pieces) });
    const { send } = await served.client();
    const { body } = await send("/", { "accept-encoding": accept });
    expect((accept === "gzip" ? gunzipSync(body) : body).toString()).toBe(pieces.join(""));
  });

  test("a whole one that is longer than what may wait for a reader arrives whole", async () => {
    const length = 20 * 2 ** 20;
    await using served = await serve({ take: async (stream) => sendWhole(stream, 200, Buffer.alloc(length, "x")) });
    const { send } = await served.client();
    expect((await send("/")).body).toHaveLength(length);
    expect(served.slow()).toBe(0);
  });

  test("no more pieces are asked for than the client takes", async () => {
    let asked = 0;
    function* pieces(): Generator<string, void> {
      for (; asked < 10_000; asked++) yield "x".repeat(100_000);
    }
    const begun = Promise.withResolvers<ServerStream>();
    await using served = await serve({
      settings: { initialWindowSize: 2 ** 30 },
      take: async (stream) => {
        begun.resolve(stream);
        sendWhole(stream, 200, pieces());
      },
    });
    const { session } = await served.client();
    const reader = ask(session, "/").on("error", () => {});
    const stream = await begun.promise;
    await once(reader, "response");
    const gone = new Promise<void>((resolve) => stream.onGone(resolve));
    session.destroy();
    await gone;
    expect(asked).toBeLessThan(1000);
  });

  test("one that breaks while it is made does not look like a whole one", async () => {
    function* pieces(): Generator<string, void> {
      yield "one";
      yield "two";
      throw new Error("bug");
    }
    await using served = await serve({ take: async (stream) => sendWhole(stream, 200, pieces()) });
    const { send } = await served.client();
    await expect(send("/")).rejects.toMatchObject({ code: "ERR_HTTP2_STREAM_ERROR" });
  });

  test.each([
    ["too long, and says so", { "content-length": "2000000" }, 413],
    ["too long", {}, 413],
    ["in an unknown encoding", { "content-encoding": "br" }, 415],
    ["no gzip", { "content-encoding": "gzip" }, 413],
  ])("refused: %s", async (_, headers, code) => {
    await using served = await serve({
      take: async (stream) => {
        const refuse = (error: StatusError): void => sendWhole(stream, error.code, error.message);
        await readStreamBody(stream, 1_000_000).then(() => sendWhole(stream, 200, "ok"), refuse);
      },
    });
    const { send } = await served.client();
    expect(await send("/", headers, Buffer.alloc(2_000_000))).toMatchObject({ code });
    // The connection goes on.
    expect(await send("/", {}, "x")).toMatchObject({ code: 200 });
  });

  test("what nobody reads does not keep others from being read", async () => {
    await using served = await serve({
      take: async (stream) => {
        if (stream.head.url === "/read") await echo(stream);
        else sendWhole(stream, 403, "no");
      },
    });
    const { session, send } = await served.client();
    for (let count = 0; count < 30; count++) {
      const stream = ask(session, "/", { ":method": "POST" });
      stream.on("error", () => {}).end(MEGABYTE);
      expect(await answerOf(stream)).toMatchObject({ code: 403 });
      expect((await send("/read", {}, MEGABYTE)).body).toHaveLength(2 ** 20);
    }
  });

  test("nor does what was there before anybody could say that it would not be read", async () => {
    await using served = await serve({
      take: async (stream) => {
        await expect.poll(() => stream.received).toBe(2 ** 20);
        sendWhole(stream, 403, "no");
      },
    });
    const { send } = await served.client();
    for (let count = 0; count < 20; count++) expect(await send("/", {}, MEGABYTE)).toMatchObject({ code: 403 });
  });

  test("an answer before the request is whole is one also for who takes a reset for a failure", async () => {
    let taken = 0;
    await using served = await serve({
      take: async (stream) => {
        sendWhole(stream, 405, "no");
        taken++;
      },
    });
    const socket = await served.open();
    const frames = framesUntilClosed(socket);
    const heads = [headers(1, POST, 0), headers(3, POST, 0)];
    socket.write(Buffer.concat([HELLO, ...heads, frame(FRAME.DATA, FLAG.END_STREAM, 1, 10)]));
    await expect.poll(() => taken).toBe(2);
    // Who goes on is told in the end; who is done is not.
    served.connections[0]?.check(performance.now() + 1100);
    served.connections[0]?.goAway();
    const told = await frames;
    const streamsOf = (wanted: number): number[] =>
      told.filter(({ type }) => type === wanted).map(({ stream }) => stream);
    expect([streamsOf(FRAME.DATA), streamsOf(FRAME.RST_STREAM)]).toEqual([[1, 3], [3]]);
  });

  test("100-continue has the client go on", async () => {
    await using served = await serve({
      take: async (stream) => {
        stream.goOn();
        await echo(stream);
      },
    });
    const { session } = await served.client();
    const stream = ask(session, "/", { ":method": "POST", expect: "100-continue" });
    await once(stream, "continue");
    stream.end("body");
    expect((await answerOf(stream)).body.toString()).toBe("body");
  });
});

describe("bounds", () => {
  test("more streams than there may be are refused, so that they are asked for again", async () => {
    const begun: ServerStream[] = [];
    await using served = await serve({ limits: { streams: 2 }, take: async (stream) => void begun.push(stream) });
    const { session, send } = await served.client();
    // The client knows better than to ask for a third; so it is told of no limit first.
    const [first, second] = [send("/"), send("/")];
    await expect.poll(() => begun.length).toBe(2);
    expect(session.remoteSettings.maxConcurrentStreams).toBe(2);
    for (const stream of begun) sendWhole(stream, 200, "ok");
    expect(await Promise.all([first, second])).toMatchObject([{ code: 200 }, { code: 200 }]);
  });

  test("a head that is too large is told so", async () => {
    const objections: (StatusError | undefined)[] = [];
    await using served = await serve({
      take: async (stream, objection) => {
        objections.push(objection);
        sendWhole(stream, objection?.code ?? 200, "");
      },
    });
    const { send } = await served.client();
    expect(await send("/", { "x-large": "y".repeat(20_000) })).toMatchObject({ code: 431 });
    expect(await send("/")).toMatchObject({ code: 200 });
    expect(objections).toMatchObject([{ code: 431, reason: "BadRequest" }, undefined]);
  });

  test("a body that does not come is not waited for", async () => {
    await using served = await serve({
      take: async (stream) => {
        await readStreamBody(stream).catch((error: StatusError) => sendWhole(stream, error.code, error.message));
      },
    });
    const { session } = await served.client();
    const stream = ask(session, "/", { ":method": "POST" });
    stream.write("half");
    const answer = answerOf(stream);
    await expect.poll(() => served.connections.length).toBe(1);
    await new Promise((resolve) => session.ping(resolve));
    served.connections[0]?.check(performance.now() + 59_000);
    served.connections[0]?.check(performance.now() + 61_000);
    expect(await answer).toMatchObject({ code: 408 });
  });

  test("a connection that nobody uses is closed", async () => {
    await using served = await serve();
    const { session, send } = await served.client();
    await send("/");
    const closed = once(session, "close");
    served.connections[0]?.check(performance.now() + 119_000);
    expect(session.closed).toBe(false);
    served.connections[0]?.check(performance.now() + 121_000);
    await closed;
  });
});

describe("goAway", () => {
  test("lets those under way finish, and takes no more", async () => {
    const begun = Promise.withResolvers<ServerStream>();
    await using served = await serve({ take: async (stream) => begun.resolve(stream) });
    const { session, send } = await served.client();
    const answer = send("/");
    const stream = await begun.promise;
    const told = once(session, "goaway");
    served.connections[0]?.goAway();
    expect((await told)[0]).toBe(constants.NGHTTP2_NO_ERROR);
    await expect(send("/")).rejects.toMatchObject({ code: "ERR_HTTP2_GOAWAY_SESSION" });
    const closed = once(session, "close");
    sendWhole(stream, 200, "done");
    expect((await answer).body.toString()).toBe("done");
    await closed;
  });

  test("what was asked for too late does no harm to what was asked in time", async () => {
    const begun = Promise.withResolvers<ServerStream>();
    await using served = await serve({ take: async (stream) => begun.resolve(stream) });
    const socket = await served.open();
    const frames = framesUntilClosed(socket);
    socket.write(Buffer.concat([HELLO, headers(1)]));
    const stream = await begun.promise;
    served.connections[0]?.goAway();
    const late = [headers(3, POST, 0), frame(FRAME.DATA, FLAG.END_STREAM, 3, 10), frame(FRAME.RST_STREAM, 0, 3, 4)];
    socket.write(Buffer.concat([...late, frame(FRAME.PING, 0, 0, 8)]));
    // When the PING is answered, all before it was read.
    await once(socket, "data");
    sendWhole(stream, 200, "done");
    const data = (await frames).filter(({ type }) => type === FRAME.DATA);
    expect(data.map(({ payload }) => payload.toString())).toEqual(["done"]);
  });
});
