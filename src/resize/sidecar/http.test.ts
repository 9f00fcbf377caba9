import { Counter, Registry } from "@prometheus-io/client";
import { afterEach, describe, expect, test } from "vitest";
import { type Endpoint, type EndpointSources, startEndpoint } from "./http.ts";
import type { HttpOptions } from "./options.ts";

let endpoint: Endpoint | undefined;
afterEach(() => endpoint?.stop());

async function start(options: Partial<HttpOptions> = {}, sources: Partial<EndpointSources> = {}): Promise<void> {
  const registry = new Registry();
  new Counter({ name: "things_total", help: "Things.", registers: [registry] }).inc(3);
  endpoint = await startEndpoint(
    { host: "127.0.0.1", port: 0, metricsPath: "/metrics", health: true, ...options },
    { registry, electionProblem: undefined, ...sources },
  );
}
async function get(path: string, method = "GET"): Promise<[status: number, body: string]> {
  const response = await fetch(`http://127.0.0.1:${endpoint?.port}${path}`, { method });
  return [response.status, await response.text()];
}

test("metrics are served under their path, and nowhere else", async () => {
  await start({ metricsPath: "/m" });
  expect(await get("/m")).toEqual([200, expect.stringContaining("things_total 3")]);
  expect(await get("/m?name=things_total")).toEqual([200, expect.stringContaining("things_total 3")]);
  expect(await get("/metrics")).toEqual([404, "404 page not found\n"]);
});

test("metrics say what they are", async () => {
  await start();
  const { headers } = await fetch(`http://127.0.0.1:${endpoint?.port}/metrics`);
  expect(headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
});

test("a metric that cannot be read is an error of the server, and no end of it", async () => {
  const registry = new Registry();
  registry.metrics = () => Promise.reject(new Error("unreadable"));
  await start({}, { registry });
  expect(await get("/metrics")).toEqual([500, "Error: unreadable\n"]);
  expect(await get("/healthz")).toEqual([200, "ok"]);
});

describe("the health of the lease", () => {
  test("is good while nothing is wrong with it", async () => {
    await start({}, { electionProblem: () => undefined });
    expect(await get("/healthz/leader-election")).toEqual([200, "ok"]);
  });

  test("is bad, with the reason, when it cannot be renewed", async () => {
    await start({}, { electionProblem: () => "failed election to renew leadership on lease l" });
    expect(await get("/healthz/leader-election")).toEqual([
      500,
      "internal server error: failed election to renew leadership on lease l\n",
    ]);
  });

  test("is not served without an election", async () => {
    await start();
    expect((await get("/healthz/leader-election"))[0]).toBe(404);
  });
});

test("the deprecated --metrics-address serves metrics alone", async () => {
  await start({ health: false }, { electionProblem: () => undefined });
  expect((await get("/metrics"))[0]).toBe(200);
  expect((await get("/healthz"))[0]).toBe(404);
  expect((await get("/healthz/leader-election"))[0]).toBe(404);
});

test("nothing is there to be written to", async () => {
  await start();
  expect(await get("/metrics", "POST")).toEqual([405, "method not allowed\n"]);
});

test("an address that is taken is an error", async () => {
  await start();
  await expect(start({ port: endpoint?.port ?? 0 })).rejects.toThrow("EADDRINUSE");
});

test("it may be stopped twice, with a connection open", async () => {
  await start();
  await get("/healthz");
  await Promise.all([endpoint?.stop(), endpoint?.stop()]);
  await expect(get("/healthz")).rejects.toThrow("fetch failed");
});
