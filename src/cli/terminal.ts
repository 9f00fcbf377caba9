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
  /** Milliseconds since the epoch. */
  now(): number;
}

/** The terminal of this process. A reader that goes away early (`| head`) ends the writing, and is no error. */
export function processTerminal(): Terminal {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") return;
    process.stderr.write(`outgrow: cannot write to standard output: ${error.message}\n`);
    process.exitCode = EXIT.usage;
  });
  return {
    // Not touched before it is read: an open standard input would keep the process alive.
    input: {
      [Symbol.asyncIterator]: () => process.stdin[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>,
    },
    write: (text) => void process.stdout.write(text),
    complain: (text) => void process.stderr.write(text),
    colours: process.stdout.isTTY && (process.env["NO_COLOR"] ?? "") === "",
    now: () => Date.now(),
  };
}
