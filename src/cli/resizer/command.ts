/** `outgrow resizer`: the command line of it. Its flags are csi-resizer's, in Go's syntax, so they are read here and not by commander. */
import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import packageJson from "../../../package.json" with { type: "json" };
import { RESIZER_FLAGS } from "../../resize/sidecar/flags.ts";
import { describeFlags } from "../../resize/sidecar/go-flags.ts";
import { readOptions } from "../../resize/sidecar/options.ts";
import { runSidecar } from "../../resize/sidecar/sidecar.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { runProgram } from "../run-program.ts";
import type { Terminal } from "../terminal.ts";

const NAMESPACE_FILE = "/var/run/secrets/kubernetes.io/serviceaccount/namespace";

export function completeResizer(command: Command, terminal: Terminal, finish: (code: ExitCode) => void): void {
  command
    .helpOption(false)
    .allowUnknownOption()
    .argument("[flags...]")
    .action(async (_: unknown, __: unknown, { args }: Command) => {
      finish(await resizer(args, terminal));
    });
}

async function resizer(argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  if (argv.some((word) => /^--?(help|h)$/.test(word))) {
    terminal.write(`Usage of outgrow resizer:\n${describeFlags(RESIZER_FLAGS)}`);
    return EXIT.done;
  }
  const options = readOptions(argv);
  if (options.showVersion) {
    terminal.write(`outgrow resizer ${packageJson.version}\n`);
    return EXIT.done;
  }
  return runProgram(options.logLevel, async (logger, signal) => {
    const end = await runSidecar(options, { env: process.env, logger, podNamespace }, signal);
    return end === "stopped" ? EXIT.done : EXIT.refused;
  });
}

async function podNamespace(): Promise<string | undefined> {
  try {
    return (await readFile(NAMESPACE_FILE, "utf8")).trim() || undefined;
  } catch {
    return undefined;
  }
}
