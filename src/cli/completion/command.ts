/** `outgrow completion`, and the hidden verb that its scripts ask. */
import type { Command } from "commander";
import { OutgrowError } from "../../core/errors.ts";
import { withCluster } from "../cluster/connect.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { wordsOfSources } from "../sources/words.ts";
import type { Terminal } from "../terminal.ts";
import { VERBS } from "../verbs.ts";
import { candidates, readTyped } from "./candidates.ts";
import { ASKING, SHELLS, scriptFor } from "./scripts.ts";
import { flagsOf, wordsOf } from "./words.ts";

const EXAMPLES = `
Examples:
  source <(outgrow completion bash)          in ~/.bashrc
  source <(outgrow completion zsh)           in ~/.zshrc
  outgrow completion fish | source           in ~/.config/fish/config.fish`;

export function completeCompletion(command: Command, terminal: Terminal, finish: (code: ExitCode) => void): void {
  command
    .argument("<shell>", SHELLS.join(", "))
    .addHelpText("after", EXAMPLES)
    .action(async (word: string) => {
      const shell = SHELLS.find((each) => each === word);
      if (shell === undefined) {
        throw new OutgrowError(
          "USAGE",
          `there is no completion for ${JSON.stringify(word)}; choose ${SHELLS.join(", ")}`,
        );
      }
      terminal.write(scriptFor(shell, await wordsOf(VERBS, terminal)));
      finish(EXIT.done);
    });
}

/** Whoever presses Tab waits for it: a cluster that takes longer has nothing to add. */
const PATIENCE_MS = 2_000;

/** Whatever goes wrong is silence: a message would land in the middle of somebody's command line. */
export function completeWord(command: Command, terminal: Terminal, finish: (code: ExitCode) => void): void {
  command
    .argument("[words...]", "what has been typed, the last word unfinished")
    .allowUnknownOption()
    .passThroughOptions()
    .action(async ([name = "", ...line]: readonly string[]) => {
      finish(EXIT.done);
      const verb = VERBS.find((each) => each.name === name);
      if (verb === undefined || !ASKING.includes(name)) return;
      const { words, flags } = readTyped(line, await flagsOf(verb, terminal));
      if (name === "sources") {
        terminal.write(
          wordsOfSources(words)
            .map((each) => `${each}\n`)
            .join(""),
        );
        return;
      }
      const silent: Terminal = { ...terminal, complain: () => {} };
      await withCluster(flags, silent, async (connection) => {
        const found = await candidates(connection, name, words, AbortSignal.timeout(PATIENCE_MS));
        terminal.write(found.map((each) => `${each}\n`).join(""));
        return EXIT.done;
      }).catch(() => {});
    });
}
