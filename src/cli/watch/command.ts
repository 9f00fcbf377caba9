/** `outgrow watch`: the growth of volumes, live. */
import type { Command } from "commander";
import { withCluster } from "../cluster/connect.ts";
import type { ExitCode } from "../exit-code.ts";
import { parseFormat } from "../output/structured.ts";
import { addSelection, readSelection, type SelectionFlags } from "../status/select.ts";
import type { Terminal } from "../terminal.ts";
import { watchGrowth } from "./watch-growth.ts";

const EXAMPLES = `
On a terminal the lines are redrawn in place; elsewhere there is one line per change. Ctrl-C ends the watching and nothing
else.

Examples:
  outgrow watch sts/db -n prod
  outgrow watch -A -o json

Exit code: 0 everything has its size, 1 something is stuck, 130 Ctrl-C.`;

export function completeWatch(command: Command, terminal: Terminal, finish: (code: ExitCode) => void): void {
  addSelection(command)
    .addHelpText("after", EXAMPLES)
    .action(async (word: string | undefined, flags: SelectionFlags) => {
      const target = readSelection(word, flags);
      const format = flags.output === undefined ? undefined : parseFormat(flags.output);
      finish(
        await withCluster(flags, terminal, (connection) => {
          const namespace = flags.allNamespaces === true ? undefined : connection.namespace;
          return watchGrowth(connection, { target, namespace, format }, terminal);
        }),
      );
    });
}
