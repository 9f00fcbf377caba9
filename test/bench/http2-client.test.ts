/** The client with which API servers are measured over HTTP/2, beside Node's own server. */
import { once } from "node:events";
import {
  createSecureServer,
  type IncomingHttpHeaders,
  type SecureServerOptions,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { createServer } from "node:tls";
import { expect, test } from "vitest";
import type { Send } from "../../bench/api/client.ts";
import type { Access } from "../../bench/api/contender.ts";
import { createHttp2Client } from "../../bench/api/http2/client.ts";
import { testCertificates } from "../../src/cluster/serving/testing/serve.ts";

interface Serving extends AsyncDisposable {
  readonly access: Access;
  readonly sessions: ServerHttp2Session[];
}

type Handle = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => unknown;

async function serving(handle: Handle, options: SecureServerOptions = {}): Promise<Serving> {
  const { ca, cert, key } = testCertificates();
  const server = createSecureServer({ cert, key, ...options }).listen(0, "127.0.0.1");
  const sessions: ServerHttp2Session[] = [];
  server.on("session", (session) => void sessions.push(session));
  server.on("stream", (stream, headers) => {
    stream.on("error", () => {});
    void handle(stream, headers);
  });
  await once(server, "listening");
  return {
    access: { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, ca, token: "secret" },
    sessions,
    async [Symbol.asyncDispose]() {
      for (const session of sessions) session.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** All of an answer. */
async function answerTo(send: Send | undefined, ...[method, path, body]: Parameters<Send>): Promise<string> {
  const pieces: Buffer[] = [];
  const bytes = await send?.(method, path, body, (piece) => void pieces.push(Buffer.from(piece)));
  const whole = Buffer.concat(pieces);
  expect(bytes).toBe(whole.length);
  return whole.toString();
}

/** Answers with what it was asked. */
const echo: Handle = async (stream, headers) => {
  const body = await text(stream);
  stream.respond({ ":status": headers[":path"] === "/refused" ? 409 : 201 });
  stream.end(JSON.stringify({ ...headers, body }));
};

test("requests arrive as they were made, one after the other, whatever the server remembers", async () => {
  await using server = await serving(echo);
  await using lanes = await createHttp2Client(server.access).open(2);
  for (const send of lanes.senders) {
    for (const method of ["POST", "GET", "PATCH", "POST", "PATCH", "GET", "POST"] as const) {
      const body = method === "GET" ? undefined : { of: method };
      const answer = JSON.parse(await answerTo(send, method, `/claims?for=${method}`, body)) as Record<string, string>;
      expect(answer).toEqual({
        ":method": method,
        ":path": `/claims?for=${method}`,
        ":scheme": "https",
        ":authority": new URL(server.access.url).host,
        authorization: "Bearer secret",
        "content-type": method === "PATCH" ? "application/merge-patch+json" : "application/json",
        ...(body && { "content-length": String(JSON.stringify(body).length) }),
        body: body === undefined ? "" : JSON.stringify(body),
      });
    }
  }
  expect(server.sessions).toHaveLength(2);
});

test("many bodies go over one connection, more than its window has at first", async () => {
  await using server = await serving(echo);
  await using lanes = await createHttp2Client(server.access).open(1);
  const body = { text: "x".repeat(10_000) };
  for (let count = 0; count < 50; count++) await lanes.senders[0]?.("POST", "/", body);
});

test("an answer is whole, however large, and so is the one after it", async () => {
  const large = "0123456789".repeat(4_000_000);
  await using server = await serving((stream) => {
    stream.respond({
      ":status": 200,
      ...Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`x-${at}`, large.slice(0, 2_000)])),
    });
    stream.end(large);
  });
  await using lanes = await createHttp2Client(server.access).open(1);
  for (let count = 0; count < 2; count++) expect(await answerTo(lanes.senders[0], "GET", "/")).toBe(large);
});

test("a refusal is an error with its text", async () => {
  await using server = await serving(echo);
  await using lanes = await createHttp2Client(server.access).open(1);
  await expect(lanes.senders[0]?.("POST", "/refused", {})).rejects.toThrow("POST /refused: 409 {");
  expect(await answerTo(lanes.senders[0], "POST", "/next", {})).toContain("/next");
});

test("watches share connections, as many on each as the server allows", async () => {
  const streams: ServerHttp2Stream[] = [];
  const handle: Handle = (stream) => {
    streams.push(stream);
    stream.respond({ ":status": 200 });
    stream.write("begun");
  };
  await using server = await serving(handle, { settings: { maxConcurrentStreams: 3 } });
  await using watchers = createHttp2Client(server.access).watchers(7);
  const seen = Array.from({ length: 7 }, () => "");
  seen.forEach((_, at) => {
    const keep = (piece: Buffer): void => void (seen[at] += piece.toString());
    watchers.watch("/?watch=1", keep, (error) => expect.unreachable(error.message));
  });
  await expect.poll(() => seen).toEqual(Array(7).fill("begun"));
  expect(server.sessions).toHaveLength(3);
  for (const stream of streams) stream.write(", changed");
  await expect.poll(() => seen).toEqual(Array(7).fill("begun, changed"));
  await Promise.all(server.sessions.map((session) => new Promise((resolve) => session.ping(resolve))));
});

test.each<[string, Handle, string]>([
  ["a request that the server gives up", (stream) => stream.close(2), "the server has given up a request (error 2)"],
  ["a connection that it gives up", (stream) => stream.session?.goaway(11), "has given up the connection (error 11)"],
  ["a connection that it cuts", (stream) => stream.session?.destroy(), "the server has"],
])("%s is an error", async (_, handle, message) => {
  await using server = await serving(handle);
  await using lanes = await createHttp2Client(server.access).open(1);
  await expect(lanes.senders[0]?.("GET", "/")).rejects.toThrow(message);
});

test("a watch that ends is an error", async () => {
  await using server = await serving((stream) => {
    stream.respond({ ":status": 200 });
    stream.end("one");
  });
  const ended = Promise.withResolvers<Error>();
  await using watchers = createHttp2Client(server.access).watchers(1);
  watchers.watch("/", () => {}, ended.resolve);
  expect((await ended.promise).message).toBe("a watch has ended before its time");
});

test("a server that does not speak it is named", async () => {
  const { ca, cert, key } = testCertificates();
  const server = createServer({ cert, key, ALPNProtocols: ["http/1.1"] }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const opened = createHttp2Client({ url, ca, token: "" }).open(1);
  await expect(opened).rejects.toThrow(`${url} does not speak HTTP/2: asked for h2, it chose http/1.1`);
  server.close();
});
