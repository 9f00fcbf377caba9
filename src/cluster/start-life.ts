/** What brings an API server to life: drivers with volumes, controllers, a node, and something to begin with. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import type { Gates } from "../core/gates.ts";
import { createClient, createTransport, type Logger, loadConfig, type Metrics } from "../kube/index.ts";
import type { NodeDriver } from "./controllers/node/index.ts";
import { type ControllerName, startRoster } from "./controllers/roster.ts";
import { LOOP_DRIVER, MEMORY_DRIVER, startLoopDriver, startMemoryDriver } from "./drivers/index.ts";
import { createMissing } from "./sample/create-missing.ts";
import { type DriverName, sampleObjects, storageClasses } from "./sample/objects.ts";

export interface LifeOptions {
  /** Of the administrator. */
  readonly kubeconfig: string;
  /** Where volumes are kept. */
  readonly folder: string;
  /** What is behind the class `standard`. */
  readonly driver: DriverName;
  /** Puts something there to try things on. */
  readonly sample: boolean;
  readonly gates: Gates;
  readonly without: ReadonlySet<ControllerName>;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

export interface Life {
  stop(): Promise<void>;
}

const NODE = "outgrow";

/** Resolves when everything has begun. Rejects with nothing left running. */
export async function startLife(options: LifeOptions): Promise<Life> {
  const { kubeconfig, folder, logger, metrics, gates, without, driver, sample } = options;
  await using stack = new AsyncDisposableStack();
  const config = await loadConfig({ env: {}, kubeconfig });
  const client = stack.adopt(createClient(createTransport(config, { logger, userAgent: "outgrow" })), (each) =>
    each.close(),
  );
  const drivers = await startDrivers(stack, options);
  await createMissing(client, storageClasses(driver));
  const { gitVersion: version } = await client.version();
  const roster = {
    client,
    kubeconfig,
    folder: join(folder, "node"),
    nodeName: NODE,
    version,
    drivers,
    gates,
    without,
    logger,
    metrics,
  };
  stack.adopt(await startRoster(roster), (each) => each.stop());
  if (sample) await createMissing(client, sampleObjects());
  const owned = stack.move();
  return { stop: () => owned.disposeAsync() };
}

/** Sockets live in a short path of their own: the system allows no long ones. */
async function startDrivers(
  stack: AsyncDisposableStack,
  { folder, driver, logger }: LifeOptions,
): Promise<NodeDriver[]> {
  const sockets = stack.adopt(await mkdtemp(join(tmpdir(), "outgrow-")), (path) =>
    rm(path, { recursive: true, force: true }),
  );
  const { version } = packageJson;
  const memoryAddress = join(sockets, "memory.sock");
  const memory = stack.adopt(
    await startMemoryDriver({ address: memoryAddress, folder: join(folder, "memory"), version, nodeId: NODE }),
    (each) => each.stop(),
  );
  const drivers: NodeDriver[] = [
    { name: MEMORY_DRIVER, address: memoryAddress, setUsage: (volume, bytes) => memory.setUsage(volume, bytes) },
  ];
  if (driver === "memory") return drivers;
  const address = join(sockets, "loop.sock");
  stack.adopt(
    await startLoopDriver({ address, folder: join(folder, "loop"), version, nodeId: NODE, log: logger }),
    (each) => each.stop(),
  );
  return [...drivers, { name: LOOP_DRIVER, address }];
}
