/**
 * A CSI driver, as a sidecar, a provisioner or a node sees it.
 *
 * The client can be opened before the driver is there, and outlives it: see connection.ts for how it finds it again.
 * What a driver is and can do is asked once per connection, not once per volume.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { socketPath } from "./address.ts";
import type { Caller } from "./calls.ts";
import { openConnection } from "./connection.ts";
import {
  askControllerCapabilities,
  type ControllerCalls,
  type ControllerCapability,
  controllerCalls,
} from "./controller-calls.ts";
import { CsiError } from "./error.ts";
import { canceled } from "./failure.ts";
import {
  askPluginCapabilities,
  askPluginInfo,
  type PluginCapabilities,
  type PluginInfo,
  probe,
} from "./identity-calls.ts";
import { askNodeCapabilities, type NodeCalls, type NodeCapability, nodeCalls } from "./node-calls.ts";
import { type CallObserver, UNKNOWN_DRIVER } from "./observer.ts";
import { oncePerConnection } from "./once-per-connection.ts";

export interface CsiClientOptions {
  /** The driver's socket: a path, or `unix://` and a path. */
  readonly address: string;
  /**
   * How long the driver has to answer a call, unless the call says otherwise.
   * @default 10 seconds, as the incumbent
   */
  readonly timeoutMs?: number;
  /**
   * How long to wait before a driver that is not ready is probed again.
   * @default 1 second, as the incumbent
   */
  readonly probeIntervalMs?: number;
  /** Sees every call after it ended. */
  readonly observe?: CallObserver;
  /** Called each time a connection that stood is gone; the client is reconnecting already. */
  readonly onConnectionLost?: () => void;
}

export interface CsiClient extends ControllerCalls, NodeCalls {
  /**
   * Returns when the driver says that it is ready. A driver that is not there, does not answer in time or is not ready
   * yet is probed again, for as long as it takes, and each time `onWaiting` hears why; any other answer is thrown.
   */
  waitUntilReady(onWaiting?: (why: string) => void, signal?: AbortSignal): Promise<void>;
  pluginInfo(signal?: AbortSignal): Promise<PluginInfo>;
  pluginCapabilities(signal?: AbortSignal): Promise<PluginCapabilities>;
  /** Empty where no controller service is served on this socket. */
  controllerCapabilities(signal?: AbortSignal): Promise<ReadonlySet<ControllerCapability>>;
  /** Empty where no node service is served on this socket. */
  nodeCapabilities(signal?: AbortSignal): Promise<ReadonlySet<NodeCapability>>;
  /** Ends the calls under way with `Canceled`, and every later one. May be called twice. */
  stop(): void;
}

/** Throws `CSI_ADDRESS_INVALID`; does not connect yet, so that nothing else can go wrong. The caller stops it. */
export function openCsiClient(options: CsiClientOptions): CsiClient {
  const { timeoutMs = 10_000, probeIntervalMs = 1000, observe = () => {}, onConnectionLost = () => {} } = options;
  let driverName = UNKNOWN_DRIVER;
  const connection = openConnection({
    socketPath: socketPath(options.address),
    onCall: (call) => observe({ ...call, driverName }),
    onLost: onConnectionLost,
  });
  const call: Caller = (method, request, params, signal) =>
    connection.call(method, request, params.timeoutMs ?? timeoutMs, signal);

  return {
    ...controllerCalls(call),
    ...nodeCalls(call),

    async waitUntilReady(onWaiting = () => {}, signal) {
      for (;;) {
        const why = await whyNotReady(call, signal);
        if (why === undefined) return;
        onWaiting(why);
        await pause(probeIntervalMs, signal);
      }
    },

    pluginInfo: oncePerConnection(connection, async () => {
      const info = await askPluginInfo(call, {});
      driverName = info.name;
      return info;
    }),
    pluginCapabilities: oncePerConnection(connection, () => askPluginCapabilities(call, {})),
    controllerCapabilities: oncePerConnection(connection, () => unlessUnserved(askControllerCapabilities(call, {}))),
    nodeCapabilities: oncePerConnection(connection, () => unlessUnserved(askNodeCapabilities(call, {}))),
    stop: () => connection.close(),
  };
}

/** Undefined when the driver is ready. Throws what waiting does not mend. */
async function whyNotReady(call: Caller, signal: AbortSignal | undefined): Promise<string | undefined> {
  try {
    return (await probe(call, {}, signal)) ? undefined : "the driver says that it is not ready";
  } catch (error) {
    if (error instanceof CsiError && (error.code === "Unavailable" || error.code === "DeadlineExceeded")) {
      return error.message;
    }
    throw error;
  }
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(ms, undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    throw signal?.aborted === true ? canceled(signal) : error;
  }
}

/** A socket on which a service is not served has none of its abilities. */
async function unlessUnserved<T>(asked: Promise<ReadonlySet<T>>): Promise<ReadonlySet<T>> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof CsiError && error.code === "Unimplemented") return new Set();
    throw error;
  }
}
