/**
 * Which happenings are one event that counts up, and which are too many to be told. Pure apart from what it remembers;
 * the moment is handed in. Follows EventCorrelator of k8s.io/client-go/tools/record, in this order:
 *
 * 1. Ten different messages about one object for one reason within ten minutes: the tenth and all further ones become a
 *    single event, "(combined from similar events): ..." with the latest message.
 * 2. The same again: the event that is there counts one more.
 * 3. More than 25 events about one object at once: passed over, until a new one is allowed every five minutes. They are
 *    still counted, so the next that is told has the right number.
 */
import type { ObjectReference } from "../../core/types.ts";
import { createLru } from "./lru.ts";

export interface Happening {
  readonly object: ObjectReference;
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
}

/** One event of the API: told once, counted up after that. */
export interface Correlated {
  readonly key: string;
  readonly happening: Happening;
  /** Milliseconds since the epoch. */
  readonly first: number;
  last: number;
  /** The latest message: it differs from the first one for combined events. */
  message: string;
  count: number;
}

export interface Correlator {
  /** The event this belongs to, brought up to date; `spam`: it should not be told now. */
  correlate(happening: Happening, now: number): { readonly event: Correlated; readonly spam: boolean };
}

const REMEMBERED = 4096;
const SIMILAR_LIMIT = 10;
const SIMILAR_WINDOW = 600_000;
const SPAM_BURST = 25;
const SPAM_REFILL = 300_000;

interface Similar {
  readonly messages: Set<string>;
  last: number;
}

interface Bucket {
  tokens: number;
  filled: number;
}

export function createCorrelator(): Correlator {
  const similar = createLru<Similar>(REMEMBERED);
  const events = createLru<Correlated>(REMEMBERED);
  const buckets = createLru<Bucket>(REMEMBERED);

  /** Whether the happening is one of many that differ in their message only. */
  function isCombined(group: string, message: string, now: number): boolean {
    const record = similar.getOrCreate(group, () => ({ messages: new Set(), last: now }));
    if (now - record.last > SIMILAR_WINDOW) record.messages.clear();
    record.last = now;
    record.messages.add(message);
    if (record.messages.size < SIMILAR_LIMIT) return false;
    // One message in, one out: the set stays at its limit.
    const oldest = record.messages.values().next().value;
    if (oldest !== undefined) record.messages.delete(oldest);
    return true;
  }

  function isSpam(object: string, now: number): boolean {
    const bucket = buckets.getOrCreate(object, () => ({ tokens: SPAM_BURST, filled: now }));
    bucket.tokens = Math.min(SPAM_BURST, bucket.tokens + (now - bucket.filled) / SPAM_REFILL);
    bucket.filled = now;
    if (bucket.tokens < 1) return true;
    bucket.tokens--;
    return false;
  }

  return {
    correlate(happening, now) {
      const { object, type, reason, message } = happening;
      const { apiVersion, kind, namespace, name, uid } = object;
      const about = JSON.stringify([apiVersion, kind, namespace, name, uid]);
      const group = JSON.stringify([about, type, reason]);
      const combined = isCombined(group, message, now);
      const text = combined ? `(combined from similar events): ${message}` : message;
      const key = combined ? group : JSON.stringify([group, message]);
      const event = events.getOrCreate(key, () => ({ key, happening, first: now, last: now, message: text, count: 0 }));
      event.count++;
      event.last = now;
      event.message = text;
      return { event, spam: isSpam(about, now) };
    },
  };
}
