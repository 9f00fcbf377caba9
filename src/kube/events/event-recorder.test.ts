import { describe, expect, it } from "vitest";
import { createClient } from "../client/client.ts";
import { CLAIMS, EVENTS } from "../client/resources.ts";
import type { Event } from "../client/types.ts";
import { type ApiCore, type ApiRequest, createApiCore } from "../testing/api-core.ts";
import type { Fault } from "../testing/faults.ts";
import { createManualTimers, type ManualTimers } from "../testing/manual-timers.ts";
import { recordMetrics } from "../testing/recorded-metrics.ts";
import { createSeeded } from "../testing/seeded.ts";
import { createVirtualTransport } from "../testing/virtual-transport.ts";
import { type EventRecorder, type EventRecorderOptions, referenceTo, startEventRecorder } from "./event-recorder.ts";

interface Setup {
  readonly recorder: EventRecorder;
  readonly timers: ManualTimers;
  readonly server: ApiCore;
  readonly requests: string[];
  readonly events: () => Event[];
  readonly dropped: (reason: string) => number;
  fault: ((request: ApiRequest) => Fault | undefined) | undefined;
}

function setUp(more: Partial<EventRecorderOptions> = {}): Setup {
  const timers = createManualTimers();
  const metrics = recordMetrics();
  const requests: string[] = [];
  const server = createApiCore({
    timers,
    fault(request) {
      requests.push(request.method);
      return setup.fault?.(request);
    },
  });
  const client = createClient(createVirtualTransport(server, timers, createSeeded(1)));
  const setup: Setup = {
    recorder: startEventRecorder({
      client,
      component: "external-resizer loop.csi.outgrow.dev",
      timers,
      metrics,
      ...more,
    }),
    timers,
    server,
    requests,
    events: () => (server.store(EVENTS.plural).list() ?? []) as Event[],
    dropped: (reason) => metrics.value("outgrow_events_dropped_total", { reason }) ?? 0,
    fault: undefined,
  };
  return setup;
}

const claim = (name: string) =>
  referenceTo(CLAIMS, { metadata: { namespace: "prod", name, uid: `uid of ${name}`, resourceVersion: "7" } });

describe("an event", () => {
  it("is told as Kubernetes tells them", async () => {
    const { recorder, timers, events } = setUp({ host: "node-1" });
    recorder.event(claim("data"), "Normal", "Resizing", "External resizer is resizing volume pv-1");
    await timers.advance(1_000);
    expect(events()).toMatchObject([
      {
        apiVersion: "v1",
        kind: "Event",
        metadata: { namespace: "prod", name: expect.stringMatching(/^data\.[0-9a-f]+$/) as string },
        involvedObject: {
          apiVersion: "v1",
          kind: "PersistentVolumeClaim",
          namespace: "prod",
          name: "data",
          uid: "uid of data",
          resourceVersion: "7",
        },
        type: "Normal",
        reason: "Resizing",
        message: "External resizer is resizing volume pv-1",
        source: { component: "external-resizer loop.csi.outgrow.dev", host: "node-1" },
        firstTimestamp: "2026-01-01T00:00:00Z",
        lastTimestamp: "2026-01-01T00:00:00Z",
        count: 1,
        reportingComponent: "external-resizer loop.csi.outgrow.dev",
        reportingInstance: "node-1",
      },
    ]);
  });

  it("about something without a namespace is in the default one", async () => {
    const { recorder, timers, events } = setUp();
    recorder.event({ kind: "PersistentVolume", name: "pv-1" }, "Warning", "R", "m");
    await timers.advance(1_000);
    expect(events()[0]?.metadata.namespace).toBe("default");
  });

  it("that happens again counts up, by a patch", async () => {
    const { recorder, timers, events, requests } = setUp();
    for (let i = 0; i < 3; i++) {
      recorder.event(claim("data"), "Normal", "R", "m");
      await timers.advance(60_000);
    }
    expect(events()).toMatchObject([{ count: 3, lastTimestamp: "2026-01-01T00:02:00Z" }]);
    expect(requests).toEqual(["POST", "PATCH", "PATCH"]);
  });

  it("that happens many times before it is sent costs one request", async () => {
    const { recorder, timers, events, requests } = setUp();
    for (let i = 0; i < 20; i++) recorder.event(claim("data"), "Normal", "R", "m");
    await timers.advance(1_000);
    expect(events()).toMatchObject([{ count: 20 }]);
    expect(requests).toEqual(["POST"]);
  });

  it("that happens while it is being sent is not forgotten", async () => {
    const { recorder, timers, events } = setUp();
    recorder.event(claim("data"), "Normal", "R", "m");
    await timers.advance(1);
    recorder.event(claim("data"), "Normal", "R", "m");
    await timers.advance(1_000);
    expect(events()).toMatchObject([{ count: 2 }]);
  });

  it("that the server has forgotten is told anew", async () => {
    const { recorder, timers, server, events } = setUp();
    recorder.event(claim("data"), "Normal", "R", "m");
    await timers.advance(1_000);
    server.store(EVENTS.plural).remove(`prod/${events()[0]?.metadata.name}`);
    recorder.event(claim("data"), "Normal", "R", "m");
    await timers.advance(1_000);
    expect(events()).toMatchObject([{ count: 2 }]);
  });

  it("is sent again when the server cannot take it now, and never told twice", async () => {
    const setup = setUp();
    const faults: Fault[] = [
      { kind: "status", status: 500, reason: "InternalError" },
      { kind: "drop" },
      { kind: "lost-answer" },
    ];
    setup.fault = () => faults.shift();
    setup.recorder.event(claim("data"), "Normal", "R", "m");
    await setup.timers.advance(60_000);
    expect(setup.events()).toMatchObject([{ count: 1 }]);
    expect(setup.requests).toEqual(["POST", "POST", "POST", "POST"]);
  });

  it.each([403, 404, 422])("that the server refuses with %s is dropped and counted", async (status) => {
    const setup = setUp();
    setup.fault = () => ({ kind: "status", status, reason: "" });
    setup.recorder.event(claim("data"), "Normal", "R", "m");
    await setup.timers.advance(600_000);
    expect(setup.requests).toHaveLength(1);
    expect(setup.dropped("refused")).toBe(1);
  });

  it("that fails again and again is given up", async () => {
    const setup = setUp();
    setup.fault = () => ({ kind: "drop" });
    setup.recorder.event(claim("data"), "Normal", "R", "m");
    await setup.timers.advance(3_600_000);
    expect(setup.requests).toHaveLength(13);
    expect(setup.dropped("refused")).toBe(1);
    expect(setup.timers.pending).toBe(0);
  });
});

describe("a flood", () => {
  it("about one object is passed over, and counted", async () => {
    const { recorder, timers, events, dropped } = setUp();
    for (let i = 0; i < 40; i++) {
      recorder.event(claim("data"), "Normal", "R", "m");
      await timers.advance(100);
    }
    expect(dropped("spam")).toBe(15);
    expect(events()).toMatchObject([{ count: 25 }]);
  });

  it("while the server is away is bounded, and never holds anybody up", async () => {
    const setup = setUp({ maxPending: 100 });
    setup.fault = () => ({ kind: "drop" });
    for (let i = 0; i < 500; i++) setup.recorder.event(claim(`data-${i}`), "Normal", "R", "m");
    expect(setup.dropped("flooded")).toBe(400);
    setup.fault = undefined;
    await setup.timers.advance(60_000);
    expect(setup.events()).toHaveLength(100);
  });
});

describe("stopping", () => {
  it("sends what waits, and may be done twice", async () => {
    const { recorder, timers, events } = setUp();
    for (let i = 0; i < 50; i++) recorder.event(claim(`data-${i}`), "Normal", "R", "m");
    await timers.run(recorder.stop(5_000));
    await timers.run(recorder.stop(5_000));
    expect(events()).toHaveLength(50);
    expect(timers.pending).toBe(0);
  });

  it("takes no longer than it may; what was not sent is counted", async () => {
    const setup = setUp();
    setup.fault = () => ({ kind: "silence" });
    for (let i = 0; i < 50; i++) setup.recorder.event(claim(`data-${i}`), "Normal", "R", "m");
    await setup.timers.run(setup.recorder.stop(2_000));
    expect(setup.timers.elapsed()).toBeLessThanOrEqual(2_100);
    expect(setup.dropped("unsent")).toBe(50);
    setup.recorder.event(claim("data"), "Normal", "R", "m");
    expect(setup.dropped("unsent")).toBe(51);
  });
});

describe("while there is work that matters more", () => {
  it("events give way, each for a tenth of a second at most, in their order", async () => {
    let busy = true;
    const { recorder, timers, events } = setUp({ senders: 1, yieldTo: () => busy });
    for (const name of ["a", "b", "c"]) recorder.event(claim(name), "Normal", "Resizing", "");
    const told = (): (string | undefined)[] => events().map(({ involvedObject }) => involvedObject.name);
    await timers.advance(90);
    expect(told()).toEqual([]);
    await timers.advance(110);
    expect(told()).toEqual(["a"]);
    busy = false;
    await timers.advance(300);
    expect(told()).toEqual(["a", "b", "c"]);
    await recorder.stop(0);
  });

  it("stopping does not wait for it", async () => {
    const { recorder, timers, events } = setUp({ senders: 1, yieldTo: () => true });
    for (const name of ["a", "b", "c"]) recorder.event(claim(name), "Normal", "Resizing", "");
    await timers.run(recorder.stop(1_000));
    expect(events()).toHaveLength(3);
  });
});
