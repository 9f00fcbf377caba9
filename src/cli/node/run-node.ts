/** The order in which `outgrow node` starts and stops its parts, and nothing else. */
import { once } from "node:events";
import { dialectFor } from "../../core/dialect.ts";
import { OPERATIONS_HISTOGRAM, openCsiClient, operationLabels } from "../../csi/index.ts";
import {
  createClient,
  createProcessRegistry,
  createTransport,
  findConfig,
  type Logger,
  prometheusMetrics,
  requestMetrics,
  startEventRecorder,
} from "../../kube/index.ts";
import { csiGrower } from "../../node/apply/grower.ts";
import { kubeletPlaces } from "../../node/apply/places.ts";
import { toolGrower } from "../../node/apply/tool-grower.ts";
import { startNodeGrowth } from "../../node/controller/controller.ts";
import { type Endpoint, startEndpoint } from "../../resize/sidecar/http.ts";
import type { NodeFlags } from "./flags.ts";

export interface NodeEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly logger: Logger;
}

/** Runs until the signal is aborted. Rejects when it cannot be started. */
export async function runNode(flags: NodeFlags, { env, logger }: NodeEnvironment, signal: AbortSignal): Promise<void> {
  const { csiAddress, nodeName, kubeletDir, resizeTool, timeout, workers, httpEndpoint } = flags;
  const registry = createProcessRegistry();
  const metrics = prometheusMetrics(registry);

  await using cleanup = new AsyncDisposableStack();
  const config = await findConfig({ env, kubeconfig: flags.kubeconfig });
  const onRequest = requestMetrics(metrics, new URL(config.server).host);
  const client = cleanup.adopt(
    createClient(createTransport(config, { logger, userAgent: "outgrow-node", onRequest })),
    (each) => each.close(),
  );
  const operations = metrics.histogram({ ...OPERATIONS_HISTOGRAM, labels: OPERATIONS_HISTOGRAM.labelNames });
  const csi = cleanup.adopt(
    openCsiClient({
      address: csiAddress,
      timeoutMs: timeout * 1000,
      observe: (call) => operations.observe(operationLabels(call), call.seconds),
      onConnectionLost: () => logger.warn({}, "lost the connection to the CSI driver; connecting again"),
    }),
    (each) => each.stop(),
  );
  const { gitVersion } = await client.version(signal);
  const dialect = dialectFor(gitVersion);
  await csi.waitUntilReady((why) => logger.info({ why }, "waiting for the CSI driver"), signal);
  const { name: driver } = await csi.pluginInfo(signal);
  if (httpEndpoint !== undefined) {
    const options = { ...httpEndpoint, metricsPath: "/metrics", health: true };
    const sources = { registry, electionProblem: undefined };
    const { port } = cleanup.adopt(await startEndpoint(options, sources), (each: Endpoint) => each.stop());
    logger.info({ port }, "serving metrics and health");
  }

  const grower = resizeTool === undefined ? csiGrower(csi, client) : toolGrower(resizeTool);
  if (!(await grower.canExpand())) {
    // No fault of ours: say so, stay healthy, and stay idle (not a crash loop).
    logger.warn({ driver }, "the driver has no expansion on the node; nothing to do");
    await aborted(signal);
    return;
  }
  const shared = { client, logger, metrics };
  const recorder = cleanup.adopt(
    startEventRecorder({ ...shared, component: `outgrow-node ${driver}`, host: nodeName }),
    (each) => each.stop(2_000),
  );
  const growth = cleanup.adopt(
    startNodeGrowth({
      ...shared,
      nodeName,
      growers: new Map([[driver, grower]]),
      places: kubeletPlaces(kubeletDir),
      recorder,
      dialect,
      workers,
    }),
    (each) => each.stop(),
  );
  void growth.synced.then(
    () => logger.info({ driver, node: nodeName, apiServer: gitVersion, dialect: dialect.name }, "at work"),
    () => {},
  );
  await aborted(signal);
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, "abort");
}
