import { describe, expect, test } from "vitest";
import { oneConnection, type Served, serve } from "./testing/serve.ts";

const ask = (served: Served, headers: Record<string, string>) => served.send("/", { headers });
/** With the port of the server in the place of `PORT`. */
const hostOf = (served: Served, host: string): string => host.replace("PORT", String(served.listener.port));

describe("a Host of this server is served:", () => {
  test.each([
    "localhost",
    "localhost:PORT",
    "LocalHost:PORT",
    "127.0.0.1",
    "127.0.0.1:PORT",
    "127.8.9.10:PORT",
    "[::1]",
    "[::1]:PORT",
    "[0:0:0:0:0:0:0:1]:PORT",
    "kubernetes.default.svc",
    "kubernetes.default.svc.cluster.local:PORT",
    "10.96.0.1:PORT",
  ])("%s", async (host) => {
    await using served = await serve();
    expect(await ask(served, { host: hostOf(served, host) })).toMatchObject({ code: 200 });
  });
});

describe("a foreign Host is refused, and told why:", () => {
  test.each([
    "example.com",
    "example.com:PORT",
    "localhost.example.com",
    "localhost:1",
    "127.0.0.1.example.com:PORT",
    "127.1",
    "2130706433:PORT",
    "0.0.0.0:PORT",
    "10.96.0.2:PORT",
    "[::2]:PORT",
    "[localhost]:PORT",
    "::1",
    "localhost:PORT:PORT",
    "localhost:",
    "user@localhost:PORT",
    "localhost, example.com",
  ])("%j", async (host) => {
    await using served = await serve();
    const { code, body } = await ask(served, { host: hostOf(served, host) });
    expect(code).toBe(403);
    expect(JSON.parse(body.toString())).toMatchObject({
      kind: "Status",
      reason: "Forbidden",
      message: expect.stringContaining("(DNS rebinding)") as string,
    });
  });
});

test.each(["https://example.com", "null", "https://localhost", ""])("any Origin is refused: %j", async (origin) => {
  await using served = await serve();
  const { code, headers, body } = await ask(served, { origin });
  expect(code).toBe(403);
  expect(JSON.parse(body.toString())).toMatchObject({
    kind: "Status",
    message: expect.stringContaining("Origin header") as string,
  });
  expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
});

test("a preflight of a browser is refused like the request that it asks for", async () => {
  await using served = await serve();
  const headers = { origin: "https://example.com", "access-control-request-method": "POST" };
  expect(await served.send("/", { method: "OPTIONS", headers })).toMatchObject({ code: 403 });
});

test("a refused request with a body leaves the connection good for the next", async () => {
  await using served = await serve();
  const agent = oneConnection();
  const body = Buffer.alloc(2 ** 20);
  expect(await served.send("/", { method: "POST", agent, headers: { origin: "null" } }, body)).toMatchObject({
    code: 403,
  });
  expect(await served.send("/", { agent })).toMatchObject({ code: 200 });
  agent.destroy();
});
