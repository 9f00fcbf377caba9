/** Telling people what happens to an object, as core/v1 Events, without ever holding up the work. */
import { toTimestamp } from "../../core/clock.ts";
import { messageOf } from "../../core/errors.ts";
import type { KubeObject, ObjectReference } from "../../core/types.ts";
import type { KubeClient } from "../client/client.ts";
import { apiVersionOf, type Resource } from "../client/resource.ts";
import { EVENTS } from "../client/resources.ts";
import type { Event } from "../client/types.ts";
import { isAlreadyExists, isNotFound, isTooManyRequests, isUnauthorized, KubeError } from "../kube-error.ts";
import { type Logger, silentLogger } from "../logger.ts";
import { type Metrics, noMetrics } from "../metrics.ts";
import { createWorkQueue } from "../queue/work-queue.ts";
import { settlesWithin, sleep, systemTimers, type Timers } from "../timers.ts";
import { type Correlated, createCorrelator, type Happening } from "./correlate.ts";
import { eventMetrics } from "./event-metrics.ts";

export interface EventRecorderOptions {
  readonly client: Pick<KubeClient, "create" | "patch">;
  /** Who tells: `source.component`, for example `external-resizer loop.csi.outgrow.dev`. */
  readonly component: string;
  /** On which machine: `source.host`. */
  readonly host?: string;
  /** Events that may wait to be sent; more are dropped and counted. @default 1000 */
  readonly maxPending?: number;
  /** Events that are sent at the same time. Fewer leave more of the API server to the work. @default 4 */
  readonly senders?: number;
  /** Whether the API server has work waiting that matters more; each event then gives way to it for a while. @default no */
  readonly yieldTo?: () => boolean;
  readonly timers?: Timers;
  readonly logger?: Logger;
  readonly metrics?: Metrics;
}

export interface EventRecorder {
  /** Returns at once and never throws. What becomes of it: see correlate.ts, and `maxPending`. */
  event(object: ObjectReference, type: Happening["type"], reason: string, message: string): void;
  /** Sends what waits, for at most this many milliseconds; the rest is dropped and counted. May be called twice. */
  stop(deadline: number): Promise<void>;
}

/** What an event is about: an object that is at hand, and its kind, which held objects do not carry. */
export function referenceTo(
  resource: Resource,
  { metadata }: KubeObject,
): ObjectReference & { resourceVersion?: string } {
  const { namespace, name, uid, resourceVersion } = metadata;
  return {
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
}

const MAX_ATTEMPTS = 12;
/** An event gives way to work for this long at most, and looks again this often, in milliseconds. */
const GIVE_WAY = 100;
const LOOK_AGAIN = 20;

export function startEventRecorder(options: EventRecorderOptions): EventRecorder {
  const { client, component, host, maxPending = 1000, senders = 4, yieldTo = () => false } = options;
  const { timers = systemTimers, logger = silentLogger, metrics = noMetrics } = options;
  const correlator = createCorrelator();
  const queue = createWorkQueue({ name: "events", backoffBase: 500, backoffMax: 30_000, timers });
  const pending = new Map<string, Correlated>();
  /** The name of each event in the API: the same in every attempt, so that none is told twice. */
  const names = new WeakMap<Correlated, string>();
  const told = new WeakSet<Correlated>();
  const aborted = new AbortController();
  const counted = eventMetrics(metrics);
  let serial = 0;
  let stopped = false;

  async function tell(event: Correlated): Promise<void> {
    const { object } = event.happening;
    const namespace = object.namespace ?? "default";
    const name = names.get(event) ?? eventName(event, serial++);
    names.set(event, name);
    const lastTimestamp = toTimestamp(event.last);
    if (told.has(event)) {
      const body = { count: event.count, lastTimestamp, message: event.message };
      try {
        await client.patch(EVENTS, { namespace, name }, { type: "merge", body }, {}, aborted.signal);
        return;
      } catch (error) {
        // The server keeps events for an hour only; then it is told anew.
        if (!isNotFound(error)) throw error;
      }
    }
    const created: Event = {
      metadata: { namespace, name },
      involvedObject: object,
      type: event.happening.type,
      reason: event.happening.reason,
      message: event.message,
      source: host === undefined ? { component } : { component, host },
      firstTimestamp: toTimestamp(event.first),
      lastTimestamp,
      count: event.count,
      reportingComponent: component,
      reportingInstance: host ?? "",
    };
    try {
      await client.create(EVENTS, created, {}, aborted.signal);
    } catch (error) {
      // An attempt whose answer was lost.
      if (!isAlreadyExists(error)) throw error;
    }
    told.add(event);
  }

  const hasToWait = (): boolean => !stopped && yieldTo();

  async function giveWay(): Promise<void> {
    for (let waited = 0; waited < GIVE_WAY && hasToWait(); waited += LOOK_AGAIN) {
      await sleep(timers, LOOK_AGAIN);
    }
  }

  async function send(): Promise<void> {
    for (let key = await queue.next(); key !== undefined; key = await queue.next()) {
      await giveWay();
      const event = pending.get(key);
      // What happens from now on is news for the next round.
      pending.delete(key);
      try {
        if (event !== undefined) {
          await tell(event);
          counted.sent();
        }
        queue.forget(key);
      } catch (error) {
        if (event !== undefined) retry(event, error);
      } finally {
        queue.done(key);
      }
    }
  }

  function retry(event: Correlated, error: unknown): void {
    const { key, happening } = event;
    const hopeless = isRefusal(error) || queue.failures(key) >= MAX_ATTEMPTS;
    logger.debug({ reason: happening.reason, why: messageOf(error), hopeless }, "an event was not told");
    if (stopped || hopeless) {
      queue.forget(key);
      counted.dropped(hopeless ? "refused" : "unsent");
      return;
    }
    pending.set(key, event);
    queue.addRateLimited(key);
  }

  const sending = Promise.all(Array.from({ length: senders }, send));

  return {
    event(object, type, reason, message) {
      const { event, spam } = correlator.correlate({ object, type, reason, message }, timers.now());
      if (stopped) counted.dropped("unsent");
      else if (spam) counted.dropped("spam");
      else if (pending.size >= maxPending && !pending.has(event.key)) counted.dropped("flooded");
      else {
        pending.set(event.key, event);
        queue.add(event.key);
      }
    },
    async stop(deadline) {
      stopped = true;
      queue.shutDown();
      if (!(await settlesWithin(timers, deadline, sending))) aborted.abort();
      await sending;
      for (const _ of pending) counted.dropped("unsent");
      pending.clear();
    },
  };
}

/** As Kubernetes names them: the object, and a moment that is never twice the same. */
function eventName({ happening, first }: Correlated, serial: number): string {
  const nanoseconds = BigInt(Math.floor(first)) * 1_000_000n + BigInt(serial % 1_000_000);
  return `${happening.object.name ?? "unknown"}.${nanoseconds.toString(16)}`;
}

/** The server does not want it, and will not want it later: the namespace is going away, the object is malformed ... */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof KubeError &&
    error.status >= 400 &&
    error.status < 500 &&
    !isUnauthorized(error) &&
    !isTooManyRequests(error)
  );
}
