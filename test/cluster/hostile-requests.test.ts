/** Paths, headers, tokens and queries that are tricks; clients that leave in the middle, or never read. */
import { once } from "node:events";
import type { TLSSocket } from "node:tls";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { heldMegabytes, startTarget, type Target } from "./target.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";

let target: Target;
beforeAll(async () => {
  target = await startTarget();
});
afterEach(() => target.isFine());
afterAll(() => target[Symbol.asyncDispose]());

/** What is answered to these bytes, until the server closes. */
async function say(text: string): Promise<string> {
  const socket = await target.open();
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  socket.write(text);
  await once(socket, "close");
  return Buffer.concat(chunks).toString();
}

function head(path: string, more = ""): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${target.access.token}\r\n${more}`;
}

describe("paths that are tricks find nothing", () => {
  test.each([
    "/api/v1/namespaces/default/configmaps/%2e%2e/secrets",
    "/api/v1/namespaces/%2e%2e/secrets",
    "/api/v1/namespaces/../secrets",
    "/api/v1//namespaces",
    "//api/v1/namespaces",
    "/api/v1/namespaces/default/configmaps/%00",
    "/api/v1/namespaces/default/configmaps/a%2fb",
    "/api/v1/namespaces/default/configmaps/%c0%ae%c0%ae",
    "/api/v1/namespaces/default/configmaps/%zz",
    "/api/v1/namespaces/default/configmaps/a%25",
    "/api/v1/__proto__",
    "/apis/constructor/toString",
    "/apis/__proto__/v1/__proto__",
    "/openapi/v3/apis/__proto__/constructor",
    "/api/v1/namespaces/default/configmaps/x/__proto__",
    `/${"a/".repeat(5_000)}`,
    `/api/v1/namespaces/default/configmaps/${"a".repeat(10_000)}`,
  ])("%s", async (path) => {
    expect(await say(`${head(path)}Connection: close\r\n\r\n`)).toMatch(/^HTTP\/1.1 404 [\s\S]*"kind":"Status"/);
  });
});

describe("who is not let in", () => {
  const token = (claims: object): string => {
    const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
    return `${encode({ alg: "none" })}.${encode(claims)}.`;
  };
  test.each<[string, Record<string, string>, number]>([
    ["no token", { authorization: "" }, 403],
    ["a wrong token", { authorization: "Bearer x" }, 401],
    ["a very long one", { authorization: `Bearer ${"x".repeat(10_000)}` }, 401],
    [
      "one that nobody signed",
      { authorization: `Bearer ${token({ sub: "system:serviceaccount:kube-system:x" })}` },
      401,
    ],
    ["a token that is no token at all", { authorization: "Bearer a.b.c" }, 401],
    ["another scheme, which is no token", { authorization: "Basic YWRtaW46YWRtaW4=" }, 403],
    ["a page of somebody else's", { origin: "https://example.com" }, 403],
  ])("%s", async (_, headers, code) => {
    const answer = await target.send("GET", "/api/v1/secrets", { headers });
    expect(answer.json).toMatchObject({ kind: "Status", code });
  });

  test("a foreign host", async () => {
    const foreign = head("/api").replace("localhost", "example.com");
    expect(await say(`${foreign}Connection: close\r\n\r\n`)).toMatch(/^HTTP\/1.1 403 [\s\S]*"kind":"Status"/);
  });

  test("a token whose end somebody has moved", async () => {
    const path = "/api/v1/namespaces/default/serviceaccounts";
    await target.send("POST", path, { body: { metadata: { name: "guest" } } });
    const review = { spec: { expirationSeconds: 600 } };
    const { json } = await target.send("POST", `${path}/guest/token`, { body: review });
    const { token: good } = (json as { status: { token: string } }).status;
    const [header = "", claims = "", signature = ""] = good.split(".");
    const read = JSON.parse(Buffer.from(claims, "base64url").toString()) as object;
    const later = Buffer.from(JSON.stringify({ ...read, exp: 4_102_444_800 })).toString("base64url");
    const as = (text: string) => target.send("GET", "/api", { headers: { authorization: `Bearer ${text}` } });
    expect((await as(good)).code).toBe(200);
    expect((await as(`${header}.${later}.${signature}`)).code).toBe(401);
  });

  test("headers without end", async () => {
    expect(await say(`${head("/")}${"X: y\r\n".repeat(20_000)}\r\n`)).toMatch(/^HTTP\/1.1 431 [\s\S]*"kind":"Status"/);
  });
});

describe("queries", () => {
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const token = (rv: unknown, start: unknown) => `limit=1&continue=${encoded({ v: "meta.k8s.io/v1", rv, start })}`;
  test.each<[string, number]>([
    ["limit=-1", 200],
    ["limit=99999999999999999999", 200],
    ["limit=1e3", 400],
    ["limit=0x10", 400],
    ["continue=%00%ff", 400],
    ["continue=bnVsbA", 400],
    [token(-1, "a"), 200],
    [token(-1, "/../secrets"), 200],
    [token(-2, "a"), 400],
    [token(1e15, "a"), 504],
    [token(1, "a"), 410],
    [token("1", "a"), 400],
    [token(1000, { a: 1 }), 400],
    ["resourceVersion=abc", 400],
    ["resourceVersion=-1", 400],
    ["resourceVersion=1.5", 400],
    ["resourceVersion=99999999999999999999999999", 504],
    ["resourceVersion=1&resourceVersionMatch=Exact", 410],
    ["resourceVersion=1&resourceVersionMatch=Whatever", 422],
    ["labelSelector=(((((", 400],
    [`labelSelector=${"a%20in%20(".repeat(500)}`, 400],
    [`labelSelector=${encodeURIComponent("(a+)+$=.*")}`, 400],
    [`labelSelector=${Array.from({ length: 1_500 }, (_, index) => `a${index}`).join(",")}`, 200],
    [`labelSelector=a%20in%20(${"b,".repeat(3_000)}b)`, 200],
    ["fieldSelector=__proto__=x", 400],
    ["fieldSelector=metadata.name=a%2Fb", 200],
    ["fieldSelector=metadata.name=", 200],
    ["watch=true&timeoutSeconds=1&fieldSelector=metadata.name=a%2Fb", 200],
    ["watch=true&timeoutSeconds=-1", 200],
    ["fieldSelector=metadata.name.constructor=x", 400],
    [`fieldSelector=${"%5C".repeat(2_000)}`, 400],
    ["watch=true&resourceVersion=abc", 500],
    ["watch=true&timeoutSeconds=abc", 400],
    ["watch=true&sendInitialEvents=true", 422],
    ["fieldManager=%00&dryRun=Some", 200],
  ])("%s", async (query, code) => {
    const answer = await target.send("GET", `${MAPS}?${query}`);
    if (code !== 200) expect(answer.json).toMatchObject({ kind: "Status" });
    expect(answer.code).toBe(code);
  });

  test("a watch that is to last for ever lasts until it is left", async () => {
    const socket = await target.open();
    let said = "";
    socket.on("data", (chunk: Buffer) => (said += chunk.toString()));
    socket.write(`${head(`${MAPS}?watch=true&timeoutSeconds=99999999999999`)}\r\n`);
    await expect.poll(() => said).toContain("200 OK");
    await target.send("POST", MAPS, { body: { metadata: { name: "seen" } } });
    await expect.poll(() => said).toMatch(/"ADDED".*"seen"/);
    socket.destroy();
  });

  test.each(["dryRun=Some", `fieldManager=${"x".repeat(200)}`, "fieldValidation=Whatever"])(
    "POST ?%s",
    async (query) => {
      const { json } = await target.send("POST", `${MAPS}?${query}`, { body: { metadata: { name: "q" } } });
      expect(json).toMatchObject({ kind: "Status", code: 422 });
    },
  );
});

describe("clients that misbehave", () => {
  /** Sockets that a test forgot do not outlive it. */
  const open: TLSSocket[] = [];
  async function connect(): Promise<TLSSocket> {
    const socket = await target.open();
    open.push(socket);
    return socket;
  }
  const closedBy = async (socket: TLSSocket): Promise<void> => {
    if (!socket.closed) await once(socket, "close");
  };
  const closeAll = async (): Promise<void> => {
    const closed = open.map(closedBy);
    for (const socket of open.splice(0)) socket.destroy();
    await Promise.all(closed);
  };
  const watches = async (): Promise<number> => {
    const { text } = await target.send("GET", "/metrics");
    return Number(/^outgrow_api_watches (\d+)/m.exec(text)?.[1]);
  };

  test("a thousand watches of one client cost nothing once they are gone", async () => {
    const run = async (count: number): Promise<void> => {
      for (let opened = 0; opened < count; opened += 50) {
        const sockets = await Promise.all(Array.from({ length: 50 }, connect));
        await Promise.all(
          sockets.map((socket) => {
            socket.write(`${head(`${MAPS}?watch=true`)}\r\n`);
            return once(socket, "data");
          }),
        );
      }
      await expect.poll(watches).toBe(count);
      await closeAll();
      await expect.poll(watches, { timeout: 60_000 }).toBe(0);
    };
    await run(100);
    const before = await heldMegabytes();
    await run(1000);
    expect((await heldMegabytes()) - before).toBeLessThan(10);
  }, 180_000);

  test("a watch that is never read is cut off, and holds no more than it may", async () => {
    const path = `${MAPS}/large`;
    const data = { a: "x".repeat(900_000) };
    await target.send("POST", MAPS, { body: { metadata: { name: "large" }, data } });
    const lazy = await connect();
    lazy.write(`${head(`${MAPS}?watch=true&fieldSelector=metadata.name%3Dlarge`)}\r\n`);
    await once(lazy, "readable");
    lazy.pause();
    const before = await heldMegabytes();
    for (let time = 0; time < 60; time++) {
      await target.send("PATCH", path, {
        type: "application/merge-patch+json",
        body: { metadata: { labels: { time: String(time) } } },
      });
    }
    // What history keeps is bounded by itself; the rest is what waits for the reader.
    expect((await heldMegabytes()) - before).toBeLessThan(70);
    await closeAll();
    await expect.poll(watches).toBe(0);
  }, 180_000);

  test("requests that are cut in the middle leave nothing behind", async () => {
    const body = JSON.stringify({ metadata: { name: "cut" }, data: { a: "x".repeat(2000) } });
    const request = `${head(MAPS, `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`).replace("GET", "POST")}\r\n${body}`;
    const before = await heldMegabytes();
    for (let round = 0; round < 40; round++) {
      const sockets = await Promise.all(Array.from({ length: 25 }, connect));
      for (const [index, socket] of sockets.entries()) {
        const length = 1 + (((round * 25 + index) * 7919) % (request.length - 1));
        socket.write(request.slice(0, length), () => socket.destroy());
      }
      await Promise.all(sockets.map(closedBy));
      open.length = 0;
    }
    expect((await target.send("GET", `${MAPS}/cut`)).code).toBe(404);
    expect((await heldMegabytes()) - before).toBeLessThan(10);
  }, 180_000);
});
