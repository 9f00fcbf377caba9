/** What can be typed after `outgrow sources`. */
import { PRESETS } from "../../source/presets/presets.ts";

export const ACTIONS = ["list", "show", "enable", "disable"] as const;
export type Action = (typeof ACTIONS)[number];

/** What fits the last of these words: an action, then an operator that is known. */
export function wordsOfSources(words: readonly string[]): readonly string[] {
  const last = words.at(-1) ?? "";
  const possible = words.length <= 1 ? ACTIONS : words.length === 2 ? PRESETS.map(({ name }) => name) : [];
  return possible.filter((word) => word.startsWith(last));
}
