/** What all controllers of this folder have in common: how they are started, fed and stopped. */
import {
  createWorkQueue,
  type EventRecorder,
  isConflict,
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

export interface ControllerOptions {
  /** Closed by whoever made it. */
  readonly client: KubeClient;
  /** How many keys are worked on at the same time. */
  readonly workers?: number;
  readonly timers?: Timers;
  readonly logger?: Logger;
  readonly metrics?: Metrics;
}

export interface Controller {
  /** Resolves when the caches are filled; rejects when it is stopped before that. */
  readonly synced: Promise<unknown>;
  /** Finishes what is under way, for a few seconds at most. May be called twice. */
  stop(): Promise<void>;
}

/** What a controller is made from, and what it has at hand. */
export interface Surroundings {
  readonly client: KubeClient;
  readonly queue: WorkQueue;
  readonly recorder: EventRecorder;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** For requests and informers: aborted when there is no time left. */
  readonly signal: AbortSignal;
}

export interface Behaviour {
  /** What must be filled before anything is decided, and is stopped in the end. */
  readonly informers: readonly { readonly synced: Promise<unknown>; stop(): Promise<void> }[];
  /** Brings what the key stands for forward. A lost race is no failure: it is looked at again at once. */
  readonly reconcile: (key: string) => Promise<Outcome>;
}

export interface RunOptions extends ControllerOptions {
  /** Of the queue, for its metrics. */
  readonly name: string;
  /** Who tells people what happens. @default the name */
  readonly component?: string;
  /** The longest wait between failures of one key, in milliseconds. @default 1_000_000 */
  readonly backoffMax?: number;
}

/** After a lost race: the watch may have told the news before the write was refused. */
const LOOK_AGAIN_MS = 50;

/** Starts at once. `begin` starts informers whose handlers put keys into the queue. */
export function runController(options: RunOptions, begin: (surroundings: Surroundings) => Behaviour): Controller {
  const { client, name, component = name, workers = 5, backoffMax = 1_000_000 } = options;
  const { timers = systemTimers, logger = silentLogger, metrics = noMetrics } = options;
  const queue = createWorkQueue({ name, backoffMax, timers, metrics });
  const recorder = startEventRecorder({ client, component, timers, logger, metrics });
  const stopping = new AbortController();
  const givingUp = new AbortController();
  const behaviour = begin({ client, queue, recorder, timers, logger, metrics, signal: givingUp.signal });

  async function reconcile(key: string): Promise<Outcome> {
    try {
      return await behaviour.reconcile(key);
    } catch (error) {
      if (!isConflict(error)) throw error;
      logger.debug({ key, err: error }, "somebody else was first");
      return { after: LOOK_AGAIN_MS };
    }
  }

  const synced = Promise.all(behaviour.informers.map((informer) => informer.synced));
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
      // The recorder first: that we give up is nothing to tell people about.
      await recorder.stop(2_000);
      givingUp.abort(reason);
      await Promise.all(behaviour.informers.map((informer) => informer.stop()));
    },
  };
}
