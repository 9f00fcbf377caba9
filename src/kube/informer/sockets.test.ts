/**
 * The histories of histories.test.ts once more, fewer of them, with the real client over real connections: nothing that
 * undici, HTTP or Node's streams do may make a difference. Time runs three hundred times faster than the clock.
 */
import { expect, it } from "vitest";
import type { ApiRequest } from "../testing/api-core.ts";
import { startApiServer } from "../testing/api-server.ts";
import { connect } from "../testing/connect.ts";
import { createFastTimers } from "../testing/fast-timers.ts";
import type { Fault } from "../testing/faults.ts";
import { createHistory, type History, live } from "../testing/history.ts";
import { randomFault } from "../testing/random-faults.ts";
import { createSeeded, type Seeded } from "../testing/seeded.ts";
import { until } from "../testing/until.ts";

const SPEED = 300;
const AT_ONCE = 20;

function faultOf(history: History | undefined, seeded: Seeded, request: ApiRequest): Fault | undefined {
  if (history === undefined || !history.stormy) return undefined;
  const fault = randomFault(seeded, request, history.stale);
  // The client waits a minute for an answer, by the clock of the machine.
  return fault?.kind === "silence" ? { kind: "drop" } : fault;
}

it.each([
  [0, "serve"],
  [1, "serve"],
  [2, "refuse"],
  [3, "ignore"],
  [4, "serve"],
] as const)(
  "20 histories end well over real connections, round %i (streaming lists: %s)",
  { timeout: 60_000 },
  async (round, streamingLists) => {
    const histories = Array.from({ length: AT_ONCE }, (_, i) => createHistory(round * AT_ONCE + i));
    const byPlural = new Map(histories.map((history) => [history.resource.plural, history]));
    const seeded = createSeeded(round);
    const server = await startApiServer({
      maxPage: 3,
      streamingLists,
      timers: createFastTimers(SPEED),
      fault: (request) => faultOf(byPlural.get(/things-\d+/.exec(request.path)?.[0] ?? ""), seeded, request),
    });
    const timers = createFastTimers(SPEED);
    const client = connect(server.url, { timers, maxRetries: 1 });
    const world = { server, client, timers, crash: () => server.disconnect() };
    await Promise.all(histories.map((history) => live(history, world)));

    expect(timers.pending).toBe(0);
    await client.close();
    await until("the connections are gone", () => server.connections === 0);
    for (const { resource } of histories) expect(server.store(resource.plural).subscribers).toBe(0);
    await server.close();
  },
);
