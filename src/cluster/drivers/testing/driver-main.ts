/**
 * A driver in a process of its own, so that it can be killed like a real one, and tried by programs of others.
 *
 *     node src/cluster/drivers/testing/driver-main.ts loop|folders|memory SOCKET FOLDER
 *
 * Prints `ready` when it serves; SIGTERM stops it.
 */
import { pino } from "pino";
import { startLoopDriver, startMemoryDriver } from "../index.ts";

const [kind, address = "", folder = ""] = process.argv.slice(2);
const common = { address, folder, version: "test", nodeId: "here" };
const log = pino({ level: "warn" }, process.stderr);

const driver =
  kind === "memory"
    ? await startMemoryDriver(common)
    : await startLoopDriver({ ...common, log, medium: kind === "folders" ? "folders" : "devices" });

const stop = (): void => {
  void driver.stop().then(() => process.exit());
};
process.once("SIGTERM", stop).once("SIGINT", stop);
process.stdout.write("ready\n");
