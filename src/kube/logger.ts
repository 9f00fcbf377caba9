/** The logger that is handed in: a pino logger, or anything with these four methods of it. */
import type { BaseLogger } from "pino";

export type Logger = Pick<BaseLogger, "debug" | "info" | "warn" | "error">;

/** For callers that do not want to hear anything. */
export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };
