/** The logger that is handed in: a pino logger, or anything with these four methods of it. */

/** One line: what it is about, in fields (an error as `err`), and what happened, in words. */
export interface LogMethod {
  (fields: object, message?: string): void;
  (message: string): void;
}

export interface Logger {
  readonly debug: LogMethod;
  readonly info: LogMethod;
  readonly warn: LogMethod;
  readonly error: LogMethod;
}

/** For callers that do not want to hear anything. */
export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };
