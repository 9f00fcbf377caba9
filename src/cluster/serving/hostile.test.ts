/** Whatever is sent: a Status or a closed connection, and the next request is served. */
import { once } from "node:events";
import { connect as connectPlain } from "node:net";
import { connect } from "node:tls";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readBody } from "./read-body.ts";
import { everything, type Served, serve, statusOf } from "./testing/serve.ts";

const isFine = async (served: Served): Promise<void> => {
  expect(await served.send("/")).toMatchObject({ code: 200 });
};

/** Reads bodies, as a handler of writes does. */
const echo = { handle: async (request, response) => void response.end(await readBody(request)) } satisfies Parameters<
  typeof serve
>[0];

const HOST = "Host: localhost\r\n";

describe("a Status, and the end of the connection:", () => {
  test.each([
    ["no HTTP at all", "hello\r\n\r\n", 400],
    ["binary", "\x16\x03\x01\x00\x00\xff\xff", 400],
    ["another protocol", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400],
    ["an unknown method", `BREW / HTTP/1.1\r\n${HOST}\r\n`, 400],
    ["an unknown version", `GET / HTTP/9.9\r\n${HOST}\r\n`, 400],
    ["a header without a name", `GET / HTTP/1.1\r\n: x\r\n${HOST}\r\n`, 400],
    ["a header with a line break in it", `GET / HTTP/1.1\r\n${HOST}X: a\rb\r\n\r\n`, 400],
    ["a header that goes on in the next line", `GET / HTTP/1.1\r\n${HOST}Content-Length\r\n : 5\r\n\r\n`, 400],
    ["10,000 headers", `GET / HTTP/1.1\r\n${HOST}${"X: y\r\n".repeat(10_000)}\r\n`, 431],
    ["a header of 1 MB", `GET / HTTP/1.1\r\n${HOST}X: ${"y".repeat(2 ** 20)}\r\n\r\n`, 431],
    ["a path of 1 MB", `GET /${"y".repeat(2 ** 20)} HTTP/1.1\r\n${HOST}\r\n`, 431],
    [
      "both lengths: Transfer-Encoding after Content-Length",
      `POST / HTTP/1.1\r\n${HOST}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    [
      "both lengths: Content-Length after Transfer-Encoding",
      `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n`,
      400,
    ],
    ["two lengths", `POST / HTTP/1.1\r\n${HOST}Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde`, 400],
    ["a negative length", `POST / HTTP/1.1\r\n${HOST}Content-Length: -4\r\n\r\n`, 400],
    ["a length with a sign", `POST / HTTP/1.1\r\n${HOST}Content-Length: +4\r\n\r\nabcd`, 400],
    ["a length beyond all numbers", `POST / HTTP/1.1\r\n${HOST}Content-Length: ${"9".repeat(30)}\r\n\r\n`, 400],
    ["chunked not last", `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n`, 400],
    ["an unknown transfer encoding", `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`, 400],
    ["a chunk size that is none", `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 400],
    [
      "a chunk size beyond all numbers",
      `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n${"f".repeat(20)}\r\n`,
      400,
    ],
    ["a negative chunk size", `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n-1\r\nab\r\n0\r\n\r\n`, 400],
    [
      "a chunk longer than it says",
      `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n0\r\n\r\n`,
      400,
    ],
    [
      "chunk extensions without end",
      `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n1;${"x".repeat(20_000)}\r\na\r\n0\r\n\r\n`,
      413,
    ],
  ])("%s", async (_, text, code) => {
    await using served = await serve(echo);
    const { line, status } = statusOf(await served.say(text));
    expect(line).toMatch(new RegExp(`^HTTP/1.1 ${code} `));
    expect(status).toMatchObject({ kind: "Status", apiVersion: "v1", status: "Failure", code });
    await isFine(served);
  });
});

describe("refused without a look at the path:", () => {
  test.each([
    ["a whole URI in place of a path", `GET https://localhost/api HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`],
    ["a whole URI of somebody else", `GET http://example.com/ HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`],
    ["an asterisk", `OPTIONS * HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`],
    ["no Host", "GET / HTTP/1.1\r\nConnection: close\r\n\r\n"],
    ["an empty Host", "GET / HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n"],
    ["two Hosts", `GET / HTTP/1.1\r\n${HOST}Host: example.com\r\nConnection: close\r\n\r\n`],
  ])("%s", async (_, text) => {
    await using served = await serve();
    expect(statusOf(await served.say(text)).status).toMatchObject({ kind: "Status", status: "Failure" });
    await isFine(served);
  });
});

test("a request that is smuggled in a body is no request", async () => {
  const paths: (string | undefined)[] = [];
  await using served = await serve({
    handle: async (request, response) => {
      paths.push(request.url);
      await readBody(request);
      response.end();
    },
  });
  const inner = `GET /inner HTTP/1.1\r\n${HOST}\r\n`;
  await served.say(
    `POST /outer HTTP/1.1\r\n${HOST}Content-Length: ${inner.length}\r\nConnection: close\r\n\r\n${inner}`,
  );
  expect(paths).toEqual(["/outer"]);
});

test("CONNECT is closed: this is no proxy", async () => {
  await using served = await serve();
  expect(await served.say("CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n")).toBe("");
  await isFine(served);
});

test("an upgrade is answered as the request that it is", async () => {
  await using served = await serve();
  const upgrade = "Connection: Upgrade, close\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n";
  expect(await served.say(`GET /exec HTTP/1.1\r\n${HOST}${upgrade}\r\n`)).toMatch(/^HTTP\/1.1 200 OK\r\n/);
  await isFine(served);
});

test.each([
  ["with a Host", HOST, /^HTTP\/1.1 200 OK\r\n[\s\S]*\r\n\r\nok$/],
  ["without one", "", /^HTTP\/1.1 200 OK\r\n[\s\S]*\r\n\r\nok$/],
  ["with a foreign one", "Host: example.com\r\n", /^HTTP\/1.1 403 /],
])("HTTP/1.0 %s is answered and closed", async (_, host, expected) => {
  await using served = await serve();
  expect(await served.say(`GET / HTTP/1.0\r\n${host}\r\n`)).toMatch(expected);
});

test("plain HTTP, and a connection that never becomes a secure one, get nothing", async () => {
  await using served = await serve({ limits: { headersMs: 1_000 } });
  for (const text of ["GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", ""]) {
    const socket = connectPlain(served.listener.port, "127.0.0.1");
    socket.on("error", () => {}).on("data", () => {});
    socket.write(text);
    await once(socket, "close");
  }
  await isFine(served);
});

test("TLS older than 1.2 is refused", async () => {
  await using served = await serve();
  const socket = connect({
    host: "127.0.0.1",
    port: served.listener.port,
    ca: served.ca,
    minVersion: "TLSv1",
    maxVersion: "TLSv1.1",
    ciphers: "DEFAULT:@SECLEVEL=0",
  });
  await expect(once(socket, "secureConnect")).rejects.toMatchObject({ code: "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION" });
  await isFine(served);
});

describe("who takes too long is told so and closed:", () => {
  // Long enough for a handshake on a busy machine, which is part of it; all wait at the same time.
  const limits = { headersMs: 1_500, requestMs: 2_000 };
  test.concurrent.each([
    ["saying nothing", ""],
    ["half a request line", "GET /"],
    ["headers without an end", `GET / HTTP/1.1\r\n${HOST}X: `],
    ["half a body", `POST / HTTP/1.1\r\n${HOST}Content-Length: 4\r\n\r\nab`],
    ["half a chunk", `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n4\r\nab`],
  ])("%s", async (_, text) => {
    await using served = await serve({ ...echo, limits });
    expect(statusOf(await served.say(text)).status).toMatchObject({ code: 408, reason: "Timeout" });
    await isFine(served);
  });

  test.concurrent("one byte at a time is no way around it", async () => {
    await using served = await serve({ limits });
    const socket = await served.open();
    const drip = setInterval(() => socket.write("x"), 10);
    socket.write("GET / HTTP/1.1\r\nX: ");
    expect(statusOf((await everything(socket)).toString()).status).toMatchObject({ code: 408 });
    clearInterval(drip);
  });

  test.concurrent("nor is one byte of a body at a time", async () => {
    await using served = await serve({ ...echo, limits });
    const socket = await served.open();
    const drip = setInterval(() => socket.write("x"), 10);
    socket.write(`POST / HTTP/1.1\r\n${HOST}Content-Length: 100000\r\n\r\n`);
    expect(statusOf((await everything(socket)).toString()).status).toMatchObject({ code: 408, reason: "Timeout" });
    clearInterval(drip);
    await isFine(served);
  });
});

test("a client that goes in the middle of its body leaves no trace", async () => {
  const failed = Promise.withResolvers<unknown>();
  await using served = await serve({
    handle: async (request, response) => {
      if (request.method === "POST") await readBody(request).catch((error: unknown) => failed.resolve(error));
      response.end("ok");
    },
  });
  const socket = await served.open();
  socket.write(`POST / HTTP/1.1\r\n${HOST}Content-Length: 4\r\n\r\nab`, () => socket.destroy());
  expect(await failed.promise).toMatchObject({ code: 400, message: "the request ended before its body did" });
  await isFine(served);
});

test("more connections than there may be are closed", async () => {
  await using served = await serve({ limits: { connections: 2 } });
  const [first, second] = [await served.open(), await served.open()];
  await expect(served.send("/")).rejects.toMatchObject({ code: expect.stringMatching(/ECONNRESET|EPIPE/) as string });
  first.destroy();
  second.destroy();
  // When exactly they are gone is for the server to notice.
  await expect.poll(() => served.send("/").catch(() => undefined)).toMatchObject({ code: 200 });
});

test("a request with anything done to its bytes is answered or closed", async () => {
  await using served = await serve(echo);
  const request = `POST /api/v1/namespaces?x=y HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n`;
  const edit = fc.record({
    at: fc.nat(request.length),
    drop: fc.nat(4),
    put: fc.string({ unit: "binary-ascii", maxLength: 4 }),
  });
  const property = fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 3 }), async (edits) => {
    const text = edits.reduce((bytes, { at, drop, put }) => bytes.slice(0, at) + put + bytes.slice(at + drop), request);
    const socket = await served.open();
    socket.end(text);
    expect((await everything(socket)).toString()).toMatch(/^(?:HTTP\/1\.1 [2-5]\d\d |$)/);
  });
  await fc.assert(property, { seed: 5, numRuns: 200 });
  await isFine(served);
});
