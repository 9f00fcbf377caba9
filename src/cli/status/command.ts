/** `outgrow status`: how far everything is that grows, at this moment. */
import type { Command } from "commander";
import { type Connection, withCluster } from "../cluster/connect.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { parseFormat, printStructured } from "../output/structured.ts";
import type { TargetName } from "../plan/target.ts";
import type { Terminal } from "../terminal.ts";
import { judge } from "./judge.ts";
import { takePicture } from "./picture.ts";
import { renderStatus } from "./render.ts";
import type { StatusReport } from "./report.ts";
import { addSelection, nothingGrows, readSelection, type SelectionFlags, select } from "./select.ts";

const EXAMPLES = `
Without a target: everything in the namespace that grows, or is stuck on the way.

Examples:
  outgrow status
  outgrow status sts/db -n prod
  outgrow status -A -o json`;

export function completeStatus(command: Command, terminal: Terminal, finish: (code: ExitCode) => void): void {
  addSelection(command)
    .addHelpText("after", EXAMPLES)
    .action(async (word: string | undefined, flags: SelectionFlags) => {
      const target = readSelection(word, flags);
      const format = flags.output === undefined ? undefined : parseFormat(flags.output);
      finish(
        await withCluster(flags, terminal, async (connection) => {
          const { allNamespaces: withNamespace = false } = flags;
          const namespace = withNamespace ? undefined : connection.namespace;
          const report = await look(connection, namespace, target);
          if (format !== undefined) terminal.write(await printStructured(report, format));
          else {
            const text = renderStatus(report, { width: terminal.screen?.columns(), withNamespace });
            if (text === "") terminal.complain(nothingGrows(namespace));
            else terminal.write(text);
          }
          return EXIT.done;
        }),
      );
    });
}

async function look(
  connection: Connection,
  namespace: string | undefined,
  target: TargetName | undefined,
): Promise<StatusReport> {
  const { picture, notRead } = await takePicture(connection, namespace);
  return { items: select(judge(picture), target, connection.namespace), notRead };
}
