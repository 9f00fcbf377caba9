/** `outgrow node`: the node's half of growing volumes, on any node, until somebody stops it. */
import type { Command } from "commander";
import { pino } from "pino";
import { messageOf, OutgrowError } from "../../core/errors.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import type { Terminal } from "../terminal.ts";
import { addNodeFlags, type NodeFlags } from "./flags.ts";
import { runNode } from "./run-node.ts";

export function completeNode(command: Command, _: Terminal, finish: (code: ExitCode) => void): void {
  addNodeFlags(command).action(async (flags: NodeFlags) => {
    finish(await node(flags));
  });
}

async function node(flags: NodeFlags): Promise<ExitCode> {
  const logger = pino({ level: flags.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime });
  const stopping = new AbortController();
  const stop = (signal: NodeJS.Signals): void => {
    logger.info({ signal }, "stopping");
    stopping.abort(new DOMException(`got ${signal}`, "AbortError"));
  };
  process.once("SIGTERM", stop).once("SIGINT", stop);
  try {
    await runNode(flags, { env: process.env, logger }, stopping.signal);
    return EXIT.done;
  } catch (error) {
    if (stopping.signal.aborted) return EXIT.done;
    if (error instanceof OutgrowError) throw error;
    logger.error({ err: error }, `cannot go on: ${messageOf(error)}`);
    return EXIT.refused;
  } finally {
    process.off("SIGTERM", stop).off("SIGINT", stop);
  }
}
