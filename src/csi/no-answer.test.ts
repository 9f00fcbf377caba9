/** Servers that break the rules of gRPC, each in its own way: none of them may pass for a driver's final word. */
import { constants, createServer, type Http2Server, type ServerHttp2Stream } from "node:http2";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type CsiClient, openCsiClient } from "./client.ts";
import type { CsiError } from "./error.ts";
import { type TempDir, tempDir } from "./testing/temp-dir.ts";

let dir: TempDir;
let server: Http2Server;
let client: CsiClient;
let behave: (stream: ServerHttp2Stream) => void;

beforeEach(async () => {
  dir = tempDir();
  server = createServer();
  server.on("stream", (stream) => {
    stream.on("error", () => {});
    behave(stream);
  });
  server.on("sessionError", () => {});
  await new Promise<void>((listening) => server.listen(dir.file("csi.sock"), listening));
  client = openCsiClient({ address: dir.file("csi.sock") });
});
afterEach(async () => {
  client.stop();
  await new Promise((closed) => server.close(closed));
  dir.remove();
});

const HEADERS = { ":status": 200, "content-type": "application/grpc+proto" };
const frame = (payload: Buffer): Buffer => Buffer.concat([Buffer.from([0, 0, 0, 0, payload.length]), payload]);
const trailing = (stream: ServerHttp2Stream, body: Buffer, trailers: Record<string, string>): void => {
  stream.respond(HEADERS, { waitForTrailers: true });
  stream.on("wantTrailers", () => stream.sendTrailers(trailers));
  stream.end(body);
};
const expand = (): Promise<CsiError> =>
  client.controllerExpand({ volumeId: "v", requiredBytes: 1n, secrets: { key: "hunter22" } }).then(
    () => expect.fail("it did not fail"),
    (error: CsiError) => error,
  );

describe("no answer is in doubt", () => {
  const ways: [string, typeof behave][] = [
    ["the stream is closed without a word", (stream) => stream.close(constants.NGHTTP2_NO_ERROR)],
    ["the stream is reset: internal error", (stream) => stream.close(constants.NGHTTP2_INTERNAL_ERROR)],
    ["the stream is reset: protocol error", (stream) => stream.close(constants.NGHTTP2_PROTOCOL_ERROR)],
    ["the stream is reset: cancel", (stream) => stream.close(constants.NGHTTP2_CANCEL)],
    ["the stream is reset: enhance your calm", (stream) => stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM)],
    ["the stream is reset: inadequate security", (stream) => stream.close(constants.NGHTTP2_INADEQUATE_SECURITY)],
    ["the connection is destroyed", (stream) => stream.session?.destroy()],
    [
      "headers, then the connection is destroyed",
      (stream) => {
        stream.respond(HEADERS);
        setImmediate(() => stream.session?.destroy());
      },
    ],
    [
      "headers, then the end without a status",
      (stream) => {
        stream.respond(HEADERS);
        stream.end();
      },
    ],
    [
      "a page that says 500",
      (stream) => {
        stream.respond({ ":status": 500, "content-type": "text/html" });
        stream.end("<html>");
      },
    ],
    [
      "a page that says 404",
      (stream) => {
        stream.respond({ ":status": 404, "content-type": "text/html" });
        stream.end();
      },
    ],
    ["OK without a message", (stream) => trailing(stream, Buffer.alloc(0), { "grpc-status": "0" })],
    [
      "OK with a message that cannot be read",
      (stream) => trailing(stream, frame(Buffer.from([0xff, 0xff])), { "grpc-status": "0" }),
    ],
  ];
  test.each(ways)("%s", async (_, way) => {
    behave = way;
    const error = await expand();
    expect(error.message).toMatch(/^rpc error: code = (Unavailable|ResourceExhausted) desc = /);
    expect(error.final).toBe(false);
  });
});

describe("a driver's own word", () => {
  test("is final where it says so, in headers alone or after a body", async () => {
    behave = (stream) => {
      stream.respond({ ...HEADERS, "grpc-status": "13", "grpc-message": "pool%20is%20gone" }, { endStream: true });
    };
    expect(await expand()).toMatchObject({ code: "Internal", description: "pool is gone", final: true });
    behave = (stream) => trailing(stream, Buffer.alloc(0), { "grpc-status": "11", "grpc-message": "too large" });
    expect(await expand()).toMatchObject({ code: "OutOfRange", description: "too large", infeasible: true });
  });

  test("never shows a secret, even if the driver repeats it", async () => {
    behave = (stream) => trailing(stream, Buffer.alloc(0), { "grpc-status": "16", "grpc-message": "bad key hunter22" });
    const error = await expand();
    expect(error.description).toBe("bad key ***stripped***");
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain("hunter22");
  });

  test("with a code that gRPC does not know is Unknown", async () => {
    behave = (stream) => trailing(stream, Buffer.alloc(0), { "grpc-status": "77", "grpc-message": "what" });
    expect(await expand()).toMatchObject({ code: "Unknown", description: "what" });
  });
});
