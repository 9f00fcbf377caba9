import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { sendJson } from "./send-json.ts";
import { oneConnection, serve } from "./testing/serve.ts";

const LARGE = JSON.stringify("x".repeat(128 * 2 ** 10));
const SMALL = JSON.stringify("x".repeat(128 * 2 ** 10 - 2));

const answering = (body: string | Buffer, headers = {}) =>
  serve({ handle: (request, response) => sendJson(request, response, 201, body, headers) });

test("a small answer is sent as it is", async () => {
  await using served = await answering(SMALL);
  const { code, headers, body } = await served.send("/", { headers: { "accept-encoding": "gzip" } });
  expect(code).toBe(201);
  expect(body.toString()).toBe(SMALL);
  expect(headers).toMatchObject({ "content-type": "application/json", "content-length": String(SMALL.length) });
  expect(headers).not.toHaveProperty("content-encoding");
  expect(headers).not.toHaveProperty("vary");
});

test.each(["gzip", "deflate, gzip", "gzip, deflate, br", " gzip ,br"])(
  "a large one is compressed for %j",
  async (accept) => {
    await using served = await answering(LARGE);
    const { code, headers, body } = await served.send("/", { headers: { "accept-encoding": accept } });
    expect(code).toBe(201);
    expect(gunzipSync(body).toString()).toBe(LARGE);
    expect(headers).toMatchObject({ "content-encoding": "gzip", vary: "Accept-Encoding" });
    expect(headers["content-length"]).toBe(String(body.length));
  },
);

test.each([undefined, "identity", "br", "gzip;q=0", "x-gzip"])("and not for %j", async (accept) => {
  await using served = await answering(Buffer.from(LARGE));
  const { headers, body } = await served.send("/", {
    headers: accept === undefined ? {} : { "accept-encoding": accept },
  });
  expect(body.toString()).toBe(LARGE);
  expect(headers).not.toHaveProperty("content-encoding");
});

test("headers come on top, and a Vary of theirs is kept", async () => {
  await using served = await answering(LARGE, { "content-type": "application/yaml", vary: "Accept", etag: '"1"' });
  const { headers } = await served.send("/", { headers: { "accept-encoding": "gzip" } });
  expect(headers).toMatchObject({ "content-type": "application/yaml", vary: "Accept, Accept-Encoding", etag: '"1"' });
});

test("a very large one arrives whole", async () => {
  const body = Buffer.alloc(10 * 2 ** 20 + 1, "0123456789");
  await using served = await answering(body);
  const answer = await served.send("/");
  expect(answer.body.equals(body)).toBe(true);
});

test("HEAD gets the headers alone", async () => {
  await using served = await answering(Buffer.alloc(2 ** 20));
  const { headers, body } = await served.send("/", { method: "HEAD" });
  expect(headers["content-length"]).toBe(String(2 ** 20));
  expect(body).toHaveLength(0);
});

test("a client that does not read is cut off", async () => {
  const begun = Promise.withResolvers<ServerResponse>();
  await using served = await serve({
    handle: (request, response) => {
      sendJson(request, response, 200, Buffer.alloc(64 * 2 ** 20), {}, 1000);
      begun.resolve(response);
    },
  });
  const socket = await served.open();
  socket.pause();
  socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const response = await begun.promise;
  const since = performance.now();
  await once(response, "close");
  expect(performance.now() - since).toBeGreaterThan(450);
  expect(performance.now() - since).toBeLessThan(1600);
  expect(response.writableFinished).toBe(false);
  socket.destroy();
});

test.each([
  ["whole", Buffer.alloc(64 * 2 ** 20)],
  ["in pieces", Array.from({ length: 640 }, () => "x".repeat(100_000))],
])("one that talks instead of reading is cut off, from an answer that is sent %s", async (_, body) => {
  const begun = Promise.withResolvers<ServerResponse>();
  await using served = await serve({
    handle: (request, response) => {
      sendJson(request, response, 200, body, {}, 200);
      begun.resolve(response);
    },
  });
  const socket = await served.open();
  socket.pause();
  socket.on("error", () => {}).write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const talking = setInterval(() => socket.write("\r\n"), 10);
  const response = await begun.promise;
  await once(response, "close");
  clearInterval(talking);
  expect(response.writableFinished).toBe(false);
  socket.destroy();
});

test("after a long answer the next request on the connection is heard", async () => {
  const body = Buffer.alloc(2 ** 20);
  await using served = await answering(body);
  const agent = oneConnection();
  for (let count = 0; count < 3; count++) {
    const answer = await served.send("/", { agent });
    expect(answer.body.length).toBe(body.length);
  }
  agent.destroy();
});

test("a client that goes in the middle of a long answer is noticed", async () => {
  const begun = Promise.withResolvers<ServerResponse>();
  await using served = await serve({
    handle: (request, response) => {
      sendJson(request, response, 200, Buffer.alloc(64 * 2 ** 20));
      begun.resolve(response);
    },
  });
  const socket = await served.open();
  socket.pause();
  socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const response = await begun.promise;
  socket.destroy();
  await once(response, "close");
  expect(response.writableFinished).toBe(false);
});

test("a watch on the same connection afterwards may be as quiet as it likes", async () => {
  const timeouts: (number | undefined)[] = [];
  await using served = await serve({
    handle: (request, response) => {
      timeouts.push(request.socket.timeout);
      sendJson(request, response, 200, "{}");
    },
  });
  const agent = oneConnection();
  for (let count = 0; count < 3; count++) await served.send("/", { agent });
  agent.destroy();
  expect(timeouts.map((timeout) => timeout ?? 0)).toEqual([0, 0, 0]);
});

test.each(["identity", "gzip"])("a body in pieces arrives whole, as %s", async (accept) => {
  const pieces = Array.from({ length: 50 }, (_, index) => `${index}`.repeat(50_000));
  await using served = await serve({ handle: (request, response) => sendJson(request, response, 200, pieces) });
  const { headers, body } = await served.send("/", { headers: { "accept-encoding": accept } });
  expect((accept === "gzip" ? gunzipSync(body) : body).toString()).toBe(pieces.join(""));
  expect(headers).toMatchObject({ "content-type": "application/json", "transfer-encoding": "chunked" });
});

test("one piece alone is sent as it is", async () => {
  await using served = await serve({ handle: (request, response) => sendJson(request, response, 200, ["{}"]) });
  const { headers, body } = await served.send("/", { headers: { "accept-encoding": "gzip" } });
  expect(body.toString()).toBe("{}");
  expect(headers).toMatchObject({ "content-length": "2" });
});

test("no more pieces are asked for than the client takes", async () => {
  let asked = 0;
  const over = Promise.withResolvers<void>();
  function* pieces(): Generator<string, void> {
    for (; asked < 10_000; asked++) yield "x".repeat(100_000);
  }
  await using served = await serve({
    handle(request, response) {
      response.once("close", over.resolve);
      sendJson(request, response, 200, pieces());
    },
  });
  const socket = await served.open();
  socket.on("error", () => {}).write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await once(socket, "readable");
  socket.destroy();
  await over.promise;
  expect(asked).toBeLessThan(1_000);
});
