/** Events are kept for an hour after they were last written, and then are gone (kube-apiserver's --event-ttl). */
import { fromTimestamp } from "../../../core/clock.ts";
import type { Timers } from "../../../kube/timers.ts";
import { get, isList, isObject, type JsonObject } from "../json.ts";
import type { Kind } from "../kinds/kind.ts";
import { metadataOf } from "../lifecycle/metadata.ts";
import { listObjects } from "../objects/list.ts";
import type { ObjectStore } from "../objects/object-store.ts";
import { StatusError } from "../status-error.ts";

export const EVENT_LIFETIME_MS = 60 * 60 * 1000;

/** How often the old ones are looked for. */
const SWEEP_EVERY_MS = 60 * 1000;

/**
 * Whether an event has outlived its hour. Only times that the server itself has written count, so that a client whose clock is
 * wrong can neither lose its events nor keep them for ever. One without any such time stays.
 */
export function isExpired(event: JsonObject, now: number): boolean {
  const metadata = metadataOf(event);
  const managed = get(metadata, "managedFields");
  const times = [metadata, ...(isList(managed) ? managed.filter(isObject) : [])]
    .flatMap((each) => [get(each, "creationTimestamp"), get(each, "time")])
    .flatMap((time) => (typeof time === "string" ? (fromTimestamp(time) ?? []) : []));
  return times.length > 0 && now >= Math.max(...times) + EVENT_LIFETIME_MS;
}

/** Removes what has expired, and tells how many. One that somebody writes or deletes meanwhile is left to them. */
export async function sweepEvents(objects: ObjectStore, kind: Kind, now: number): Promise<number> {
  const { items } = listObjects(objects, kind, { matches: (event) => isExpired(event, now) });
  // All at once: writes of one turn reach the disk together.
  const removed = await Promise.all(
    items.map(async (event) => {
      try {
        await objects.remove(kind, event);
        return true;
      } catch (error) {
        if (error instanceof StatusError && (error.code === 404 || error.code === 409)) return false;
        throw error;
      }
    }),
  );
  return removed.filter(Boolean).length;
}

export interface EventSweeper {
  /** Resolves when the last sweep has ended. May be called twice. */
  stop(): Promise<void>;
}

export interface EventSweeperDeps {
  readonly objects: ObjectStore;
  /** The kinds that events are stored under. */
  readonly kinds: readonly Kind[];
  readonly timers: Timers;
  /** Hears what went wrong; the next sweep tries again. */
  readonly onError: (error: unknown) => void;
}

/** Sweeps once a minute until it is stopped. */
export function startEventSweeper({ objects, kinds, timers, onError }: EventSweeperDeps): EventSweeper {
  let stopped = false;
  let sweep: Promise<void> = Promise.resolve();
  let cancel = timers.after(SWEEP_EVERY_MS, begin);

  function begin(): void {
    sweep = sweepAll().finally(() => {
      if (!stopped) cancel = timers.after(SWEEP_EVERY_MS, begin);
    });
  }

  async function sweepAll(): Promise<void> {
    try {
      for (const kind of kinds) await sweepEvents(objects, kind, timers.now());
    } catch (error) {
      onError(error);
    }
  }

  return {
    stop() {
      stopped = true;
      cancel();
      return sweep;
    },
  };
}
