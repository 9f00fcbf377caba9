/**
 * `outgrow resizer`: the sidecar beside one CSI driver. Order of start and stop, and nothing else.
 *
 * Start: the API server and its dialect, the driver and its abilities, metrics and health, the caches; then, with the
 * lease, the work. Stop (the signal): no new step begins, what is under way finishes, the lease is given up.
 */
import { hostname } from "node:os";
import { dialectFor } from "../../core/dialect.ts";
import { type CsiClient, OPERATIONS_HISTOGRAM, openCsiClient, operationLabels } from "../../csi/index.ts";
import {
  type ClusterConfig,
  createClient,
  createLeaderElection,
  createProcessRegistry,
  createTransport,
  findConfig,
  type KubeClient,
  type LeaderElection,
  type Logger,
  type Metrics,
  prometheusMetrics,
  requestMetrics,
  startEventRecorder,
  systemTimers,
} from "../../kube/index.ts";
import { createDriver } from "../apply/driver.ts";
import { createResizeEvents } from "../apply/events.ts";
import { type ResizeController, startResizeController } from "../controller/controller.ts";
import { type Endpoint, startEndpoint } from "./http.ts";
import type { SidecarOptions } from "./options.ts";

export interface SidecarEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly logger: Logger;
  /** The namespace of the pod that this runs in, from its service account. */
  readonly podNamespace: () => Promise<string | undefined>;
  /** How to reach the API server, where somebody knows better than the options. */
  readonly config?: ClusterConfig;
  /** How long what is to be told may take when it is stopped, in milliseconds. @default 2_000 */
  readonly tellMs?: number;
}

/** How it ended: asked to stop, or the lease went to another process (then the process should end with 1). */
export type SidecarEnd = "stopped" | "lost-lease";

/** Runs until the signal is aborted or the lease is lost. Rejects when it cannot be started. */
export async function runSidecar(
  options: SidecarOptions,
  environment: SidecarEnvironment,
  signal: AbortSignal,
): Promise<SidecarEnd> {
  const { env, logger } = environment;
  const registry = createProcessRegistry();
  const metrics = prometheusMetrics(registry);
  sayWhatHasNoEffect(options, logger);

  await using cleanup = new AsyncDisposableStack();
  const { kubeconfig, master } = options;
  const config = environment.config ?? (await findConfig({ env, kubeconfig, master }));
  const connect = (limit: SidecarOptions["limit"]): KubeClient =>
    createClient(
      createTransport(config, {
        logger,
        userAgent: "outgrow-resizer",
        limit,
        onRequest: requestMetrics(metrics, new URL(config.server).host),
      }),
    );
  const client = cleanup.adopt(connect(options.limit), (each) => each.close());
  const csi = cleanup.adopt(openDriver(options, metrics, logger), (each) => each.stop());

  const { gitVersion } = await client.version(signal);
  const dialect = dialectFor(gitVersion);
  await csi.waitUntilReady((why) => logger.info({ why }, "waiting for the CSI driver"), signal);
  const { name } = await csi.pluginInfo(signal);
  logger.info(
    { driver: name, apiServer: gitVersion, dialect: dialect.name },
    "found the CSI driver and the API server",
  );

  // The lease and the events have connections and limits of their own: neither may wait behind the work.
  const aside = cleanup.adopt(connect(undefined), (each) => each.close());
  const election =
    options.election === undefined
      ? undefined
      : await createElection(options.election, name, aside, environment, config, metrics);
  if (options.http !== undefined) {
    const electionProblem = election === undefined ? undefined : () => election.problem();
    const started = await startEndpoint(options.http, { registry, electionProblem });
    const { port } = cleanup.adopt(started, (each: Endpoint) => each.stop());
    logger.info({ port }, `serving metrics${options.http.health ? " and health" : ""}`);
  }

  if (!(await canGrow(csi, name, options, logger, signal))) {
    await aborted(signal);
    return "stopped";
  }
  const recorder = cleanup.adopt(
    // The API server is there for the work first: while hundreds of claims grow, what is to be told about them waits.
    startEventRecorder({
      client: aside,
      component: `external-resizer ${name}`,
      senders: 1,
      yieldTo: (): boolean => controller.hasBacklog,
      maxPending: 10_000,
      logger,
      metrics,
    }),
    (each) => each.stop(environment.tellMs ?? 2_000),
  );
  const controller: ResizeController = cleanup.adopt(
    startResizeController({
      driverName: name,
      driver: createDriver(name, csi, client),
      client,
      events: createResizeEvents(recorder, name),
      dialect,
      recovery: options.gates.recovery,
      annotate: options.gates.annotate,
      slowRetry: options.retryMax,
      retryStart: options.retryStart,
      workers: options.workers,
      resyncPeriod: options.resyncPeriod,
      handleInUse: options.handleInUse,
      timers: systemTimers,
      logger,
      metrics,
    }),
    (each) => each.stop(),
  );
  // Awaited here: what is adopted above is let go of as soon as this function is left.
  return await work(controller, election, logger, signal);
}

async function work(
  controller: ResizeController,
  election: LeaderElection | undefined,
  logger: Logger,
  signal: AbortSignal,
): Promise<SidecarEnd> {
  if (election === undefined) {
    const never = new AbortController().signal;
    await controller.run(() => true, signal, never);
    return "stopped";
  }
  const outcome = await election.run(async ({ stop, fence }) => {
    logger.info({}, "holding the lease; at work");
    await controller.run(() => election.holdsLease(), stop, fence);
  }, signal);
  if (outcome !== "lost") return "stopped";
  logger.error({}, "the lease was lost");
  return "lost-lease";
}

function openDriver(options: SidecarOptions, metrics: Metrics, logger: Logger): CsiClient {
  const operations = metrics.histogram({ ...OPERATIONS_HISTOGRAM, labels: OPERATIONS_HISTOGRAM.labelNames });
  return openCsiClient({
    address: options.csiAddress,
    timeoutMs: options.timeout,
    observe: (call) => operations.observe(operationLabels(call), call.seconds),
    onConnectionLost: () => logger.warn({}, "lost the connection to the CSI driver; connecting again"),
  });
}

/** A driver that grows nothing is no fault of ours: say so, stay healthy, and stay idle (not a crash loop). */
async function canGrow(
  csi: CsiClient,
  name: string,
  options: SidecarOptions,
  logger: Logger,
  signal: AbortSignal,
): Promise<boolean> {
  const controller = await csi.controllerCapabilities(signal);
  if (controller.has("MODIFY_VOLUME") || options.gates.modifyAskedFor) {
    logger.warn({ driver: name }, "volumes are not modified here (VolumeAttributesClass); keep csi-resizer for that");
  }
  if (controller.has("EXPAND_VOLUME")) return true;
  if ((await csi.nodeCapabilities(signal)).has("EXPAND_VOLUME")) {
    logger.info({ driver: name }, "the driver grows volumes on the node only");
    return true;
  }
  logger.warn(
    { driver: name },
    "the driver has no expansion, neither in the controller nor on the node; nothing to do",
  );
  return false;
}

async function createElection(
  options: NonNullable<SidecarOptions["election"]>,
  driver: string,
  client: KubeClient,
  { env, logger, podNamespace }: SidecarEnvironment,
  config: ClusterConfig,
  metrics: Metrics,
): Promise<LeaderElection> {
  const namespace =
    options.namespace ?? env["POD_NAMESPACE"] ?? (await podNamespace()) ?? config.namespace ?? "default";
  return createLeaderElection({
    client,
    namespace,
    name: `external-resizer-${sanitize(driver)}`,
    identity: sanitize(options.identity ?? hostname()),
    labels: options.labels,
    leaseDuration: options.leaseDuration,
    renewDeadline: options.renewDeadline,
    retryPeriod: options.retryPeriod,
    logger,
    metrics,
  });
}

/** As csi-lib-utils does it: the lease must be the same one, so that the two never work side by side. */
function sanitize(name: string): string {
  return name.replace(/[^a-zA-Z0-9-]/g, "-").replace(/-$/, "-X");
}

function sayWhatHasNoEffect({ withoutEffect }: SidecarOptions, logger: Logger): void {
  if (withoutEffect.length > 0) logger.warn({ flags: withoutEffect }, "these flags have no effect here");
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
