/** `outgrow resize`: asks for another size, where a person would write it. */
import type { Command } from "commander";
import { OutgrowError } from "../../core/errors.ts";
import type { Wish } from "../../statefulset/decide/wish.ts";
import { addClusterFlags, type ClusterFlags, type Connection, withCluster } from "../cluster/connect.ts";
import { askCustom } from "../custom/ask-custom.ts";
import { explainCancel } from "../custom/explain-cancel.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { addGrowthFlags, type GrowthFlags, type HowToGrow, howToGrow } from "../growth-flags.ts";
import { type OutputFormat, parseFormat } from "../output/structured.ts";
import { readSizes } from "../plan/question.ts";
import { type CustomName, parseTarget, type TargetName } from "../plan/target.ts";
import type { Terminal } from "../terminal.ts";
import { watchGrowth } from "../watch/watch-growth.ts";
import { ask } from "./ask.ts";
import { cancel } from "./cancel.ts";
import { tell } from "./tell.ts";

interface Flags extends ClusterFlags, GrowthFlags {
  readonly watch?: boolean;
  readonly cancel?: boolean;
  readonly output?: string;
}

const EXAMPLES = `
The checks of outgrow plan come first; what it would refuse is refused, and nothing is done.

Examples:
  outgrow resize sts/db data=200Gi wal=20Gi --watch
  outgrow resize sts/db data=200Gi --canary 1 --one-by-one
  outgrow resize sts/db --cancel
  outgrow resize pvc/uploads 50Gi
  outgrow resize mysqlcluster/shop mysql-data=50Gi --watch     where its operator reads it

Exit code: 0 asked for (with --watch: everything has its size), 1 refused (or stuck), 2 not understood.`;

export function completeResize(command: Command, terminal: Terminal, finish: (code: ExitCode) => void): void {
  addGrowthFlags(
    addClusterFlags(command)
      .argument("<target>", "sts/NAME, pvc/NAME, or KIND/NAME of a kind that an ExpansionSource knows")
      .argument(
        "[sizes...]",
        "TEMPLATE=SIZE, several separated by spaces or commas; SIZE for a claim, and where there is only one",
      )
      .option("--watch", "go on watching until everything has its size")
      .option("--cancel", "take back what a StatefulSet was asked for; for a custom resource, say how"),
  )
    .option("-o, --output <format>", "json or yaml")
    .addHelpText("after", EXAMPLES)
    .action(async (word: string, sizes: readonly string[], flags: Flags) => {
      const act = readAct(parseTarget(word), sizes, flags);
      finish(await withCluster(flags, terminal, (connection) => act(connection, terminal)));
    });
}

type Act = (connection: Connection, terminal: Terminal) => Promise<ExitCode>;

function readAct(target: TargetName | CustomName, sizes: readonly string[], flags: Flags): Act {
  const format = flags.output === undefined ? undefined : parseFormat(flags.output);
  const how = howToGrow(flags);
  const isClaim = target.kind === "PersistentVolumeClaim";
  if (isClaim && (flags.cancel === true || Object.keys(how).length > 0)) {
    throw new OutgrowError("USAGE", "a claim grows by itself, and at once; give pvc/NAME SIZE and nothing else");
  }
  if (flags.cancel === true) {
    if (sizes.length > 0 || flags.watch === true || Object.keys(how).length > 0) {
      throw new OutgrowError("USAGE", "--cancel takes everything back: give sts/NAME --cancel and nothing else");
    }
    if (target.kind === "Custom") return (connection, terminal) => explainCancel(connection, target, terminal);
    return (connection, terminal) => cancel(connection, target.name, terminal);
  }
  if (sizes.length === 0 && Object.keys(how).length === 0) {
    throw new OutgrowError("USAGE", `which size? write ${isClaim ? "SIZE" : "TEMPLATE=SIZE"} after the name`);
  }
  return resize(target, readSizes(target, sizes), how, format, flags.watch === true);
}

function resize(
  target: TargetName | CustomName,
  sizes: Wish,
  how: HowToGrow,
  format: OutputFormat | undefined,
  watch: boolean,
): Act {
  return async (connection, terminal) => {
    const asked =
      target.kind === "Custom"
        ? await askCustom(connection, target, sizes, how, terminal.now())
        : await ask(connection, { target, asked: sizes }, how, terminal.now());
    const code = await tell(asked, format, terminal, watch);
    if (!watch || code !== EXIT.done) return code;
    return watchGrowth(connection, { target, namespace: connection.namespace, format }, terminal);
  };
}
