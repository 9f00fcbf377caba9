/** Watchers of one question, each at its own pace, alone and together: none misses a change, or hears of one twice. */
import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createSeeded, type Seeded } from "../../../kube/testing/seeded.ts";
import { keyOf, openMemoryStore, type RevisionedStore } from "../../store/index.ts";
import { createCatalog } from "../catalog/catalog.ts";
import type { Resource } from "../catalog/resource.ts";
import { get } from "../json.ts";
import { metadataOf } from "../lifecycle/metadata.ts";
import { createObjectStore } from "../objects/object-store.ts";
import { type ObjectEvent, watchObjects } from "../objects/watch.ts";
import type { EventLine } from "./answer.ts";
import { createFeeds, type Feeds } from "./feed.ts";
import type { Source } from "./source.ts";
import { type Changes, tellChanges } from "./tell-changes.ts";

interface Watcher {
  /** The versions of what it was told, in order. */
  readonly told: number[];
  readonly from: number;
  readonly changes: Changes;
  /** Rejects with what ended it, if it was not stopped. */
  readonly over: Promise<void>;
  /** Takes no more until it is called again with true. */
  read(isReading: boolean): void;
}

interface Scene {
  readonly store: RevisionedStore;
  readonly feeds: Feeds;
  /** How often a change was written, for however many. */
  readonly written: () => number;
  watch(): Watcher;
  /** Creates, changes or deletes one of a few. */
  write(name: string): Promise<void>;
}

function scene(): Scene {
  const store = openMemoryStore({ limits: { events: 1000 } });
  const objects = createObjectStore(store);
  const resource = createCatalog().find("", "v1", "configmaps") as Resource;
  const feeds = createFeeds();
  let written = 0;
  const lineOf = ({ object }: ObjectEvent): EventLine => {
    written++;
    return { bytes: Buffer.alloc(0), value: Number(get(metadataOf(object), "resourceVersion")) };
  };
  const source: Source = {
    lineOf,
    open: (revision = store.revision) =>
      watchObjects(objects, resource.kind, { namespace: "default", resourceVersion: String(revision) }),
    bookmark: () => ({ bytes: Buffer.alloc(0), value: undefined }),
    feed: () => feeds.of(resource, "all", source),
  };
  const key = (name: string): string => keyOf({ resource: "configmaps", namespace: "default", name });
  return {
    store,
    feeds,
    written: () => written,
    watch() {
      const told: number[] = [];
      const from = store.revision;
      let room: PromiseWithResolvers<void> | undefined;
      const sink = {
        write: ({ value }: EventLine) => told.push(value as number) > 0,
        drained: () => room?.promise,
      };
      const over = Promise.withResolvers<void>();
      const onOver = (error?: unknown): void => (error === undefined ? over.resolve() : over.reject(error));
      const changes = tellChanges({ watch: source.open(from), source, sink, onOver });
      changes.begin();
      return {
        told,
        from,
        changes,
        over: over.promise,
        read(isReading) {
          if (isReading) room?.resolve();
          room = isReading ? undefined : (room ?? Promise.withResolvers());
        },
      };
    },
    async write(name) {
      const value = (revision: number): string =>
        JSON.stringify({ metadata: { name, namespace: "default", resourceVersion: String(revision) } });
      const there = store.get(key(name));
      if (there === undefined) await store.create(key(name), value);
      else if (there.revision % 3 === 0) await store.delete(key(name), there.revision);
      else await store.update(key(name), there.revision, value);
    },
  };
}

/** What somebody who began there has to be told. */
function everythingBehind({ store }: Scene, from: number): number[] {
  return Array.from({ length: store.revision - from }, (_, index) => from + index + 1);
}

async function anything(each: Scene, watchers: Watcher[], seeded: Seeded): Promise<void> {
  const what = seeded.below(10);
  if (what < 5)
    await Promise.all(
      Array.from({ length: 1 + seeded.below(3) }, (_, at) => each.write(`map-${at}-${seeded.below(4)}`)),
    );
  else if (what < 6) watchers.push(each.watch());
  else if (what < 9) for (const watcher of watchers) if (seeded.chance(0.3)) watcher.read(seeded.chance(0.6));
  for (let pause = seeded.below(3); pause > 0; pause--) await setImmediate();
}

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  "each is told everything once, in order, whatever its pace (seed %i)",
  async (seed) => {
    const seeded = createSeeded(seed);
    const each = scene();
    const watchers = [each.watch(), each.watch()];
    for (let step = 0; step < 400; step++) await anything(each, watchers, seeded);
    for (const watcher of watchers) watcher.read(true);
    await setImmediate();
    for (const { told, from, changes } of watchers) {
      expect(told).toEqual(everythingBehind(each, from));
      expect(changes.revision).toBe(each.store.revision);
    }
    // They did have others read for them: one by one it would have been written as often as it was told.
    expect(each.written()).toBeLessThan(watchers.reduce((sum, { told }) => sum + told.length, 0) / 2);
    for (const { changes } of watchers) changes.stop();
    await Promise.all(watchers.map(({ over }) => over));
    await each.store.close();
  },
);

describe("together", () => {
  test("a change is written once for all", async () => {
    const each = scene();
    const watchers = Array.from({ length: 100 }, () => each.watch());
    await each.write("a");
    expect(each.written()).toBe(1);
    expect(watchers.every(({ told }) => told.length === 1)).toBe(true);
  });

  test("who stops is told no more, and does not stop the others", async () => {
    const each = scene();
    const [first, second] = [each.watch(), each.watch()];
    first.changes.stop();
    await first.over;
    await each.write("a");
    expect([first.told.length, second.told.length]).toEqual([0, 1]);
    // It must not say that it was told of more than that.
    expect([first.changes.revision, second.changes.revision]).toEqual([first.from, each.store.revision]);
  });

  test("nothing is left when all have gone, and the next begin anew", async () => {
    const each = scene();
    each.watch().changes.stop();
    await each.write("a");
    expect(each.written()).toBe(0);
    const next = each.watch();
    await each.write("b");
    expect(next.told).toEqual([each.store.revision]);
  });

  test("the end of the store is told to each", async () => {
    const each = scene();
    const watchers = [each.watch(), each.watch()];
    const ends = watchers.map(({ over }) => expect(over).rejects.toMatchObject({ reason: "Closed" }));
    await each.store.close();
    await Promise.all(ends);
  });
});
