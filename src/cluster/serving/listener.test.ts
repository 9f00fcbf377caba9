import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { Agent as UndiciAgent, request as undiciRequest } from "undici";
import { describe, expect, test } from "vitest";
import { recordMetrics } from "../../kube/testing/recorded-metrics.ts";
import { StatusError } from "../api/status-error.ts";
import { readBody } from "./read-body.ts";
import { createStream } from "./stream.ts";
import { everything, oneConnection, serve, statusOf } from "./testing/serve.ts";

test("it listens on loopback, at any free port unless told, and speaks HTTP/1.1 over TLS", async () => {
  await using served = await serve();
  const { port, url } = served.listener;
  expect(url).toBe(`https://127.0.0.1:${port}`);
  const agent = new UndiciAgent({ connect: { ca: served.ca }, allowH2: true });
  const { statusCode, body } = await undiciRequest(`${url}/`, { dispatcher: agent });
  expect({ statusCode, text: await body.text() }).toEqual({ statusCode: 200, text: "ok" });
  await agent.close();
  const socket = await served.open();
  expect(socket.getProtocol()).toBe("TLSv1.3");
  socket.destroy();
});

test("a port that is taken is named", async () => {
  await using served = await serve();
  await expect(serve({ port: served.listener.port })).rejects.toMatchObject({
    code: "ADDRESS_UNUSABLE",
    message: expect.stringMatching(/EADDRINUSE.*; name another port with --port/) as string,
  });
});

describe("what a handler throws", () => {
  test.each([
    ["a refusal", new StatusError(409, "Conflict", "no"), { code: 409, reason: "Conflict", message: "no" }],
    [
      "anything else",
      new Error("bug"),
      { code: 500, reason: "InternalError", message: "Internal error occurred: bug" },
    ],
  ])("becomes a Status: %s", async (_, error, expected) => {
    await using served = await serve({ handle: () => Promise.reject(error) });
    const { code, body } = await served.send("/");
    expect(code).toBe(expected.code);
    expect(JSON.parse(body.toString())).toMatchObject({ kind: "Status", ...expected });
  });

  test("ends the connection when the answer has begun", async () => {
    await using served = await serve({
      handle: (_, response) => {
        response.write("half");
        throw new Error("bug");
      },
    });
    await expect(served.send("/")).rejects.toMatchObject({ code: "ECONNRESET" });
  });
});

describe("Expect: 100-continue", () => {
  const post = (more = "") =>
    `POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 4\r\nExpect: 100-continue\r\n${more}\r\n`;
  const reading = {
    handle: async (request, response) => void response.end(await readBody(request)),
  } satisfies Parameters<typeof serve>[0];

  test("is told to go on, and then answered", async () => {
    await using served = await serve(reading);
    const socket = await served.open();
    socket.write(post());
    const [first] = (await once(socket, "data")) as [Buffer];
    expect(first.toString()).toBe("HTTP/1.1 100 Continue\r\n\r\n");
    socket.write("body");
    expect((await everything(socket)).toString()).toMatch(/^HTTP\/1.1 200 OK\r\n[\s\S]*\r\n\r\nbody$/);
  });

  test("is told no before it sends anything, and closed", async () => {
    await using served = await serve(reading);
    const said = await served.say(post("Origin: https://example.com\r\n").replace("Connection: close\r\n", ""));
    expect(said).toMatch(/^HTTP\/1.1 403 Forbidden\r\n/);
    expect(said).toMatch(/Connection: close\r\n/i);
  });

  test("is the only expectation that is met", async () => {
    await using served = await serve(reading);
    const { line, status } = statusOf(await served.say(post().replace("100-continue", "miracles")));
    expect(line).toBe("HTTP/1.1 417 Expectation Failed");
    expect(status).toMatchObject({ kind: "Status", code: 417 });
  });
});

test("one connection serves many requests", async () => {
  const ports = new Set<number | undefined>();
  await using served = await serve({
    handle: (request, response) => {
      ports.add(request.socket.remotePort);
      response.end();
    },
  });
  const agent = oneConnection();
  for (let count = 0; count < 5; count++) await served.send("/", { agent });
  agent.destroy();
  expect(ports.size).toBe(1);
});

test("connections, refusals and slow readers are counted", async () => {
  const metrics = recordMetrics();
  await using served = await serve({ metrics });
  const socket = await served.open();
  expect(metrics.value("outgrow_server_connections", {})).toBe(1);
  await served.send("/", { headers: { origin: "null" } });
  await served.say("nonsense\r\n\r\n");
  served.listener.onSlowReader();
  expect(metrics.value("outgrow_server_refused_total", { code: "403" })).toBe(1);
  expect(metrics.value("outgrow_server_refused_total", { code: "400" })).toBe(1);
  expect(metrics.value("outgrow_server_slow_readers_total", {})).toBe(1);
  socket.destroy();
});

describe("stop", () => {
  const MINUTE = 60_000;

  test("waits for the requests under way, and takes no more", async () => {
    const answer = Promise.withResolvers<ServerResponse>();
    const served = await serve({ handle: (_, response) => answer.resolve(response) });
    const agent = oneConnection();
    const asked = served.send("/", { agent });
    const response = await answer.promise;
    const stopped = served.listener.stop(MINUTE);
    await expect(served.send("/")).rejects.toMatchObject({ code: "ECONNREFUSED" });
    response.end("done");
    expect((await asked).body.toString()).toBe("done");
    await stopped;
    agent.destroy();
  });

  test("does not wait for connections without a request", async () => {
    const served = await serve();
    const agent = oneConnection();
    await served.send("/", { agent });
    const socket = await served.open();
    const closed = everything(socket);
    await served.listener.stop(MINUTE);
    expect(await closed).toHaveLength(0);
    agent.destroy();
  });

  test("ends watches at once, as whole answers", async () => {
    const begun = Promise.withResolvers<void>();
    const ends: (() => void)[] = [];
    const served = await serve({
      handle: (_, response) => {
        response.writeHead(200);
        const stream = createStream(response);
        stream.write("event\n");
        ends.push(() => stream.end());
        begun.resolve();
      },
      onStop: () => {
        for (const end of ends) end();
      },
    });
    const watched = served.send("/?watch=1");
    await begun.promise;
    await served.listener.stop(MINUTE);
    expect((await watched).body.toString()).toBe("event\n");
  });

  test("cuts off what does not end in time", async () => {
    const begun = Promise.withResolvers<void>();
    const served = await serve({ handle: () => begun.resolve() });
    const asked = served.send("/");
    const failed = expect(asked).rejects.toMatchObject({ code: "ECONNRESET" });
    await begun.promise;
    await served.listener.stop(1);
    await failed;
  });

  test("may be called twice", async () => {
    const served = await serve();
    const first = served.listener.stop(MINUTE);
    expect(served.listener.stop(0)).toBe(first);
    await first;
  });
});
