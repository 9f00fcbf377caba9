/** A program that runs until somebody stops it: its log on standard output, and the signals that end it. */
import { type Logger, pino } from "pino";
import { messageOf, OutgrowError } from "../core/errors.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";

/**
 * Calls `work` with a signal that is aborted by SIGTERM and SIGINT, and gives its exit code. What it rejects with when it
 * was not asked to stop is logged, and the code says that it failed; an `OutgrowError` is the caller's.
 */
export async function runProgram(
  logLevel: string,
  work: (logger: Logger, signal: AbortSignal) => Promise<ExitCode>,
): Promise<ExitCode> {
  const logger = pino({ level: logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime });
  const stopping = new AbortController();
  const stop = (signal: NodeJS.Signals): void => {
    logger.info({ signal }, "stopping");
    stopping.abort(new DOMException(`got ${signal}`, "AbortError"));
  };
  process.once("SIGTERM", stop).once("SIGINT", stop);
  try {
    return await work(logger, stopping.signal);
  } catch (error) {
    if (stopping.signal.aborted) return EXIT.done;
    if (error instanceof OutgrowError) throw error;
    logger.error({ err: error }, `cannot go on: ${messageOf(error)}`);
    return EXIT.refused;
  } finally {
    process.off("SIGTERM", stop).off("SIGINT", stop);
  }
}
