import { Registry } from "@prometheus-io/client";
import { describe, expect, it } from "vitest";
import { prometheusMetrics } from "./prometheus-metrics.ts";
import { createWorkQueue } from "./queue/work-queue.ts";
import { requestMetrics } from "./transport/request-metrics.ts";

describe("metrics for Prometheus", () => {
  it("are shared by those who ask for the same name", async () => {
    const registry = new Registry();
    const metrics = prometheusMetrics(registry);
    const description = { name: "things_total", help: "Things.", labels: ["kind"] };
    metrics.counter(description).inc({ kind: "a" });
    metrics.counter(description).inc({ kind: "a" }, 2);
    metrics.gauge({ name: "level", help: "Level.", labels: [] }).set({}, 7);
    const text = await registry.metrics();
    expect(text).toContain('things_total{kind="a"} 3');
    expect(text).toContain("level 7");
  });

  it("of queues differ in the name of the queue, are read when they are asked for, and go with it", async () => {
    const registry = new Registry();
    const metrics = prometheusMetrics(registry);
    const claims = createWorkQueue({ name: "claims", metrics });
    const volumes = createWorkQueue({ name: "volumes", metrics });
    claims.add("a");
    claims.add("b");
    volumes.add("a");
    expect(await claims.next()).toBe("a");
    const text = await registry.metrics();
    expect(text).toContain('workqueue_depth{name="claims"} 1');
    expect(text).toContain('workqueue_depth{name="volumes"} 1');
    expect(text).toContain('workqueue_adds_total{name="claims"} 2');
    expect(text).toContain('workqueue_queue_duration_seconds_count{name="claims"} 1');
    claims.shutDown();
    expect(await registry.metrics()).not.toContain('workqueue_depth{name="claims"}');
    expect(await registry.metrics()).toContain('workqueue_depth{name="volumes"} 1');
  });

  it("of requests are what client-go calls them", async () => {
    const registry = new Registry();
    const count = requestMetrics(prometheusMetrics(registry), "10.0.0.1:6443");
    count({ method: "GET", watch: true, status: 200, seconds: 0.01 });
    count({ method: "PATCH", watch: false, status: 0, seconds: 0.2 });
    const text = await registry.metrics();
    expect(text).toContain('rest_client_requests_total{code="200",host="10.0.0.1:6443",method="GET"} 1');
    expect(text).toContain('rest_client_requests_total{code="<error>",host="10.0.0.1:6443",method="PATCH"} 1');
    expect(text).toContain('rest_client_request_duration_seconds_count{host="10.0.0.1:6443",verb="WATCH"} 1');
  });
});
