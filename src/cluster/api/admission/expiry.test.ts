import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { toTimestamp } from "../../../core/clock.ts";
import { createManualTimers } from "../../../kube/testing/manual-timers.ts";
import { openMemoryStore, type RevisionedStore } from "../../store/index.ts";
import type { JsonObject } from "../json.ts";
import { BUILT_IN } from "../kinds/built-in.ts";
import type { Kind } from "../kinds/kind.ts";
import { textOf } from "../lifecycle/metadata.ts";
import { listObjects } from "../objects/list.ts";
import { createObjectStore, type ObjectStore } from "../objects/object-store.ts";
import { EVENT_LIFETIME_MS, isExpired, startEventSweeper, sweepEvents } from "./expiry.ts";
import { NOW, object } from "./testing/cluster.ts";

const EVENTS = BUILT_IN.find(({ kind, group }) => kind === "Event" && group === "") as Kind;

let store: RevisionedStore;
let objects: ObjectStore;
beforeEach(() => {
  store = openMemoryStore();
  objects = createObjectStore(store);
});
afterEach(() => store.close());

const event = (name: string, made: number, written: number = made) =>
  object("v1", "Event", name, {
    metadata: {
      creationTimestamp: toTimestamp(made),
      managedFields: [{ manager: "kubelet", operation: "Update", time: toTimestamp(written) }],
    },
  });
const names = () => listObjects(objects, EVENTS, {}).items.map((each) => textOf(each, "name"));

describe("events", () => {
  test.each<{ name: string; sent: JsonObject; expired: boolean }>([
    { name: "an hour old", sent: event("e", NOW - EVENT_LIFETIME_MS), expired: true },
    { name: "not quite an hour old", sent: event("e", NOW - EVENT_LIFETIME_MS + 1000), expired: false },
    { name: "old, and written again since", sent: event("e", 0, NOW - 1000), expired: false },
    {
      name: "old, with a time of the client's in the future",
      sent: { ...event("e", 0), lastTimestamp: "2999-01-01T00:00:00Z" },
      expired: true,
    },
    { name: "without any time", sent: object("v1", "Event", "e"), expired: false },
  ])("are kept for an hour after the server wrote them: $name", ({ sent, expired }) => {
    expect(isExpired(sent, NOW)).toBe(expired);
  });

  test("that are too old are removed, the others stay", async () => {
    for (const each of [event("new", NOW), event("old", 0)]) await objects.create(EVENTS, each);
    expect(await sweepEvents(objects, EVENTS, NOW)).toBe(1);
    expect(names()).toEqual(["new"]);
  });

  test("that somebody deletes at the same moment are theirs", async () => {
    const old = await objects.create(EVENTS, event("old", 0));
    const removal = objects.remove(EVENTS, old);
    expect(await sweepEvents(objects, EVENTS, NOW)).toBe(0);
    await expect(removal).resolves.toBeDefined();
  });

  test("are looked for once a minute, until it is stopped", async () => {
    const timers = createManualTimers(NOW);
    const sweeper = startEventSweeper({
      objects,
      kinds: [EVENTS],
      timers,
      onError: (error) => expect.unreachable(String(error)),
    });
    await objects.create(EVENTS, event("old", NOW - EVENT_LIFETIME_MS + 30_000));
    await timers.advance(60_000);
    await sweeper.stop();
    await sweeper.stop();
    expect(names()).toEqual([]);
    expect(timers.pending).toBe(0);
  });
});
