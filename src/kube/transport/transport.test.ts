import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import type { Credential, Credentials } from "../config/credentials.ts";
import { isConflict, isUnauthorized, isUnreachable } from "../kube-error.ts";
import type { ApiRequest } from "../testing/api-core.ts";
import { type ApiServer, type ApiServerOptions, startApiServer } from "../testing/api-server.ts";
import { configFor } from "../testing/connect.ts";
import { failure } from "../testing/failure.ts";
import { createFastTimers } from "../testing/fast-timers.ts";
import { createManualTimers } from "../testing/manual-timers.ts";
import { until } from "../testing/until.ts";
import { createTransport, type RequestInfo, type Transport, type TransportOptions } from "./transport.ts";

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

type Answer = (request: ApiRequest, response: ServerResponse) => void;

/** A server that gives these answers in turn, the last one for ever. */
async function answering(...answers: Answer[]): Promise<ApiServer> {
  let count = 0;
  return serverWith({
    intercept(request, response) {
      answers[Math.min(count++, answers.length - 1)]?.(request, response);
      return true;
    },
  });
}

async function serverWith(options: ApiServerOptions): Promise<ApiServer> {
  const server = await startApiServer(options);
  open.push(() => server.close());
  return server;
}

function transportTo(server: ApiServer, options: TransportOptions = {}, credentials?: Credentials): Transport {
  const config = configFor(server.url, credentials === undefined ? {} : { credentials });
  const transport = createTransport(config, { timers: createFastTimers(1000), ...options });
  open.push(() => transport.close());
  return transport;
}

const json =
  (status: number, body: unknown, headers: Record<string, string | string[]> = {}): Answer =>
  (_, response) =>
    void response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
const status = (code: number, reason: string, headers: Record<string, string> = {}): Answer =>
  json(code, { kind: "Status", code, reason, message: "because" }, headers);
const cutShort: Answer = (_, response) => {
  response.writeHead(200, { "content-length": "100" });
  response.write('{"half":', () => response.socket?.destroy());
};
const hangUp: Answer = (_, response) => void response.socket?.destroy();

describe("a request", () => {
  it("carries JSON, who we are and what we accept, below the server's path", async () => {
    const server = await answering(json(200, { ok: true }));
    const config = configFor(`${server.url}/k8s/clusters/c-1`, { headers: { "impersonate-group": ["a", "b"] } });
    const transport = createTransport(config, { userAgent: "outgrow/1.0" });
    open.push(() => transport.close());
    const answer = await transport.json({
      method: "PATCH",
      path: "/api/v1/pods?limit=1",
      body: { a: 1 },
      contentType: "application/merge-patch+json",
    });
    expect(answer).toEqual({ ok: true });
    expect(server.requests[0]).toMatchObject({
      method: "PATCH",
      path: "/k8s/clusters/c-1/api/v1/pods",
      body: { a: 1 },
      headers: {
        accept: "application/json",
        "user-agent": "outgrow/1.0",
        "content-type": "application/merge-patch+json",
        "impersonate-group": "a, b",
      },
    });
  });

  it("keeps its connection for the next one", async () => {
    const server = await answering(json(200, {}));
    const transport = transportTo(server);
    for (let i = 0; i < 20; i++) await transport.json({ method: "GET", path: "/" });
    expect(server.connections).toBeLessThanOrEqual(2);
  });

  it("keeps its connection after a deletion that says how", async () => {
    const sockets = new Set<unknown>();
    const server = await answering((_, response) => {
      sockets.add(response.socket);
      response.end("{}");
    });
    const transport = transportTo(server);
    for (let i = 0; i < 20; i++) await transport.json({ method: "DELETE", path: "/", body: { kind: "DeleteOptions" } });
    expect(sockets.size).toBeLessThanOrEqual(2);
  });

  it("is limited in connections, not in number", async () => {
    const server = await answering(json(200, {}));
    const transport = transportTo(server, { connections: 4 });
    await Promise.all(Array.from({ length: 50 }, () => transport.json({ method: "GET", path: "/" })));
    expect(server.requests).toHaveLength(50);
    expect(server.connections).toBeLessThanOrEqual(4);
  });

  it("that is refused says what, why and which object", async () => {
    const details = { name: "db", kind: "statefulsets", causes: [{ field: "spec", message: "no" }] };
    const server = await answering(
      json(409, { kind: "Status", code: 409, reason: "Conflict", message: "modified", details }),
    );
    const error = await failure(
      transportTo(server).json({ method: "PUT", path: "/x", what: "update statefulsets db" }),
    );
    expect(error).toMatchObject({
      message: "update statefulsets db: modified",
      reason: "Conflict",
      status: 409,
      details,
    });
    expect(isConflict(error)).toBe(true);
  });

  it.each([
    ["a page of a proxy", 502, "<html>\n<b>Bad   Gateway</b>", "<html> <b>Bad Gateway</b>", "InternalError"],
    ["nothing", 403, "", "403 Forbidden", "Forbidden"],
    ["JSON of another kind", 404, '{"kind":"Pod"}', '{"kind":"Pod"}', "NotFound"],
  ])("that is refused with %s is an error all the same", async (_, code, body, message, reason) => {
    const server = await answering((_, response) => void response.writeHead(code).end(body));
    const error = await failure(transportTo(server).json({ method: "GET", path: "/x" }));
    expect(error).toMatchObject({ status: code, reason, message: `GET /x: ${message}` });
  });

  it("whose answer is not JSON is an error that shows it", async () => {
    const server = await answering((_, response) => void response.end("hello"));
    const error = await failure(transportTo(server).json({ method: "GET", path: "/x" }));
    expect(error).toMatchObject({ reason: "BadResponse", message: "GET /x: the answer is not JSON: hello" });
  });

  it("that nobody answers is an error that says so, at once", async () => {
    const server = await answering(json(200, {}));
    await server.down();
    const error = await failure(transportTo(server).json({ method: "GET", path: "/x" }));
    expect(isUnreachable(error)).toBe(true);
    expect(error.message).toContain("GET /x: connect ECONNREFUSED");
  });

  it("hands on what the server warns of", async () => {
    const warning = ['299 - "a is deprecated"', '299 - "b is unknown"'];
    const server = await answering(json(200, {}, { warning }));
    const warnings: string[] = [];
    await transportTo(server, { onWarning: (text) => warnings.push(text) }).json({ method: "GET", path: "/" });
    expect(warnings).toEqual(["a is deprecated", "b is unknown"]);
  });

  it("is measured, each attempt", async () => {
    const server = await answering(status(429, "TooManyRequests", { "retry-after": "1" }), json(200, {}));
    const seen: RequestInfo[] = [];
    await transportTo(server, { onRequest: (info) => seen.push(info) }).json({ method: "POST", path: "/", body: {} });
    expect(seen).toMatchObject([
      { method: "POST", watch: false, status: 429 },
      { method: "POST", watch: false, status: 200 },
    ]);
    await server.down();
    await failure(transportTo(server, { onRequest: (info) => seen.push(info) }).json({ method: "GET", path: "/" }));
    expect(seen.at(-1)).toMatchObject({ method: "GET", status: 0 });
  });

  it("keeps to the rate that was asked for", async () => {
    const timers = createManualTimers();
    const server = await answering(json(200, {}));
    const transport = transportTo(server, { timers, limit: { qps: 5, burst: 1 } });
    await transport.json({ method: "GET", path: "/" });
    const second = transport.json({ method: "GET", path: "/" });
    await timers.advance(199);
    expect(server.requests).toHaveLength(1);
    await timers.advance(1);
    await second;
    expect(server.requests).toHaveLength(2);
  });
});

describe("patience", () => {
  it.each([
    ["GET", 429],
    ["POST", 429],
    ["GET", 503],
    ["PUT", 500],
    ["PATCH", 503],
    ["DELETE", 504],
  ] as const)("%s is sent again after %s, when the time that the server asks for is over", async (method, code) => {
    const timers = createManualTimers();
    const server = await answering(status(code, "", { "retry-after": "7" }), json(200, { ok: true }));
    const answer = transportTo(server, { timers }).json({ method, path: "/", body: {} });
    await until("the wait begins", () => timers.pending === 1);
    await timers.advance(6_999);
    expect(server.requests).toHaveLength(1);
    await timers.advance(1);
    expect(await answer).toEqual({ ok: true });
  });

  it("also reads the time from the answer, and waits a second where none is given", async () => {
    const timers = createManualTimers();
    const details = { retryAfterSeconds: 3 };
    const server = await answering(
      json(429, { kind: "Status", reason: "TooManyRequests", details }),
      status(429, "TooManyRequests"),
      json(200, {}),
    );
    const answer = transportTo(server, { timers }).json({ method: "GET", path: "/" });
    await until("the wait begins", () => timers.pending === 1);
    await timers.advance(3_000);
    await until("the second wait begins", () => server.requests.length === 2 && timers.pending === 1);
    await timers.advance(1_000);
    await answer;
  });

  it("is not for a request that wants none: 429 is the answer then, as of a disruption budget", async () => {
    const server = await answering(status(429, "TooManyRequests", { "retry-after": "1" }), json(200, {}));
    const error = await failure(transportTo(server).json({ method: "POST", path: "/eviction", patient: false }));
    expect(error).toMatchObject({ status: 429 });
    expect(server.requests).toHaveLength(1);
  });

  it("has an end", async () => {
    const server = await answering(status(429, "TooManyRequests", { "retry-after": "1" }));
    const error = await failure(transportTo(server, { maxRetries: 3 }).json({ method: "GET", path: "/" }));
    expect(error).toMatchObject({ status: 429, retryAfter: 1000 });
    expect(server.requests).toHaveLength(4);
  });

  it.each([
    ["POST", 503, { "retry-after": "1" }],
    ["GET", 500, {}],
    ["GET", 409, { "retry-after": "1" }],
  ] as const)("is not shown to %s answered with %s and %o", async (method, code, headers) => {
    const server = await answering(status(code, "", headers), json(200, {}));
    await failure(transportTo(server).json({ method, path: "/", body: {} }));
    expect(server.requests).toHaveLength(1);
  });

  it("ends with the signal", async () => {
    const timers = createManualTimers();
    const server = await answering(status(429, "", { "retry-after": "7" }));
    const controller = new AbortController();
    const answer = transportTo(server, { timers }).json({ method: "GET", path: "/" }, controller.signal);
    await until("the wait begins", () => timers.pending === 1);
    controller.abort(new Error("enough"));
    await expect(answer).rejects.toThrow("enough");
    expect(timers.pending).toBe(0);
  });
});

describe("a connection that breaks", () => {
  it.each([
    ["before the answer", hangUp],
    ["within the answer", cutShort],
  ])("%s is replaced at once, for a request that may be sent twice", async (_, breaking) => {
    const server = await answering(breaking, json(200, { ok: true }));
    expect(await transportTo(server).json({ method: "GET", path: "/" })).toEqual({ ok: true });
  });

  it("is replaced once only", async () => {
    const server = await answering(hangUp);
    const error = await failure(transportTo(server).json({ method: "GET", path: "/" }));
    expect(isUnreachable(error)).toBe(true);
    expect(server.requests).toHaveLength(2);
  });

  it.each([
    ["POST", undefined],
    ["PATCH", false],
  ] as const)("leaves a %s in doubt: that is the caller's to resolve", async (method, idempotent) => {
    const server = await answering(hangUp, json(200, {}));
    const request = { method, path: "/", body: {}, ...(idempotent === undefined ? {} : { idempotent }) };
    expect(isUnreachable(await failure(transportTo(server).json(request)))).toBe(true);
    expect(server.requests).toHaveLength(1);
  });
});

describe("credentials that are refused", () => {
  /** Gives a new token whenever the last one was refused. */
  function renewing(renewable: boolean): Credentials & { readonly refusals: Credential[] } {
    const refusals: Credential[] = [];
    return {
      refusals,
      current: async () => ({ authorization: `Bearer t${refusals.length}`, certificate: undefined }),
      refused(credential) {
        refusals.push(credential);
        return renewable;
      },
    };
  }
  const onlyToken =
    (token: string): Answer =>
    (request, response) =>
      (request.headers.authorization === `Bearer ${token}` ? json(200, { ok: true }) : status(401, "Unauthorized"))(
        request,
        response,
      );

  it("are renewed, and the request is sent again, whatever it is", async () => {
    const server = await answering(onlyToken("t1"));
    const answer = await transportTo(server, {}, renewing(true)).json({ method: "POST", path: "/", body: {} });
    expect(answer).toEqual({ ok: true });
    expect(server.requests).toHaveLength(2);
  });

  it("are renewed once only", async () => {
    const server = await answering(onlyToken("t7"));
    const credentials = renewing(true);
    const error = await failure(transportTo(server, {}, credentials).json({ method: "GET", path: "/" }));
    expect(isUnauthorized(error)).toBe(true);
    expect(credentials.refusals).toHaveLength(1);
  });

  it("that cannot be renewed are an error at once", async () => {
    const server = await answering(onlyToken("t7"));
    await failure(transportTo(server, {}, renewing(false)).json({ method: "GET", path: "/" }));
    expect(server.requests).toHaveLength(1);
  });
});

describe("a stream", () => {
  async function collect(stream: AsyncIterable<unknown>): Promise<unknown[]> {
    const values: unknown[] = [];
    for await (const value of stream) values.push(value);
    return values;
  }

  it("brings what each line says, until the server ends it", async () => {
    const server = await answering((_, response) => {
      response.write('{"one":');
      setImmediate(() => response.end('1}\n"two"\n'));
    });
    const stream = await transportTo(server).stream({ method: "GET", path: "/" });
    expect(await collect(stream)).toEqual([{ one: 1 }, "two"]);
  });

  it("throws when the connection breaks", async () => {
    const server = await answering((_, response) => response.write("1\n", () => response.socket?.destroy()));
    const stream = await transportTo(server).stream({ method: "GET", path: "/x" });
    const error = await failure(collect(stream));
    expect(isUnreachable(error)).toBe(true);
    expect(error.message).toContain("GET /x: ");
  });

  it("is cut when its reader stops, and when the signal is aborted", async () => {
    const server = await answering((_, response) => void response.write("1\n"));
    const transport = transportTo(server);
    for await (const _ of await transport.stream({ method: "GET", path: "/" })) break;
    await until("the connection is gone", () => server.connections === 0);

    const controller = new AbortController();
    const stream = await transport.stream({ method: "GET", path: "/" }, controller.signal);
    const reading = collect(stream);
    controller.abort(new Error("enough"));
    await expect(reading).rejects.toThrow("enough");
    await until("the connection is gone", () => server.connections === 0);
  });

  it("that is refused is an error like any other", async () => {
    const server = await answering(status(410, "Expired"));
    const error = await failure(transportTo(server).stream({ method: "GET", path: "/" }));
    expect(error).toMatchObject({ status: 410, reason: "Expired" });
  });
});

describe("closing", () => {
  it("cuts what is under way, leaves no connection, and may be done twice", async () => {
    const server = await answering((_, response) => void response.write("half"));
    const transport = transportTo(server);
    const stream = await transport.stream({ method: "GET", path: "/" });
    const request = failure(transport.json({ method: "POST", path: "/", body: {} }));
    await until("both are there", () => server.connections === 2);
    await transport.close();
    await transport.close();
    expect(isUnreachable(await request)).toBe(true);
    await expect(
      (async () => {
        for await (const _ of stream);
      })(),
    ).rejects.toThrow();
    await until("the connections are gone", () => server.connections === 0);
  });

  it("makes later requests fail", async () => {
    const server = await answering(json(200, {}));
    for (const transport of [transportTo(server), transportTo(server)]) {
      if (server.requests.length === 0) await transport.json({ method: "GET", path: "/" });
      await transport.close();
      expect((await failure(transport.json({ method: "GET", path: "/" }))).message).toContain("was closed");
    }
    expect(server.requests).toHaveLength(1);
  });
});
