/** `outgrow watch`: the growth of volumes, live. */
import type { Command } from "commander";
import type { ExitCode } from "../exit-code.ts";
import { addSelection } from "../status/select.ts";
import type { Terminal } from "../terminal.ts";
import { watchGrowth } from "./watch-growth.ts";

const EXAMPLES = `
On a terminal the lines are redrawn in place; elsewhere there is one line per change. Ctrl-C ends the watching and nothing
else.

Examples:
  outgrow watch sts/db -n prod
  outgrow watch mysqlcluster/shop
  outgrow watch -A -o json

Exit code: 0 everything has its size, 1 something is stuck, 130 Ctrl-C.`;

export function completeWatch(command: Command, terminal: Terminal, finish: (code: ExitCode) => void): void {
  command.addHelpText("after", EXAMPLES);
  addSelection(command, terminal, finish, (connection, chosen) => watchGrowth(connection, chosen, terminal));
}
