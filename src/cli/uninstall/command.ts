/** `outgrow uninstall --check`: what is in flight. It removes nothing: what installed Outgrow removes it, too. */
import type { Command } from "commander";
import { OutgrowError } from "../../core/errors.ts";
import { addConnectionFlags, type ClusterFlags, withCluster } from "../cluster/connect.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { parseFormat, printStructured } from "../output/structured.ts";
import type { Terminal } from "../terminal.ts";
import { checkCluster } from "./gather.ts";
import { renderReport } from "./render.ts";

interface Flags extends ClusterFlags {
  readonly check?: boolean;
  readonly output?: string;
}

export function completeUninstall(command: Command, terminal: Terminal, finish: (code: ExitCode) => void): void {
  addConnectionFlags(command)
    .option("--check", "say what is in flight in all namespaces, what would be lost, and how to remove the rest")
    .option("-o, --output <format>", "json or yaml")
    .addHelpText("after", "\nExit code 1 if anything is in flight.\n\nExample:\n  outgrow uninstall --check")
    .action(async (flags: Flags) => {
      if (flags.check !== true) {
        throw new OutgrowError(
          "USAGE",
          "Outgrow does not remove itself; outgrow uninstall --check says whether it can go, and the commands for it",
        );
      }
      const format = flags.output === undefined ? undefined : parseFormat(flags.output);
      finish(
        await withCluster(flags, terminal, async ({ client }) => {
          const report = await checkCluster(client);
          terminal.write(
            format === undefined ? renderReport(report, terminal.colours) : await printStructured(report, format),
          );
          return report.inFlight.length === 0 ? EXIT.done : EXIT.refused;
        }),
      );
    });
}
