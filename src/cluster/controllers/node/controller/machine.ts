/** This machine, as a node tells of it. */
import { arch, availableParallelism, hostname, platform, release, totalmem } from "node:os";
import type { Machine } from "../decide/node-object.ts";

/** Go's names for what Node calls otherwise. */
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: "amd64", ia32: "386" };

export function thisMachine(version: string): Machine {
  return {
    hostname: hostname().toLowerCase(),
    // Nothing of this cluster is reachable from elsewhere.
    address: "127.0.0.1",
    cpus: availableParallelism(),
    memoryBytes: BigInt(totalmem()),
    architecture: ARCHITECTURES[arch()] ?? arch(),
    operatingSystem: platform(),
    kernelVersion: release(),
    version,
  };
}
