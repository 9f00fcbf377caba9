/** For tests: the program run in a terminal made of strings. */
import type { ExitCode } from "./exit-code.ts";
import { runIn } from "./main.ts";
import type { Terminal } from "./terminal.ts";

export interface Run {
  readonly code: ExitCode;
  readonly out: string;
  readonly err: string;
}

export interface Traits extends Partial<Pick<Terminal, "colours" | "screen" | "ask" | "now">> {
  /** Ctrl-C, when it is aborted. */
  readonly interruption?: AbortSignal;
  /** By which name it is called. @default outgrow */
  readonly program?: string;
  /** Told of everything that is written, as it is written. */
  readonly onWrite?: (text: string) => void;
}

/** Runs `outgrow` with these words and this standard input, on a fixed day. */
export async function runOutgrow(words: readonly string[], input = "", traits: Traits = {}): Promise<Run> {
  const { interruption, program, onWrite, ...own } = traits;
  let out = "";
  let err = "";
  const code = await runIn(
    {
      input: (async function* () {
        yield new TextEncoder().encode(input);
      })(),
      write: (text) => {
        out += text;
        onWrite?.(text);
      },
      complain: (text) => {
        err += text;
      },
      colours: false,
      screen: undefined,
      ask: undefined,
      listen: () => ({ signal: interruption ?? new AbortController().signal, [Symbol.dispose]: () => {} }),
      now: () => Date.parse("2025-03-03T00:00:00Z"),
      ...own,
    },
    words,
    program,
  );
  return { code, out, err };
}
