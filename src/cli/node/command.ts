/** `outgrow node`: the node's half of growing volumes, on any node, until somebody stops it. */
import type { Command } from "commander";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { runProgram } from "../run-program.ts";
import type { Terminal } from "../terminal.ts";
import { addNodeFlags, type NodeFlags } from "./flags.ts";
import { runNode } from "./run-node.ts";

export function completeNode(command: Command, _: Terminal, finish: (code: ExitCode) => void): void {
  addNodeFlags(command).action(async (flags: NodeFlags) => {
    const code = await runProgram(flags.logLevel, async (logger, signal) => {
      await runNode(flags, { env: process.env, logger }, signal);
      return EXIT.done;
    });
    finish(code);
  });
}
