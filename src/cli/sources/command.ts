/** `outgrow sources`: operators that we know, and which of them a cluster follows. */
import type { Command } from "commander";
import { OutgrowError } from "../../core/errors.ts";
import { presetNamed } from "../../source/presets/presets.ts";
import { addConnectionFlags, type ClusterFlags, withCluster } from "../cluster/connect.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { type OutputFormat, parseFormat, printStructured } from "../output/structured.ts";
import type { Terminal } from "../terminal.ts";
import { disable, enable, printObjects } from "./enable.ts";
import { listRows, renderRows } from "./list.ts";
import { type Live, readLive } from "./live.ts";
import { findPreset, readSources } from "./read-sources.ts";
import { showStructured, showText } from "./show.ts";
import { ACTIONS, type Action } from "./words.ts";

interface Flags extends ClusterFlags {
  readonly filename?: string;
  readonly dryRun?: boolean;
  readonly output?: string;
}

const EXAMPLES = [
  "outgrow sources list",
  "outgrow sources show moco",
  "outgrow sources enable moco",
  "outgrow sources enable -f my-source.yaml",
  "outgrow sources enable moco --dry-run | kubectl diff -f -",
  "outgrow sources disable moco",
];

export function completeSources(command: Command, terminal: Terminal, finish: (code: ExitCode) => void): void {
  addConnectionFlags(command)
    .argument("<action>", ACTIONS.join(", "))
    .argument("[name]", "of an operator, as list shows it, or of a source in the cluster")
    .option("-f, --filename <file>", "enable: a source of one's own; - is standard input")
    .option("--dry-run", "enable and disable: say what would be done, and do nothing")
    .option("-o, --output <format>", "json or yaml; enable then prints its objects, and does nothing")
    .addHelpText("after", `\nExamples:\n${EXAMPLES.map((example) => `  ${example}`).join("\n")}`)
    .action(async (word: string, name: string | undefined, flags: Flags) => {
      const format = flags.output === undefined ? undefined : parseFormat(flags.output);
      finish(await run(actionOf(word), name, flags, format, terminal));
    });
}

function actionOf(word: string): Action {
  const action = ACTIONS.find((each) => each === word);
  if (action !== undefined) return action;
  throw new OutgrowError("USAGE", `${JSON.stringify(word)} is nothing that can be done; write ${ACTIONS.join(", ")}`);
}

async function run(
  action: Action,
  name: string | undefined,
  flags: Flags,
  format: OutputFormat | undefined,
  terminal: Terminal,
): Promise<ExitCode> {
  if (flags.filename !== undefined && (action !== "enable" || name !== undefined)) {
    throw new OutgrowError("USAGE", "-f goes with enable, in the place of a name: outgrow sources enable -f FILE");
  }
  switch (action) {
    case "list":
      return list(await readLive(flags), format, terminal);
    case "show":
      return show(needed(name, action), await readLive(flags), format, terminal);
    case "enable": {
      const sources = await readSources(flags.filename ?? needed(name, action), terminal.input);
      if (flags.dryRun !== true && format === undefined) {
        return withCluster(flags, terminal, ({ client }) => enable(client, terminal, sources));
      }
      terminal.write(await printObjects(sources, format ?? "yaml"));
      return EXIT.done;
    }
    case "disable":
      return withCluster(flags, terminal, ({ client }) =>
        disable(client, terminal, needed(name, action), flags.dryRun === true),
      );
  }
}

function needed(name: string | undefined, action: Action): string {
  if (name !== undefined) return name;
  throw new OutgrowError(
    "USAGE",
    `${action} what? Write outgrow sources ${action} NAME; outgrow sources list has names`,
  );
}

async function list(live: Live, format: OutputFormat | undefined, terminal: Terminal): Promise<ExitCode> {
  const rows = listRows(live);
  terminal.write(
    format === undefined
      ? renderRows(rows, terminal.screen?.columns())
      : await printStructured({ sources: rows }, format),
  );
  if (live.problem !== undefined) terminal.complain(`outgrow: ${live.problem}\n`);
  return EXIT.done;
}

async function show(
  name: string,
  { sources = [] }: Live,
  format: OutputFormat | undefined,
  terminal: Terminal,
): Promise<ExitCode> {
  const live = sources.find(({ metadata }) => metadata.name === name);
  const others = sources.map(({ metadata }) => metadata.name);
  const shown = { live, preset: live === undefined ? findPreset(name, others) : presetNamed(name) };
  terminal.write(format === undefined ? await showText(shown) : await showStructured(shown, format));
  return EXIT.done;
}
