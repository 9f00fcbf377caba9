/** `outgrow plan`: the command line of it. */
import type { Command } from "commander";
import { OutgrowError } from "../../core/errors.ts";
import { type Gates, parseGates } from "../../core/gates.ts";
import type { Wish } from "../../statefulset/decide/wish.ts";
import { addClusterFlags, type ClusterFlags, withCluster } from "../cluster/connect.ts";
import { planCustom } from "../custom/plan-custom.ts";
import { readCustom } from "../custom/read-custom.ts";
import { renderCustomPlan } from "../custom/render.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { addGrowthFlags, type GrowthFlags, howToGrow } from "../growth-flags.ts";
import { readSnapshot } from "../input/read-snapshot.ts";
import { openSources } from "../input/sources.ts";
import { type OutputFormat, parseFormat, printStructured } from "../output/structured.ts";
import type { Terminal } from "../terminal.ts";
import { fromFiles } from "./evidence.ts";
import { gather } from "./gather.ts";
import type { PlanOptions } from "./options.ts";
import { answerWith, type Question, readSizes } from "./question.ts";
import { renderPlan } from "./render.ts";
import type { PlanReport } from "./report.ts";
import { type CustomName, parseTarget, type TargetName } from "./target.ts";

interface Flags extends ClusterFlags, GrowthFlags {
  readonly filename?: readonly string[];
  readonly output?: string;
  readonly featureGates?: string;
}

const EXAMPLES = `
Nothing is touched. The objects are read from the cluster; with -f from files, which need to have what this prints:
  kubectl get sts,pvc,pv,sc,resourcequota,limitrange,csidriver,pod -o yaml

Examples:
  outgrow plan sts/db data=200Gi wal=20Gi -n prod
  outgrow plan pvc/uploads 50Gi -o json
  outgrow plan mysqlcluster/shop mysql-data=50Gi
  outgrow plan sts/db          what is still to be done for the sizes that are written there now
  kubectl get sts,pvc,pv,sc,resourcequota,limitrange,csidriver,pod -o yaml | outgrow plan -f - sts/db data=200Gi

Exit code: 0 would be done, 1 would be refused, 2 not understood.`;

export function completePlan(command: Command, terminal: Terminal, finish: (code: ExitCode) => void): void {
  const collect = (path: string, paths: readonly string[] = []) => [...paths, path];
  addGrowthFlags(
    addClusterFlags(command)
      .argument("<target>", "sts/NAME, pvc/NAME, or KIND/NAME of a kind that an ExpansionSource knows")
      .argument("[sizes...]", "TEMPLATE=SIZE; SIZE for a claim, and where there is only one")
      .option(
        "-f, --filename <path>",
        "file, folder, or - for standard input, in place of a cluster; may be repeated",
        collect,
      )
      .option("-o, --output <format>", "json or yaml"),
  )
    .option("--feature-gates <list>", "NAME=true,NAME=false")
    .addHelpText("after", EXAMPLES)
    .action(async (target: string, sizes: string[], flags: Flags) => {
      const parsed = parseTarget(target);
      finish(await plan(parsed, readSizes(parsed, sizes), flags, terminal));
    });
}

async function plan(target: TargetName | CustomName, asked: Wish, flags: Flags, terminal: Terminal): Promise<ExitCode> {
  // Everything that can be wrong with the words is found before a byte is read.
  const format = flags.output === undefined ? undefined : parseFormat(flags.output);
  const gates: Gates = parseGates(flags.featureGates ?? "");
  const options: PlanOptions = { how: howToGrow(flags), gates, now: terminal.now() };
  if (target.kind === "Custom") return planResource(target, asked, options, format, flags, terminal);
  const question: Question = { target, asked };
  if (flags.filename !== undefined) {
    const evidence = fromFiles(await readSnapshot(await openSources(flags.filename, terminal.input)));
    return print(answerWith(evidence, question, flags.namespace, options), "by-hand", format, terminal);
  }
  return withCluster(flags, terminal, async (connection) => {
    const evidence = await gather(connection, target, asked, options.now);
    return print(answerWith(evidence, question, connection.namespace, options), "outgrow", format, terminal);
  });
}

async function planResource(
  name: CustomName,
  asked: Wish,
  options: PlanOptions,
  format: OutputFormat | undefined,
  flags: Flags,
  terminal: Terminal,
): Promise<ExitCode> {
  if (flags.filename !== undefined) {
    throw new OutgrowError(
      "USAGE",
      `files do not tell what ${name.word} is; plan sts/NAME or pvc/NAME with -f, or ask the cluster without`,
    );
  }
  return withCluster(flags, terminal, async (connection) => {
    const report = await planCustom(connection, await readCustom(connection, name), asked, options);
    const { colours, screen } = terminal;
    terminal.write(
      format === undefined
        ? renderCustomPlan(report, { colours, width: screen?.columns() })
        : await printStructured(report, format),
    );
    return report.verdict === "refused" ? EXIT.refused : EXIT.done;
  });
}

async function print(
  report: PlanReport,
  doneBy: "by-hand" | "outgrow",
  format: OutputFormat | undefined,
  terminal: Terminal,
): Promise<ExitCode> {
  const text =
    format === undefined
      ? renderPlan(report, { colours: terminal.colours, width: terminal.screen?.columns(), doneBy })
      : await printStructured(report, format);
  terminal.write(text);
  return report.verdict === "refused" ? EXIT.refused : EXIT.done;
}
