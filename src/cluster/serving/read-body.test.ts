import { randomBytes } from "node:crypto";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { readBody } from "./read-body.ts";
import { oneConnection, serve } from "./testing/serve.ts";

const LIMIT = 1000;
const reading = {
  handle: async (request, response) => void response.end(await readBody(request, LIMIT)),
} satisfies Parameters<typeof serve>[0];

const chunked = { "transfer-encoding": "chunked" };
const gzipped = { "content-encoding": "gzip" };

describe("is read whole:", () => {
  test.each([
    ["nothing", {}, "", ""],
    ["a text", {}, "text", "text"],
    ["as much as there may be", {}, "x".repeat(LIMIT), "x".repeat(LIMIT)],
    ["in chunks", chunked, "x".repeat(LIMIT), "x".repeat(LIMIT)],
    ["as it is, and said to be so", { "content-encoding": "identity" }, "text", "text"],
    ["gzip", gzipped, gzipSync("x".repeat(LIMIT)), "x".repeat(LIMIT)],
    ["gzip in another spelling", { "content-encoding": "GZIP" }, gzipSync("text"), "text"],
  ])("%s", async (_, headers, sent, expected) => {
    await using served = await serve(reading);
    const { code, body } = await served.send("/", { method: "POST", headers }, sent);
    expect({ code, body: body.toString() }).toEqual({ code: 200, body: expected });
  });
});

describe("is refused:", () => {
  const tooLarge = { code: 413, reason: "RequestEntityTooLarge", message: "Request entity too large: limit is 1000" };
  test.each([
    ["one byte too much", {}, Buffer.alloc(LIMIT + 1), tooLarge],
    ["one byte too much, in chunks", chunked, Buffer.alloc(LIMIT + 1), tooLarge],
    ["far too much", {}, Buffer.alloc(5 * 2 ** 20), tooLarge],
    ["far too much, in chunks", chunked, Buffer.alloc(5 * 2 ** 20), tooLarge],
    ["gzip of one byte too much", gzipped, gzipSync(Buffer.alloc(LIMIT + 1)), tooLarge],
    ["a bomb", gzipped, gzipSync(Buffer.alloc(900_000)), tooLarge],
    ["gzip that is itself too large", gzipped, gzipSync(randomBytes(LIMIT)), tooLarge],
    ["gzip that is none", gzipped, Buffer.from("text"), { code: 400, message: "the body of the request is no gzip" }],
    ["gzip that is cut short", gzipped, gzipSync("text").subarray(0, -4), { code: 400 }],
    ["brotli", { "content-encoding": "br" }, brotliCompressSync("text"), { code: 415, reason: "UnsupportedMediaType" }],
    ["gzip in gzip", { "content-encoding": "gzip, gzip" }, gzipSync(gzipSync("text")), { code: 415 }],
  ])("%s", async (_, headers, sent, expected) => {
    await using served = await serve(reading);
    const agent = oneConnection();
    const { code, body } = await served.send("/", { method: "POST", headers, agent }, sent);
    expect(code).toBe(expected.code);
    expect(JSON.parse(body.toString())).toMatchObject({ kind: "Status", status: "Failure", ...expected });
    expect(await served.send("/", { method: "POST", agent }, "next")).toMatchObject({ code: 200 });
    agent.destroy();
  });
});
