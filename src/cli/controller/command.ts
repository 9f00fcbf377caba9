/** `outgrow controller`: grows what StatefulSets own, on any cluster, until somebody stops it. */
import type { Command } from "commander";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { runProgram } from "../run-program.ts";
import type { Terminal } from "../terminal.ts";
import { addControllerFlags, type ControllerFlags } from "./flags.ts";
import { runController } from "./run-controller.ts";

export function completeController(command: Command, _: Terminal, finish: (code: ExitCode) => void): void {
  addControllerFlags(command).action(async (flags: ControllerFlags) => {
    const code = await runProgram(flags.logLevel, async (logger, signal) => {
      const end = await runController(flags, { env: process.env, logger }, signal);
      return end === "stopped" ? EXIT.done : EXIT.refused;
    });
    finish(code);
  });
}
