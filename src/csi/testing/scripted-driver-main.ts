/**
 * A scripted driver as a process of its own:
 *
 *     node src/csi/testing/scripted-driver-main.ts --socket /run/csi/socket [--control PATH] [--script JSON | --script @FILE]
 *
 * Says `ready` on a line of its own when it serves, and goes on until SIGTERM or SIGINT. See script.ts and control.ts.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { messageOf } from "../../core/errors.ts";
import { serveControl } from "./control.ts";
import { fromJson } from "./json.ts";
import type { Script } from "./script.ts";
import { startScriptedDriver } from "./scripted-driver.ts";

const { values } = parseArgs({
  options: { socket: { type: "string" }, control: { type: "string" }, script: { type: "string", default: "{}" } },
});

try {
  if (values.socket === undefined) throw new Error("--socket is missing: the path of the unix socket to serve CSI on");
  const script = values.script.startsWith("@") ? readFileSync(values.script.slice(1), "utf8") : values.script;
  const driver = await startScriptedDriver({ address: values.socket, script: fromJson(script) as Script });
  const control = values.control === undefined ? undefined : await serveControl(values.control, driver);
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => {
      control?.close();
      void driver.stop().then(() => process.exit(0));
    });
  }
  process.stdout.write("ready\n");
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}
