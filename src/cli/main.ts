/** The command line: `outgrow VERB ...`. */
import { basename } from "node:path";
import { Command, CommanderError } from "commander";
import packageJson from "../../package.json" with { type: "json" };
import { OutgrowError } from "../core/errors.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { oneLine } from "./output/one-line.ts";
import { processTerminal, type Terminal } from "./terminal.ts";
import { VERBS, type Verb } from "./verbs.ts";

/** Runs the program for this process: `argv` are the words after its name. Sets `process.exitCode`, and never throws. */
export async function run(argv: string[]): Promise<void> {
  process.exitCode = await runIn(processTerminal(), argv, calledAs(process.argv[1] ?? ""));
}

const NAME = "outgrow";

/** As a plugin of kubectl it is a file of this name, and people type two words. */
function calledAs(script: string): string {
  return basename(script).startsWith("kubectl-outgrow") ? "kubectl outgrow" : NAME;
}

/**
 * Runs the program in a terminal and gives the exit code. Errors become one line on standard error. Help shows `program`,
 * the name that it was called by.
 */
export async function runIn(terminal: Terminal, argv: readonly string[], program = NAME): Promise<ExitCode> {
  // The first word that is one: what comes after it may be the value of a flag.
  const word = argv.find((each) => VERBS.some(({ name }) => name === each));
  const verb = VERBS.find(({ name }) => name === word);
  let code: ExitCode = EXIT.done;
  try {
    const command = await buildProgram(terminal, program, verb, (finished) => {
      code = finished;
    });
    if (argv.length === 0) command.outputHelp();
    else await command.parseAsync(argv, { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.done;
    terminal.complain(`outgrow: ${explain(error, program, verb)}\n`);
    return EXIT.usage;
  }
}

async function buildProgram(
  terminal: Terminal,
  name: string,
  wanted: Verb | undefined,
  finish: (code: ExitCode) => void,
): Promise<Command> {
  const program = new Command(name)
    .description("Makes Kubernetes volumes grow.")
    .version(packageJson.version)
    // What comes after a verb is the verb's: a resizer has a --version of its own.
    .enablePositionalOptions()
    .configureOutput({
      writeOut: (text) => terminal.write(inTheNameOf(name, text)),
      writeErr: () => {},
      outputError: () => {},
    })
    .configureHelp({ showGlobalOptions: false })
    .exitOverride();
  for (const verb of VERBS) {
    const command = program.command(verb.name, { hidden: verb.hidden === true }).description(verb.summary);
    if (verb === wanted) (await verb.load())(command, terminal, finish);
  }
  return program;
}

/** Help whose examples can be typed as they stand. */
function inTheNameOf(name: string, help: string): string {
  return name === NAME ? help : help.replaceAll(/(?<=^ *|[|(] ?)outgrow (?=[a-z])/gm, `${name} `);
}

function explain(error: unknown, program: string, verb: Verb | undefined): string {
  if (error instanceof CommanderError) {
    const message = oneLine(error.message.replace(/^error: /, ""));
    return `${message}; see ${program} ${verb === undefined ? "" : `${verb.name} `}--help`;
  }
  if (error instanceof OutgrowError) return oneLine(error.message);
  // What is no error of ours is a fault in the program: its stack is what a report of it needs.
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
