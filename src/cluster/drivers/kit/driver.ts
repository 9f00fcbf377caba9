/** A driver of ours, put together: records, work, and the three services on one socket. */
import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "../../../core/errors.ts";
import {
  CsiError,
  type IdentityHandlers,
  type Interceptor,
  PluginCapability_Service_Type as Service,
  serveCsi,
  PluginCapability_VolumeExpansion_Type as VolumeExpansion,
} from "../../../csi/index.ts";
import { controllerHandlers } from "./controller.ts";
import { nodeHandlers } from "./node.ts";
import type { Records } from "./records.ts";
import { createTurns } from "./turns.ts";
import type { DriverWork } from "./work.ts";

export interface DriverOptions {
  /** `loop.csi.outgrow.dev` */
  readonly name: string;
  readonly version: string;
  /** The socket to serve on: a path, or `unix://` and a path. Its folder must be there. */
  readonly address: string;
  /** As which node `NodeGetInfo` presents this machine. */
  readonly nodeId: string;
  readonly records: Records;
  readonly work: DriverWork;
}

export interface Driver {
  readonly name: string;
  readonly socketPath: string;
  /** Takes no more calls, cuts short the delays that classes ask for, and waits for the work under way. May be called twice. */
  stop(): Promise<void>;
}

/** How long calls under way may still be answered. Their work is waited for in any case. */
const GRACE_MS = 1000;

/** Serves until stopped. Throws `CSI_ADDRESS_IN_USE` or `CSI_ADDRESS_INVALID`. */
export async function startDriver({ name, version, address, ...parts }: DriverOptions): Promise<Driver> {
  const turns = createTurns();
  const stopping = new AbortController();
  const pause = async (ms: number): Promise<void> => {
    try {
      if (ms > 0) await sleep(ms, undefined, { signal: stopping.signal });
    } catch (error) {
      throw new CsiError("Unavailable", "the driver is being stopped", { cause: error });
    }
  };
  const context = { ...parts, turns, pause };
  const server = await serveCsi({
    address,
    identity: identityHandlers(name, version),
    controller: controllerHandlers(context),
    node: nodeHandlers(context),
    interceptors: [inCsiWords],
  });

  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    stopping.abort();
    await server.stop(GRACE_MS);
    await turns.idle();
  };
  return {
    name,
    socketPath: server.socketPath,
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}

function identityHandlers(name: string, vendorVersion: string): IdentityHandlers {
  return {
    getPluginInfo: () => ({ name, vendorVersion }),
    getPluginCapabilities: () => ({
      capabilities: [
        { type: { case: "service" as const, value: { type: Service.CONTROLLER_SERVICE } } },
        // A class may say otherwise of its volumes, but CSI has this asked of the driver as a whole.
        { type: { case: "volumeExpansion" as const, value: { type: VolumeExpansion.ONLINE } } },
      ],
    }),
    probe: () => ({ ready: true }),
  };
}

/** What went wrong with the system, as the gRPC code that lets callers do the right thing. */
const inCsiWords: Interceptor = async (_, next) => {
  try {
    return await next();
  } catch (error) {
    if (error instanceof CsiError) throw error;
    throw new CsiError(codeOf(error), messageOf(error), { cause: error });
  }
};

function codeOf(error: unknown): "ResourceExhausted" | "OutOfRange" | "Internal" {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOSPC" || code === "EDQUOT") return "ResourceExhausted";
  // The file behind a volume would be larger than this machine's file system takes.
  if (code === "EFBIG") return "OutOfRange";
  return "Internal";
}
