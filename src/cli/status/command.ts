/** `outgrow status`: how far everything is that grows, at this moment. */
import type { Command } from "commander";
import type { Connection } from "../cluster/connect.ts";
import { judgeCustom } from "../custom/judge-custom.ts";
import { readCustom } from "../custom/read-custom.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { printStructured } from "../output/structured.ts";
import type { Terminal } from "../terminal.ts";
import { judge } from "./judge.ts";
import { takePicture } from "./picture.ts";
import { renderStatus } from "./render.ts";
import type { StatusReport } from "./report.ts";
import { addSelection, nothingGrows, type Selection, select } from "./select.ts";

const EXAMPLES = `
Without a target: everything in the namespace that grows, or is stuck on the way.

Examples:
  outgrow status
  outgrow status sts/db -n prod
  outgrow status mysqlcluster/shop
  outgrow status -A -o json`;

export function completeStatus(command: Command, terminal: Terminal, finish: (code: ExitCode) => void): void {
  command.addHelpText("after", EXAMPLES);
  addSelection(command, terminal, finish, async (connection, { target, namespace, format }) => {
    const report = await look(connection, namespace, target);
    if (format !== undefined) {
      terminal.write(await printStructured(report, format));
      return EXIT.done;
    }
    const withNamespace = namespace === undefined;
    const text = renderStatus(report, { width: terminal.screen?.columns(), withNamespace });
    if (text === "") terminal.complain(nothingGrows(namespace));
    else terminal.write(text);
    return EXIT.done;
  });
}

async function look(connection: Connection, namespace: string | undefined, target: Selection): Promise<StatusReport> {
  const custom = target?.kind === "Custom" ? await readCustom(connection, target) : undefined;
  const { picture, notRead } = await takePicture(connection, namespace);
  if (custom !== undefined) return { ...judgeCustom(custom, picture), notRead };
  return { items: select(judge(picture), target, connection.namespace), notRead };
}
