import { createInterface } from "node:readline/promises";
import { EXIT } from "./exit-code.ts";

/** The program's way to the outside, handed to every verb: tests hand in their own. */
export interface Terminal {
  readonly input: AsyncIterable<Uint8Array>;
  /** Writes to standard output. */
  write(text: string): void;
  /** Writes to standard error. */
  complain(text: string): void;
  /** Whether colours are wanted: a terminal, and nobody has set NO_COLOR. */
  readonly colours: boolean;
  /** What standard output is shown on; undefined when it is a file or a pipe. */
  readonly screen: Screen | undefined;
  /** Asks whoever sits there; undefined when nobody does. The answer is undefined when there is none: Ctrl-D, Ctrl-C. */
  readonly ask: ((question: string) => Promise<string | undefined>) | undefined;
  /**
   * Listens for Ctrl-C and its like, which then no longer end the process, and for a reader that goes away; until it is
   * disposed of.
   */
  listen(): Interruption;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** How large a terminal is, at this moment. */
export interface Screen {
  columns(): number;
  rows(): number;
}

export interface Interruption extends Disposable {
  /** Aborted when somebody wants the program to end. */
  readonly signal: AbortSignal;
}

/** The terminal of this process. A reader that goes away early (`| head`) ends the writing, and is no error. */
export function processTerminal(): Terminal {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") return;
    process.stderr.write(`outgrow: cannot write to standard output: ${error.message}\n`);
    process.exitCode = EXIT.usage;
  });
  const { stdout } = process;
  return {
    // Not touched before it is read: an open standard input would keep the process alive.
    input: {
      [Symbol.asyncIterator]: () => process.stdin[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>,
    },
    write: (text) => void stdout.write(text),
    complain: (text) => void process.stderr.write(text),
    colours: stdout.isTTY && (process.env["NO_COLOR"] ?? "") === "",
    screen: stdout.isTTY ? { columns: () => stdout.columns || 80, rows: () => stdout.rows || 24 } : undefined,
    ask: stdout.isTTY && process.stdin.isTTY ? askPerson : undefined,
    listen: listenForSignals,
    now: () => Date.now(),
  };
}

async function askPerson(question: string): Promise<string | undefined> {
  using line = createInterface({ input: process.stdin, output: process.stdout });
  const given = new AbortController();
  line.once("SIGINT", () => given.abort()).once("close", () => given.abort());
  try {
    return (await line.question(question, { signal: given.signal })).trim();
  } catch (error) {
    if (!given.signal.aborted) throw error;
    process.stdout.write("\n");
    return undefined;
  }
}

function listenForSignals(): Interruption {
  const interrupted = new AbortController();
  const stop = (): void => interrupted.abort(new DOMException("nobody wants to see more", "AbortError"));
  process.on("SIGTERM", stop).on("SIGINT", stop);
  process.stdout.on("error", stop);
  return {
    signal: interrupted.signal,
    [Symbol.dispose]() {
      process.off("SIGTERM", stop).off("SIGINT", stop);
      process.stdout.off("error", stop);
    },
  };
}
