/** What all controllers of this folder have in common: how they are started, fed and stopped. */
import {
  createWorkQueue,
  type EventRecorder,
  isConflict,
  isNotFound,
  type KubeClient,
  type Logger,
  type Metrics,
  noMetrics,
  type Outcome,
  runWorkers,
  settledOrAborted,
  silentLogger,
  startEventRecorder,
  systemTimers,
  type Timers,
  type WorkQueue,
} from "../../../../kube/index.ts";
import { createView, type View } from "./view.ts";

export interface VolumeControllerOptions {
  readonly client: KubeClient;
  /** Shared with other controllers, and stopped by whoever made it. @default one of its own */
  readonly view?: View;
  /** How many claims and volumes are worked on at the same time. @default 10 */
  readonly workers?: number;
  readonly timers?: Timers;
  readonly logger?: Logger;
  readonly metrics?: Metrics;
}

export interface VolumeController {
  /** Resolves when the caches are filled; rejects when it is stopped before that. */
  readonly synced: Promise<unknown>;
  /** Finishes what is under way, for a few seconds at most. May be called twice. */
  stop(): Promise<void>;
}

/** What a controller is made from, and what it has at hand. */
export interface Surroundings {
  readonly client: KubeClient;
  readonly view: View;
  readonly queue: WorkQueue;
  readonly recorder: EventRecorder;
  readonly timers: Timers;
  readonly logger: Logger;
  /** For requests: aborted when there is no time left to finish them. */
  readonly signal: AbortSignal;
}

export interface Behaviour {
  /** What must be filled before anything is decided. */
  readonly caches: readonly { readonly synced: Promise<void> }[];
  /**
   * Brings one claim (`namespace/name`) or volume (`name`) forward. A lost race counts as done: the news of it come.
   */
  readonly reconcile: (key: string) => Promise<Outcome>;
  /** Forgets the handlers and whatever else it has opened. */
  readonly end: () => void | Promise<void>;
}

export interface RunOptions extends VolumeControllerOptions {
  /** Of the queue, for its metrics. */
  readonly name: string;
  /** Who tells people what happens. */
  readonly component: string;
  /** The waits between failures of one key, in milliseconds. @default 5 and 1_000_000 */
  readonly backoff?: { readonly base: number; readonly max: number };
}

/** After a lost race: the watch may have told the news before the write was refused. */
const LOOK_AGAIN_MS = 100;

/** Starts at once. `begin` adds handlers to the view's informers, which put keys into the queue. */
export function runController(options: RunOptions, begin: (surroundings: Surroundings) => Behaviour): VolumeController {
  const { client, name, component, backoff, workers = 10 } = options;
  const { timers = systemTimers, logger = silentLogger, metrics = noMetrics } = options;
  const view = options.view ?? createView({ client, timers, logger, metrics });
  const waits = backoff === undefined ? {} : { backoffBase: backoff.base, backoffMax: backoff.max };
  const queue = createWorkQueue({ name, ...waits, timers, metrics });
  const recorder = startEventRecorder({ client, component, timers, logger, metrics });
  const stopping = new AbortController();
  const givingUp = new AbortController();
  const { signal } = givingUp;
  const behaviour = begin({ client, view, queue, recorder, timers, logger, signal });

  async function reconcile(key: string): Promise<Outcome> {
    try {
      return await behaviour.reconcile(key);
    } catch (error) {
      if (!isConflict(error) && !isNotFound(error)) throw error;
      logger.debug({ key, err: error }, "somebody else was first");
      return { after: LOOK_AGAIN_MS };
    }
  }

  const synced = Promise.all(behaviour.caches.map((cache) => cache.synced));
  synced.catch(() => {});
  const run = async (): Promise<void> => {
    await settledOrAborted(synced, stopping.signal);
    // Also when it was stopped before that: the queue is shut down here.
    await runWorkers({ queue, workers, reconcile, logger, timers }, stopping.signal);
  };
  const running = run();

  return {
    synced,
    async stop() {
      const reason = new DOMException(`the ${name} controller was stopped`, "AbortError");
      stopping.abort(reason);
      await running;
      // It was not begun when the caches were never filled.
      queue.shutDown();
      // The recorder first: that we give up is nothing to tell people about.
      await recorder.stop(2_000);
      givingUp.abort(reason);
      await behaviour.end();
      if (options.view === undefined) await view.stop();
    },
  };
}
