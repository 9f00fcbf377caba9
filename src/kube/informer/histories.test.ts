/**
 * The informer against everything that can go wrong, in thousands of histories of writes, own writes, forgotten
 * history, bookmarks, faults and crashes. Network and time are virtual, so that an hour passes in milliseconds and a seed
 * gives the same history again; sockets.test.ts does the same over real connections. In the end the cache must be what
 * the server has, what handlers were told must add up to the same, nothing may have gone back in time, and nothing may
 * be left behind.
 */
import { expect, it } from "vitest";
import { createClient } from "../client/client.ts";
import { createApiCore } from "../testing/api-core.ts";
import { createHistory, live } from "../testing/history.ts";
import { createManualTimers } from "../testing/manual-timers.ts";
import { randomFault } from "../testing/random-faults.ts";
import { createSeeded } from "../testing/seeded.ts";
import { createVirtualTransport } from "../testing/virtual-transport.ts";

const HISTORIES = 3000;
const SLICES = 10;

async function tell(seed: number): Promise<void> {
  const history = createHistory(seed);
  const timers = createManualTimers();
  const seeded = createSeeded(~seed);
  const server = createApiCore({
    timers,
    maxPage: 3,
    streamingLists: seeded.pick(["serve", "serve", "refuse", "ignore"]),
    fault: (request) => (history.stormy ? randomFault(seeded, request, history.stale) : undefined),
  });
  const transport = createVirtualTransport(server, timers, seeded);
  const client = createClient(transport);
  await timers.run(live(history, { server, client, timers, crash: () => transport.disconnect() }));
  await timers.advance(1000);
  expect([timers.pending, transport.streams, server.store(history.resource.plural).subscribers]).toEqual([0, 0, 0]);
}

it.each(Array.from({ length: SLICES }, (_, i) => (i * HISTORIES) / SLICES))(
  `${HISTORIES / SLICES} histories end well, from seed %i`,
  { timeout: 60_000 },
  async (first) => {
    for (let seed = first; seed < first + HISTORIES / SLICES; seed++) await tell(seed);
  },
);
