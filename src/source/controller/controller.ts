/**
 * Grows through custom resources, on any cluster: sources are watched, and the kinds that they name, as they come and go. Three
 * loops: what a resource asks for, wishes that nobody stands behind any more, and what sources say about themselves. The sets
 * themselves grow by the controller of statefulset/, whose view of the cluster is shared.
 */
import { DEFAULT_GATES, type Gates } from "../../core/gates.ts";
import {
  createWorkQueue,
  type KubeClient,
  type Logger,
  type Metrics,
  noMetrics,
  runWorkers,
  settledOrAborted,
  silentLogger,
  startEventRecorder,
  systemTimers,
  type Timers,
  type WorkQueue,
} from "../../kube/index.ts";
import type { GrowthController } from "../../statefulset/index.ts";
import { createSourceEvents } from "../apply/events.ts";
import { createFollowers } from "./followers.ts";
import { createReporter } from "./reporter.ts";
import { createResourceLoop } from "./resource-loop.ts";
import { createSelectedClaims } from "./selected-claims.ts";
import { startSourcesWatch } from "./sources.ts";
import { createStatusLoop } from "./status-loop.ts";
import { createWithdrawLoop } from "./withdraw-loop.ts";

export interface SourcesControllerOptions {
  readonly client: KubeClient;
  /** Who grows the sets; it runs in the same process, on the same cluster and the same namespaces. */
  readonly growth: Pick<GrowthController, "synced" | "view">;
  /** With `StatefulSetVolumeExpansion` off nothing new is started, and what runs is finished. @default both on */
  readonly gates?: Gates;
  /** Only resources of these namespaces. @default all */
  readonly namespaces?: readonly string[];
  /** How many resources are worked on at the same time. @default 10 */
  readonly workers?: number;
  readonly timers?: Timers;
  readonly logger?: Logger;
  readonly metrics?: Metrics;
}

export interface SourcesController {
  /** Finishes the calls that are under way, for a few seconds at most; the next process goes on. May be called twice. */
  stop(): Promise<void>;
}

/** After a failure, in milliseconds; doubled each time. */
const BACKOFF = { backoffBase: 200, backoffMax: 60_000 };
/** How long what is under way may take when it is to stop. */
const DRAIN = 2_500;
const LAST_EVENTS = 1_000;

/**
 * Starts at once. Where sources are not installed there is nothing to do until they are. The caller stops it before `growth`, and
 * closes the client.
 */
export function startSources(options: SourcesControllerOptions): SourcesController {
  const { client, growth, gates = DEFAULT_GATES, namespaces = [], workers = 10 } = options;
  const { timers = systemTimers, logger = silentLogger, metrics = noMetrics } = options;
  const { view } = growth;
  const stopping = new AbortController();
  /** For what is still under way when there is no time left. */
  const givingUp = new AbortController();

  const queueOf = (name: string): WorkQueue => createWorkQueue({ name: `source-${name}`, ...BACKOFF, timers, metrics });
  const resources = queueOf("resources");
  const records = queueOf("records");
  const statuses = queueOf("statuses");
  const onResources = (keys: Iterable<string>): void => [...keys].forEach((key) => resources.add(key));
  const onRecords = (keys: Iterable<string>): void => [...keys].forEach((key) => records.add(key));

  const followers = createFollowers();
  const shared = { client, namespaces, timers, logger, metrics, giveUp: givingUp.signal };
  const sources = startSourcesWatch({
    ...shared,
    onResource: (key) => resources.add(key),
    onSource,
    onCount: (name) => statuses.add(name),
  });
  const claims = createSelectedClaims({
    ...shared,
    onClaim: (claim) => onResources(followers.concernedByClaim(claim)),
  });
  const recorder = startEventRecorder({ client, component: "outgrow", timers, logger, metrics });
  const events = createSourceEvents(recorder);
  const reporter = createReporter({ ...shared, events, onSource: (name) => statuses.add(name) });
  const hearNoMore = view.listen({
    onNews(key) {
      onResources(followers.concernedBySet(key, view.set(key)));
      if (view.record(key)?.spec.wishedBy !== undefined) records.add(key);
    },
    onLimits(namespace) {
      for (const { source, states } of sources.values()) {
        for (const [place, state] of states) {
          const isHere = namespace === undefined || place.startsWith(`${namespace}/`);
          if (isHere && (state === "invalid" || state === "failed")) resources.add(`${source.metadata.name}/${place}`);
        }
      }
    },
  });

  /** What it names, and what was asked for in its name, may be known now. Without a name: that of all. */
  function onSource(name: string): void {
    for (const { source } of sources.values()) statuses.add(source.metadata.name);
    for (const { metadata, spec } of view.records()) {
      if (spec.wishedBy !== undefined && (name === "" || spec.wishedBy.source === name)) {
        records.add(`${metadata.namespace}/${metadata.name}`);
      }
    }
  }

  const loops = [
    {
      queue: resources,
      reconcile: createResourceLoop({
        ...shared,
        view,
        sources,
        followers,
        claims,
        reporter,
        events,
        gates,
        onResources,
        onRecords,
        onSource: (name) => statuses.add(name),
      }),
    },
    { queue: records, reconcile: createWithdrawLoop({ ...shared, view, sources, followers }) },
    { queue: statuses, reconcile: createStatusLoop({ ...shared, sources }) },
  ];

  async function run(): Promise<void> {
    await settledOrAborted(growth.synced, stopping.signal);
    await Promise.all(
      // Also when it was stopped before that: the queues are shut down here.
      loops.map((loop) => runWorkers({ ...loop, workers, logger, timers, drain: DRAIN }, stopping.signal)),
    );
  }
  const running = run();

  return {
    async stop() {
      const reason = new DOMException("the controller of sources was stopped", "AbortError");
      stopping.abort(reason);
      hearNoMore();
      await running;
      await recorder.stop(LAST_EVENTS);
      givingUp.abort(reason);
      await Promise.all([sources.stop(), claims.stop()]);
    },
  };
}
