/**
 * Grows what StatefulSets own, on any cluster: three loops over one view, none of which waits for another. Each looks at
 * the current state, asks the rules of decide/, and does what is due; what they remember is in memory.ts, and none of it
 * matters when the process dies.
 */
import { DEFAULT_GATES, type Gates } from "../../core/gates.ts";
import {
  createWorkQueue,
  type KubeClient,
  type Logger,
  type Metrics,
  noMetrics,
  type Ref,
  refOfKey,
  runWorkers,
  settledOrAborted,
  silentLogger,
  startEventRecorder,
  systemTimers,
  type Timers,
  type WorkQueue,
} from "../../kube/index.ts";
import { createGrowthEvents } from "../apply/events.ts";
import type { VolumeExpansion } from "../types.ts";
import { createClaimsLoop } from "./claims-loop.ts";
import { createMemory } from "./memory.ts";
import { createGrowthMetrics } from "./metrics.ts";
import { type Observed, observe } from "./observe.ts";
import { createRecordLoop } from "./record-loop.ts";
import { createTemplateLoop } from "./template-loop.ts";
import { startView, type View } from "./view.ts";

export interface GrowthOptions {
  readonly client: KubeClient;
  /** With `StatefulSetVolumeExpansion` off nothing new is started, and what runs is finished. @default both on */
  readonly gates?: Gates;
  /** Only these namespaces. @default all */
  readonly namespaces?: readonly string[];
  /** Only these sets. @default all */
  readonly only?: (set: Ref) => boolean;
  /** Told after each look at a set what its record says then. */
  readonly onLook?: (record: VolumeExpansion) => void;
  /** How many sets each loop works on at the same time. @default 10 */
  readonly workers?: number;
  readonly timers?: Timers;
  readonly logger?: Logger;
  readonly metrics?: Metrics;
}

export interface GrowthController {
  /** Resolves when the caches are filled; rejects when it is stopped before that. */
  readonly synced: Promise<void>;
  /** What it sees of the cluster, for those who build on it. */
  readonly view: SharedView;
  /** Finishes the calls that are under way, for a few seconds at most; the next process goes on. May be called twice. */
  stop(): Promise<void>;
}

/** Reading costs no request. What is written to a record is handed in, so that the next look sees it. */
export type SharedView = Pick<
  View,
  "set" | "setsIn" | "record" | "records" | "claimsFor" | "rivalsOf" | "classes" | "observeRecord" | "listen"
>;

/** After a failure, in milliseconds; doubled each time. */
const BACKOFF = { backoffBase: 200, backoffMax: 60_000 };
/** How long what is under way may take when it is to stop; the rest is given up, in a state that anybody can go on from. */
const DRAIN = 2_500;
const LAST_EVENTS = 1_000;

/** Starts at once, on a cluster where the record's definition is installed. The caller stops it, and closes the client. */
export function startGrowth(options: GrowthOptions): GrowthController {
  const { client, gates = DEFAULT_GATES, namespaces = [], workers = 10, only = () => true, onLook } = options;
  const { timers = systemTimers, logger = silentLogger, metrics = noMetrics } = options;
  const stopping = new AbortController();
  /** For what is still under way when there is no time left. */
  const givingUp = new AbortController();
  const now = (): number => timers.now();

  const queueOf = (name: string): WorkQueue => createWorkQueue({ name: `growth-${name}`, ...BACKOFF, timers, metrics });
  const claims = queueOf("claims");
  const templates = queueOf("templates");
  const records = queueOf("records");
  const queues = [claims, templates, records];
  const onNews = (key: string): void => {
    if (only(refOfKey(key))) queues.forEach((queue) => queue.add(key));
  };
  const memory = createMemory(now);
  const view = startView({
    client,
    namespaces,
    timers,
    logger,
    metrics,
    onNews,
    onLimits(namespace) {
      for (const key of memory.forgetRefusals(namespace)) onNews(key);
    },
  });
  const recorder = startEventRecorder({
    client,
    component: "outgrow",
    // Volumes first, and what is told about them when there is nothing more urgent.
    yieldTo: () => queues.some((queue) => queue.length > 0),
    timers,
    logger,
    metrics,
  });
  const events = createGrowthEvents(recorder);
  const counted = createGrowthMetrics(metrics);
  const endCounting = counted.observeSets(() => view.records());
  const look = (key: string): Observed => observe(key, { view, memory, gates, now });
  const shared = { client, giveUp: givingUp.signal, view, memory, observe: look, events, logger, timers, now };

  const loops = [
    { queue: claims, reconcile: createClaimsLoop(shared) },
    {
      queue: templates,
      reconcile: createTemplateLoop({ ...shared, observers: view, onNews: (key) => records.add(key) }),
    },
    { queue: records, reconcile: createRecordLoop({ ...shared, metrics: counted, onLook }) },
  ];

  async function run(): Promise<void> {
    await settledOrAborted(view.synced, stopping.signal);
    await Promise.all(
      // Also when it was stopped before that: the queues are shut down here.
      loops.map((loop) => runWorkers({ ...loop, workers, logger, timers, drain: DRAIN }, stopping.signal)),
    );
  }
  const running = run();

  return {
    synced: view.synced,
    view,
    async stop() {
      const reason = new DOMException("the growth controller was stopped", "AbortError");
      stopping.abort(reason);
      await running;
      await recorder.stop(LAST_EVENTS);
      givingUp.abort(reason);
      endCounting();
      await view.stop();
    },
  };
}
