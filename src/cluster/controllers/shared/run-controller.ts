/** What the controllers of a cluster have in common: how they are started, fed and stopped. */
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
  type WorkQueueOptions,
} from "../../../kube/index.ts";
import { isNamespaceTerminating } from "./terminating.ts";

export interface ControllerOptions {
  /** Closed by whoever made it. */
  readonly client: KubeClient;
  /** How many keys are worked on at the same time. @default 5 */
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
  readonly informers?: readonly { readonly synced: Promise<unknown>; stop(): Promise<void> }[];
  /** What must be filled as well, and belongs to somebody else. */
  readonly borrowed?: readonly { readonly synced: Promise<unknown> }[];
  /**
   * Brings what the key stands for forward. A lost race is no failure, nor is a namespace that is being deleted: it is looked at
   * again soon.
   */
  readonly reconcile: (key: string) => Promise<Outcome>;
  /** Forgets its handlers, and whatever else it has opened. May be called twice. */
  readonly end?: () => void | Promise<void>;
}

/** The name is that of the queue, and so are the waits between failures of one key. */
export interface RunOptions extends ControllerOptions, Pick<WorkQueueOptions, "name" | "backoffBase" | "backoffMax"> {
  /** Who tells people what happens. @default the name */
  readonly component?: string;
  /** What is told to people waits while there is work to do. */
  readonly tellsLast?: boolean;
  /** What tells that somebody else was first. @default a conflict */
  readonly isLostRace?: (error: unknown) => boolean;
}

/** After a lost race: the watch may have told the news before the write was refused. */
const LOOK_AGAIN_MS = 100;
/** Where nothing can be created any more: what asks for it goes soon, too, and until then there may be other things to do. */
const GOING_MS = 1_000;
/** For work under way when it is stopped: Ctrl-C is done within two seconds. */
const DRAIN_MS = 1_000;
/** And then for what is to be told. Events alone must not take so long that drivers are stopped under who has nothing else to do. */
export const TELL_MS = 250;

/** Starts at once. `begin` adds handlers to informers, which put keys into the queue. */
export function runController(options: RunOptions, begin: (surroundings: Surroundings) => Behaviour): Controller {
  const { client, name, component = name, workers = 5, tellsLast = false, isLostRace = isConflict } = options;
  const { timers = systemTimers, logger = silentLogger, metrics = noMetrics } = options;
  const queue = createWorkQueue({ ...options, timers, metrics });
  const yieldTo = (): boolean => tellsLast && queue.length > 0;
  const recorder = startEventRecorder({ client, component, yieldTo, timers, logger, metrics });
  const stopping = new AbortController();
  const givingUp = new AbortController();
  const behaviour = begin({ client, queue, recorder, timers, logger, metrics, signal: givingUp.signal });
  const { informers = [], borrowed = [], end = () => {} } = behaviour;

  async function reconcile(key: string): Promise<Outcome> {
    try {
      return await behaviour.reconcile(key);
    } catch (error) {
      if (isNamespaceTerminating(error)) {
        logger.debug({ key, err: error }, "its namespace is being deleted");
        return { after: GOING_MS };
      }
      if (!isLostRace(error)) throw error;
      logger.debug({ key, err: error }, "somebody else was first");
      return { after: LOOK_AGAIN_MS };
    }
  }

  const synced = Promise.all([...informers, ...borrowed].map((cache) => cache.synced));
  synced.catch(() => {});
  const run = async (): Promise<void> => {
    await settledOrAborted(synced, stopping.signal);
    // Also when it was stopped before that: the queue is shut down here.
    await runWorkers({ queue, workers, reconcile, logger, timers, drain: DRAIN_MS }, stopping.signal);
  };
  const running = run();

  return {
    synced,
    async stop() {
      const reason = new DOMException(`the ${name} controller was stopped`, "AbortError");
      stopping.abort(reason);
      await running;
      // The recorder first: that we give up is nothing to tell people about.
      await recorder.stop(TELL_MS);
      givingUp.abort(reason);
      await end();
      await Promise.all(informers.map((informer) => informer.stop()));
    },
  };
}
