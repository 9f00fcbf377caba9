/**
 * The order in which `outgrow controller` starts and stops its parts, and nothing else.
 *
 * Start: the API server, metrics and health, the webhook where it is asked for, then, with the lease, the work. Stop (the
 * signal): no new call begins, what is under way finishes or is given up within a few seconds, the lease is given back.
 */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { hostname } from "node:os";
import { startWebhook, type Webhook } from "../../admission/webhook/index.ts";
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
  sleep,
  systemTimers,
} from "../../kube/index.ts";
import { type Endpoint, startEndpoint } from "../../resize/sidecar/http.ts";
import { startResourceJudge, startSources } from "../../source/index.ts";
import { startGrowth, VOLUME_EXPANSIONS } from "../../statefulset/index.ts";
import type { ControllerFlags } from "./flags.ts";

export interface ControllerEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly logger: Logger;
}

/** How it ended: asked to stop, or the lease went to another process (then the process should end with 1). */
export type ControllerEnd = "stopped" | "lost-lease";

const LEASE = "outgrow-controller";
/** How often to look whether the record's definition has been installed, in milliseconds. */
const LOOK_FOR_DEFINITION = 5_000;

/** Runs until the signal is aborted or the lease is lost. Rejects when it cannot be started. */
export async function runController(
  flags: ControllerFlags,
  { env, logger }: ControllerEnvironment,
  signal: AbortSignal,
): Promise<ControllerEnd> {
  const registry = createProcessRegistry();
  const metrics = prometheusMetrics(registry);

  await using cleanup = new AsyncDisposableStack();
  const config = await findConfig({ env, kubeconfig: flags.kubeconfig });
  const onRequest = requestMetrics(metrics, new URL(config.server).host);
  const connect = (): KubeClient =>
    cleanup.adopt(
      createClient(createTransport(config, { logger, userAgent: "outgrow-controller", onRequest })),
      (each) => each.close(),
    );
  const client = connect();
  // The lease has connections of its own: it must not wait behind the work.
  const election = flags.leaderElection ? electionOf(flags, connect(), config, { env, logger }, metrics) : undefined;
  if (flags.httpEndpoint !== undefined) {
    const options = { ...flags.httpEndpoint, metricsPath: "/metrics", health: true };
    const electionProblem = election === undefined ? undefined : () => election.problem();
    const started = await startEndpoint(options, { registry, electionProblem });
    const { port } = cleanup.adopt(started, (each: Endpoint) => each.stop());
    logger.info({ port }, "serving metrics and health");
  }
  if (flags.webhookPort !== undefined) {
    const resources = cleanup.adopt(startResourceJudge({ client, logger }), (each) => each.stop());
    const started = await startWebhook({
      client,
      namespace: homeOf(env, config),
      port: flags.webhookPort,
      resources,
      logger,
      metrics,
    });
    const { port } = cleanup.adopt(started, (each: Webhook) => each.stop());
    logger.info({ port }, "serving the webhook");
  }
  const { gitVersion } = await client.version(signal);
  await definitionIsThere(client, logger, signal);

  const work = async (stop: AbortSignal): Promise<void> => {
    const { featureGates: gates, namespace: namespaces, workers } = flags;
    const growth = startGrowth({ client, gates, namespaces, workers, logger, metrics });
    void growth.synced.then(
      () => logger.info({ apiServer: gitVersion, namespaces }, "at work"),
      () => {},
    );
    const sources = startSources({ client, growth, gates, namespaces, workers, logger, metrics });
    try {
      if (!stop.aborted) await once(stop, "abort");
    } finally {
      await sources.stop();
      await growth.stop();
    }
  };
  if (election === undefined) {
    await work(signal);
    return "stopped";
  }
  const outcome = await election.run(({ stop }) => work(stop), signal);
  if (outcome !== "lost") return "stopped";
  logger.error({}, "the lease was lost");
  return "lost-lease";
}

/** The namespace that the program lives in. */
function homeOf(env: ControllerEnvironment["env"], config: ClusterConfig): string {
  return env["POD_NAMESPACE"] ?? config.namespace;
}

function electionOf(
  { leaderElectionNamespace }: ControllerFlags,
  client: KubeClient,
  config: ClusterConfig,
  { env, logger }: ControllerEnvironment,
  metrics: Metrics,
): LeaderElection {
  const namespace = leaderElectionNamespace ?? homeOf(env, config);
  // A pod that is restarted must not take its former self for itself.
  const identity = `${hostname()}_${randomUUID()}`;
  return createLeaderElection({ client, namespace, name: LEASE, identity, logger, metrics });
}

/** Without it there is nowhere to keep a journal. Whoever installs things may do so in any order. */
async function definitionIsThere(client: KubeClient, logger: Logger, signal: AbortSignal): Promise<void> {
  while (!(await client.serves(VOLUME_EXPANSIONS, signal))) {
    logger.warn(
      { resource: "volumeexpansions.outgrow.dev" },
      "the API server does not know the record of a growth; install it: outgrow manifests | kubectl apply -f -",
    );
    await sleep(systemTimers, LOOK_FOR_DEFINITION, signal);
  }
}
