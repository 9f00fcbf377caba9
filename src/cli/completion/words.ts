/** What can be typed: the verbs and their flags, as their own definitions say. */
import { Command } from "commander";
import type { Terminal } from "../terminal.ts";
import type { Verb } from "../verbs.ts";

export interface VerbWords {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly Flag[];
}

export interface Flag {
  /** `--namespace` */
  readonly long: string;
  /** `-n`; empty when it has none. */
  readonly short: string;
  readonly summary: string;
  /** Whether another word belongs to it. */
  readonly takesValue: boolean;
}

/** Of these verbs, those for people. The terminal is handed on, and not used. */
export async function wordsOf(verbs: readonly Verb[], terminal: Terminal): Promise<readonly VerbWords[]> {
  const shown = verbs.filter(({ hidden }) => hidden !== true);
  return Promise.all(shown.map(async (verb) => ({ ...verb, flags: await flagsOf(verb, terminal) })));
}

export async function flagsOf(verb: Verb, terminal: Terminal): Promise<readonly Flag[]> {
  const command = new Command(verb.name);
  (await verb.load())(command, terminal, () => {});
  return command.options.map(({ long, short, description, required, optional }) => ({
    long: long ?? "",
    short: short ?? "",
    summary: description,
    takesValue: required || optional,
  }));
}
