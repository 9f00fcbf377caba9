/** What brings an API server to life: drivers with volumes, controllers, a node, and something to begin with. */
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { storageClasses as readClasses } from "../admission/storage-classes.ts";
import type { Gates } from "../core/gates.ts";
import {
  type ClusterConfig,
  createClient,
  createTransport,
  defineResource,
  isAlreadyExists,
  type KubeClient,
  type Logger,
  type Metrics,
  STORAGE_CLASSES,
  settlesWithin,
  systemTimers,
} from "../kube/index.ts";
import { EXPANSION_SOURCE_DEFINITION } from "../source/index.ts";
import { VOLUME_EXPANSION_DEFINITION } from "../statefulset/index.ts";
import type { ControllerName } from "./controllers/names.ts";
import { type NodeDriver, thisMachine } from "./controllers/node/index.ts";
import { type RosterOptions, startRoster } from "./controllers/roster.ts";
import { LOOP_DRIVER, MEMORY_DRIVER, type MemoryDriver, startLoopDriver, startMemoryDriver } from "./drivers/index.ts";
import { type Dump, type ImportReport, importDump } from "./import/index.ts";
import { createMissing } from "./sample/create-missing.ts";
import { startMySqlOperator } from "./sample/mysql/index.ts";
import type { DriverName } from "./sample/names.ts";
import { type SampleObject, sampleObjects, storageClasses } from "./sample/objects.ts";

export interface LifeOptions extends Pick<RosterOptions, "ca" | "signingKey"> {
  /** Of the administrator: how to reach the API. */
  readonly config: ClusterConfig;
  /** Where volumes are kept. */
  readonly folder: string;
  /** Where drivers have their sockets. */
  readonly sockets: string;
  /** What is behind the class `standard`. */
  readonly driver: DriverName;
  /** Puts something there to try things on. */
  readonly sample: boolean;
  /** Somebody's cluster, to be rehearsed on the memory driver. */
  readonly dump?: Dump;
  readonly gates: Gates;
  readonly without: ReadonlySet<ControllerName>;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

export interface Life {
  /** What became of the dump; undefined when there was none. */
  readonly imported: ImportReport | undefined;
  /** Ends one controller and starts it anew: nothing that only it remembers may matter. */
  restart(name: ControllerName): Promise<void>;
  /** Gives back every mount and device. May be called twice. */
  stop(): Promise<void>;
}

/** What the API server warns its own controllers of is nobody's concern. */
function quiet(logger: Logger): Logger {
  return {
    debug: logger.debug.bind(logger),
    info: logger.info.bind(logger),
    warn: logger.debug.bind(logger),
    error: logger.error.bind(logger),
  };
}

const NODE = "outgrow";
/** How long controllers may take to finish in peace. Then the drivers stop under them, which ends the calls they wait for. */
const PATIENCE_MS = 500;

/** Resolves when everything has begun. Rejects with nothing left running. */
export async function startLife(options: LifeOptions): Promise<Life> {
  const { config, folder, logger, metrics, gates, without, driver, sample, dump, ca, signingKey } = options;
  await using stack = new AsyncDisposableStack();
  const client = stack.adopt(createClient(createTransport(config, { logger: quiet(logger) })), (each) => each.close());
  const drivers = await startDrivers(options);
  stack.defer(() => drivers.stop());
  await Promise.all(OUR_KINDS.map((definition) => installDefinition(client, definition)));
  const { gitVersion: version } = await client.version();
  // Before there is anybody to work on it, who would be in the way of what comes next; and before our classes, whose names
  // and place as the default it may want for its own.
  const place = { client, driver: drivers.memory, node: NODE, machine: thisMachine(version) };
  const imported = dump && (await importDump(dump, place));
  await createMissing(client, await storageClassesBeside(client, driver));
  if (sample) await createMissing(client, sampleObjects());
  const roster = await startRoster({
    client,
    config,
    folder: join(folder, "node"),
    nodeName: NODE,
    version,
    drivers: drivers.list,
    ca,
    signingKey,
    gates,
    without,
    logger,
    metrics,
  });
  stack.defer(async () => {
    const leaving = roster.stop();
    if (!(await settlesWithin(systemTimers, PATIENCE_MS, leaving))) await drivers.stop();
    await leaving;
  });
  if (sample) stack.adopt(startMySqlOperator({ client, logger, metrics }), (each) => each.stop());
  const owned = stack.move();
  return { imported, restart: (name) => roster.restart(name), stop: () => owned.disposeAsync() };
}

/** The kinds of our own, as this version of the program defines them: a folder may come from an older one. */
const OUR_KINDS = [VOLUME_EXPANSION_DEFINITION, EXPANSION_SOURCE_DEFINITION] as const;

async function installDefinition(client: KubeClient, definition: (typeof OUR_KINDS)[number]): Promise<void> {
  const { metadata, spec } = definition;
  try {
    await client.create(DEFINITIONS, definition);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    await client.patch(DEFINITIONS, { name: metadata.name }, { type: "merge", body: { spec } });
  }
}

const DEFINITIONS = defineResource(
  "apiextensions.k8s.io/v1",
  "CustomResourceDefinition",
  "customresourcedefinitions",
  "Cluster",
);

/** Ours, of which none is the default where there is one already. */
async function storageClassesBeside(client: KubeClient, driver: DriverName): Promise<SampleObject[]> {
  const { items } = await client.list(STORAGE_CLASSES);
  return storageClasses(driver, { hasDefault: readClasses(items).defaultClass !== undefined });
}

interface Drivers {
  readonly list: readonly NodeDriver[];
  readonly memory: MemoryDriver;
  stop(): Promise<void>;
}

async function startDrivers({ folder, sockets, driver, logger }: LifeOptions): Promise<Drivers> {
  await using stack = new AsyncDisposableStack();
  const { version } = packageJson;
  const memoryAddress = join(sockets, "memory.sock");
  const memory = stack.adopt(
    await startMemoryDriver({ address: memoryAddress, folder: join(folder, "memory"), version, nodeId: NODE }),
    (each) => each.stop(),
  );
  const list: NodeDriver[] = [
    { name: MEMORY_DRIVER, address: memoryAddress, setUsage: (volume, bytes) => memory.setUsage(volume, bytes) },
  ];
  if (driver === "loop") {
    const address = join(sockets, "loop.sock");
    const options = { address, folder: join(folder, "loop"), version, nodeId: NODE, log: logger };
    stack.adopt(await startLoopDriver(options), (each) => each.stop());
    list.push({ name: LOOP_DRIVER, address });
  }
  const owned = stack.move();
  let stopped: Promise<void> | undefined;
  return {
    list,
    memory,
    stop() {
      stopped ??= owned.disposeAsync();
      return stopped;
    },
  };
}
