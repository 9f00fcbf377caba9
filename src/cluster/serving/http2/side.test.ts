/** HTTP/2 through the listener: over TLS, beside HTTP/1.1, with what is foreign kept out. */
import { once } from "node:events";
import { type ClientHttp2Session, connect } from "node:http2";
import { connect as connectTls } from "node:tls";
import { describe, expect, test } from "vitest";
import { recordMetrics } from "../../../kube/testing/recorded-metrics.ts";
import { StatusError } from "../../api/status-error.ts";
import type { ListenerOptions } from "../listener.ts";
import { type Served, serve as serveTls } from "../testing/serve.ts";
import { headOf, sendWhole } from "./answer.ts";
import type { ServerStream } from "./stream.ts";
import { type Answer, answerOf, ask } from "./testing/serve.ts";

const serve = (options: Partial<ListenerOptions> = {}): Promise<Served> =>
  serveTls({ handleStream: (stream) => sendWhole(stream, 200, "ok"), ...options });

async function open({ listener, ca }: Served): Promise<ClientHttp2Session> {
  const session = connect(listener.url, { ca });
  session.on("error", () => {});
  await once(session, "connect");
  return session;
}

async function send(served: Served, path: string, headers: Record<string, string> = {}): Promise<Answer> {
  const session = await open(served);
  try {
    const stream = ask(session, path, headers);
    stream.end();
    return await answerOf(stream);
  } finally {
    session.destroy();
  }
}

test("clients get the protocol that they ask for", async () => {
  await using served = await serve();
  expect((await send(served, "/")).body.toString()).toBe("ok");
  expect((await served.send("/")).body.toString()).toBe("ok");
  for (const [ours, chosen] of [
    [["h2", "http/1.1"], "h2"],
    [["http/1.1", "h2"], "h2"],
    [["http/1.1"], "http/1.1"],
    [undefined, false],
  ] as const) {
    const { port } = served.listener;
    const socket = connectTls({ host: "127.0.0.1", port, ca: served.ca, ...(ours && { ALPNProtocols: [...ours] }) });
    await once(socket, "secureConnect");
    expect(socket.alpnProtocol).toBe(chosen);
    socket.destroy();
  }
});

test("without somebody to take its requests it is not offered", async () => {
  await using served = await serveTls();
  const session = connect(served.listener.url, { ca: served.ca });
  await expect(once(session, "connect")).rejects.toMatchObject({ code: "ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL" });
});

describe("refused without a look at the path:", () => {
  test.each<[string, Record<string, string>, number]>([
    ["a request of a web page", { origin: "https://example.com" }, 403],
    ["another server's name", { ":authority": "example.com" }, 403],
    ["another server's port", { ":authority": "localhost:1" }, 403],
    ["an expectation that is not met", { expect: "miracles" }, 417],
    ["an asterisk", { ":method": "OPTIONS", ":path": "*" }, 400],
    ["a head that is too large", { "x-large": "x".repeat(20_000) }, 431],
  ])("%s", async (_, headers, code) => {
    const metrics = recordMetrics();
    await using served = await serve({ metrics });
    const { code: answered, body } = await send(served, "/", headers);
    expect(answered).toBe(code);
    expect(JSON.parse(body.toString())).toMatchObject({ kind: "Status", status: "Failure", code });
    expect(metrics.value("outgrow_server_refused_total", { code: String(code) })).toBe(1);
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
    await using served = await serve({ handleStream: () => Promise.reject(error) });
    const { code, body } = await send(served, "/");
    expect(code).toBe(expected.code);
    expect(JSON.parse(body.toString())).toMatchObject({ kind: "Status", ...expected });
  });

  test("breaks the answer off when it has begun", async () => {
    await using served = await serve({
      handleStream: (stream) => {
        stream.begin(200, headOf(200, {}));
        stream.write(Buffer.from("half"));
        throw new Error("bug");
      },
    });
    await expect(send(served, "/")).rejects.toMatchObject({ code: "ERR_HTTP2_STREAM_ERROR" });
  });
});

test("connections are counted", async () => {
  const metrics = recordMetrics();
  await using served = await serve({ metrics });
  const session = await open(served);
  expect(metrics.value("outgrow_server_connections", {})).toBe(1);
  session.destroy();
  await expect.poll(() => metrics.value("outgrow_server_connections", {})).toBe(0);
});

describe("stop", () => {
  const MINUTE = 60_000;

  test("waits for the requests under way, and takes no more", async () => {
    const begun = Promise.withResolvers<ServerStream>();
    const served = await serve({ handleStream: (stream) => begun.resolve(stream) });
    const session = await open(served);
    const asked = ask(session, "/");
    asked.end();
    const answer = answerOf(asked);
    const stream = await begun.promise;
    const stopped = served.listener.stop(MINUTE);
    sendWhole(stream, 200, "done");
    expect((await answer).body.toString()).toBe("done");
    await stopped;
  });

  test("does not wait for connections without a request", async () => {
    const served = await serve();
    const session = await open(served);
    const closed = once(session, "close");
    await served.listener.stop(MINUTE);
    await closed;
  });

  test("ends watches at once, as whole answers", async () => {
    const begun = Promise.withResolvers<ServerStream>();
    const served = await serve({
      handleStream: (stream) => {
        stream.begin(200, headOf(200, {}));
        stream.write(Buffer.from("event\n"));
        begun.resolve(stream);
      },
      onStop: () => void begun.promise.then((stream) => stream.end()),
    });
    const watched = send(served, "/?watch=1");
    await begun.promise;
    await served.listener.stop(MINUTE);
    expect((await watched).body.toString()).toBe("event\n");
  });

  test("cuts off what does not end in time", async () => {
    const begun = Promise.withResolvers<ServerStream>();
    const served = await serve({ handleStream: (stream) => begun.resolve(stream) });
    const session = await open(served);
    ask(session, "/").on("error", () => {});
    const closed = once(session, "close");
    await begun.promise;
    await served.listener.stop(1);
    await closed;
  });
});
