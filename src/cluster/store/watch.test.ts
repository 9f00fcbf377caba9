/** Followers of a store that read at their own pace, while it is written to and forgets: none ever misses an event unawares. */
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { createSeeded, type Seeded } from "../../kube/testing/seeded.ts";
import { openMemoryStore, type RevisionedStore, StoreError, type StoreEvent, type Watch } from "./index.ts";

interface Follower {
  /** What it believes to be there: revisions by key. */
  readonly seen: Map<string, number>;
  watch: Watch | undefined;
  relists: number;
}

/** Each event must fit what is believed: it replaces just the value that was seen last. */
function apply(seen: Map<string, number>, event: StoreEvent): void {
  expect(event.type === "created" ? undefined : event.previous.revision).toBe(seen.get(event.key));
  if (event.type === "deleted") seen.delete(event.key);
  else seen.set(event.key, event.revision);
}

/** Lists, watches, and begins anew when it has fallen behind; until its watch is stopped. */
async function follow(store: RevisionedStore, prefix: string, follower: Follower, seeded: Seeded): Promise<void> {
  for (;;) {
    const { entries, revision } = store.list({ prefix });
    follower.seen.clear();
    for (const entry of entries) follower.seen.set(entry.key, entry.revision);
    follower.watch = store.watch(prefix, revision);
    try {
      for await (const events of follower.watch) {
        for (const event of events) apply(follower.seen, event);
        for (let pause = seeded.below(12); pause > 0; pause--) await setImmediate();
      }
      return;
    } catch (error) {
      if (!(error instanceof StoreError) || error.reason !== "Compacted") throw error;
      follower.relists++;
    }
  }
}

async function writeAtRandom(store: RevisionedStore, seeded: Seeded): Promise<void> {
  const key = `${seeded.pick(["p", "q"])}/${seeded.below(8)}`;
  const current = store.get(key);
  if (current === undefined) await store.create(key, "1");
  else if (seeded.chance(0.3)) await store.delete(key, current.revision);
  else await store.update(key, current.revision, "2");
}

test.each([1, 2, 3, 4, 5])(
  "followers end with what is there, or have been told to list again (seed %i)",
  async (seed) => {
    const seeded = createSeeded(seed);
    const store = openMemoryStore({ limits: { events: 10 } });
    const followers = ["", "p/", "p/", "q/", "none/"].map((prefix) => {
      const follower: Follower = { seen: new Map(), watch: undefined, relists: 0 };
      return { prefix, follower, following: follow(store, prefix, follower, seeded) };
    });
    for (let n = 0; n < 600; n++) {
      await writeAtRandom(store, seeded);
      if (seeded.chance(0.1)) for (let pause = seeded.below(30); pause > 0; pause--) await setImmediate();
    }
    while (followers.some(({ follower }) => follower.watch?.revision !== store.revision)) await setImmediate();
    for (const { prefix, follower, following } of followers) {
      follower.watch?.stop();
      await following;
      const there = store.list({ prefix }).entries.map(({ key, revision }) => [key, revision]);
      expect([...follower.seen].sort(([a], [b]) => (a < b ? -1 : 1))).toEqual(there);
    }
    expect(followers.some(({ follower }) => follower.relists > 0)).toBe(true);
    // One that waits is told of every revision, also of those that are not its own, and never falls behind.
    expect(followers.at(-1)?.follower.relists).toBe(0);
    await store.close();
  },
);

test("a watch has one reader at a time", async () => {
  const store = openMemoryStore();
  const watch = store.watch("", store.revision);
  const first = watch[Symbol.asyncIterator]().next();
  await expect(watch[Symbol.asyncIterator]().next()).rejects.toThrow("one reader at a time");
  watch.stop();
  expect(await first).toEqual({ done: true, value: undefined });
  await store.close();
});
