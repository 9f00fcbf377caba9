/** For tests: the program run in a terminal made of strings. */
import type { ExitCode } from "./exit-code.ts";
import { runIn } from "./main.ts";

export interface Run {
  readonly code: ExitCode;
  readonly out: string;
  readonly err: string;
}

/** Runs `outgrow` with these words and this standard input, on a fixed day. */
export async function runOutgrow(words: readonly string[], input = "", colours = false): Promise<Run> {
  let out = "";
  let err = "";
  const code = await runIn(
    {
      input: (async function* () {
        yield new TextEncoder().encode(input);
      })(),
      write: (text) => {
        out += text;
      },
      complain: (text) => {
        err += text;
      },
      colours,
      now: () => Date.parse("2025-03-03T00:00:00Z"),
    },
    words,
  );
  return { code, out, err };
}
