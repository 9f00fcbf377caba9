/** A controller at work in a world, for tests: in time that moves by hand, over connections that are real. */
import { TODAY } from "../../core/dialect.ts";
import { silentLogger } from "../../kube/index.ts";
import { createManualTimers, type ManualTimers } from "../../kube/testing/manual-timers.ts";
import { type RecordedMetrics, recordMetrics } from "../../kube/testing/recorded-metrics.ts";
import { until } from "../../kube/testing/until.ts";
import { createDriver } from "../apply/driver.ts";
import { createResizeEvents } from "../apply/events.ts";
import { type ResizeControllerOptions, startResizeController } from "../controller/controller.ts";
import { DRIVER } from "../decide/fixtures.ts";
import type { World } from "./world.ts";

export interface AtWork {
  readonly timers: ManualTimers;
  readonly metrics: RecordedMetrics;
  /** What people were told, as `data VolumeResizeFailed`. */
  readonly told: string[];
  /**
   * Resolves when everything that has happened up to now has been seen to. It is known by a claim of its own: with one
   * worker, whatever was to be done before that claim is done when it has grown.
   */
  settled(): Promise<void>;
  /** Waits until the driver was asked for these sizes of a claim. */
  expanded(name: string, ...sizes: string[]): Promise<void>;
  /** No new step begins; what is under way may finish. Resolves when it has. */
  readonly stop: () => Promise<void>;
  /** Ends everything. */
  readonly cutOff: () => void;
}

/** The caller stops it before the world. */
export function startWork(
  world: World,
  options: Partial<ResizeControllerOptions> & { readonly mayCall?: () => boolean } = {},
): AtWork {
  const { mayCall = () => true, ...more } = options;
  const timers = createManualTimers();
  const metrics = recordMetrics();
  const told: string[] = [];
  const recorder = {
    event: ({ name = "" }: { name?: string }, _: string, reason: string) => void told.push(`${name} ${reason}`),
  };
  const controller = startResizeController({
    driverName: DRIVER,
    driver: createDriver(DRIVER, world.csi, world.client),
    client: world.client,
    events: createResizeEvents(recorder, DRIVER),
    dialect: TODAY,
    recovery: true,
    annotate: false,
    slowRetry: 300_000,
    retryStart: 1000,
    workers: 1,
    resyncPeriod: 0,
    handleInUse: true,
    timers,
    logger: silentLogger,
    metrics,
    ...more,
  });
  const stop = new AbortController();
  const fence = new AbortController();
  const running = controller.run(mayCall, stop.signal, fence.signal);
  running.catch(() => {});
  let barriers = 0;

  return {
    timers,
    metrics,
    told,
    async settled() {
      const name = `barrier-${barriers++}`;
      world.add({ name });
      await until(name, () => world.claim(name).status?.allocatedResourceStatuses?.["storage"] === "NodeResizePending");
    },
    expanded: (name, ...sizes) =>
      until(
        `${name} to be asked for ${sizes.join(", ")}, not ${world.expansions(name).join(", ")}`,
        () => world.expansions(name).join() === sizes.join(),
      ).then(() => {}),
    async stop() {
      stop.abort();
      await running;
      await controller.stop();
    },
    cutOff: () => fence.abort(),
  };
}
