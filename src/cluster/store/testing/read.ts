/** Reading watches in tests. */
import type { StoreEvent, Watch } from "../revisioned-store.ts";

/** The next so many events, or some more when they come together; then the watch is stopped. */
export async function take(watch: Watch, count: number): Promise<StoreEvent[]> {
  const taken: StoreEvent[] = [];
  for await (const events of watch) {
    taken.push(...events);
    if (taken.length >= count) break;
  }
  return taken;
}

/** All events until the watch ends. Rejects when it ends with an error. */
export async function readAll(watch: Watch): Promise<StoreEvent[]> {
  return await take(watch, Number.POSITIVE_INFINITY);
}
