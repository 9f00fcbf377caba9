/**
 * What is remembered between two looks at a set. Nothing that matters is only here: a process that starts anew asks the
 * API server again, and comes to the same.
 */

import type { Following } from "../decide/follow-template.ts";
import { DRY_RUN_HOLDS, type DryRun, type EditRefusal } from "../decide/holds.ts";
import type { Tries } from "../decide/taken-back.ts";
import type { VolumeExpansionStatus } from "../types.ts";

/** About one set. */
export interface Notes {
  /** What the API server said about creating the set anew. */
  dryRun?: DryRun | undefined;
  editRefusal?: EditRefusal | undefined;
  /** What was tried to bring the template along, in case somebody takes it back. */
  tries: Tries;
  /** What the caches take for due about the template and a fresh read of this version of the set does not. */
  looked?: { readonly version: string | undefined; readonly following: Following } | undefined;
  /** Why the template's step could not be taken. */
  problem?: string | undefined;
  /** By name: claims that the API server refused to change, and until when they are left alone. */
  readonly refused: Map<string, { readonly message: string; readonly until: number }>;
  /** The sizes that were wanted at the last look. */
  wanted?: string | undefined;
  /** The sizes that claims have been asked for under a record that was known to be the newest. */
  begun?: string | undefined;
  /** Why a pod could not be evicted. */
  evictionProblem?: string | undefined;
  /** When the record was written last, on the clock that never goes back. */
  writtenAt?: number | undefined;
  /** Who has yet to hear what the record says, and the status that they heard of last. */
  readonly unheard: Map<"record" | "set", VolumeExpansionStatus | undefined>;
  /** Since when there is a record without a set. */
  missingSince?: number | undefined;
  /** Whether the growth was refused at the last look, so that news about what stood against it matter. */
  isRefused?: boolean;
}

export interface Memory {
  of(key: string): Notes;
  forget(key: string): void;
  /**
   * What stood against growing has changed, in one namespace or in all: what was refused there is forgotten, and may be
   * tried again. Gives back the keys that it concerns.
   */
  forgetRefusals(namespace: string | undefined): string[];
  /** Whether the API server takes edits of templates; undefined: not known, or not known any more. */
  takesEdits(): boolean | undefined;
  noteEdits(taken: boolean | undefined): void;
  /** The claims of a set that the API server refused lately. */
  refusedClaims(key: string): ReadonlyMap<string, string>;
}

export function createMemory(now: () => number): Memory {
  const notes = new Map<string, Notes>();
  let edits: { readonly taken: boolean; readonly at: number } | undefined;

  return {
    of(key) {
      let known = notes.get(key);
      if (known === undefined) {
        known = { tries: {}, refused: new Map(), unheard: new Map() };
        notes.set(key, known);
      }
      if (isOver(known.dryRun)) known.dryRun = undefined;
      if (isOver(known.editRefusal)) known.editRefusal = undefined;
      return known;
    },
    forget: (key) => void notes.delete(key),
    forgetRefusals(namespace) {
      const keys: string[] = [];
      for (const [key, note] of notes) {
        if ((namespace !== undefined && !key.startsWith(`${namespace}/`)) || !hasRefusal(note)) continue;
        note.refused.clear();
        if (note.dryRun?.refusal !== undefined) note.dryRun = undefined;
        note.editRefusal = undefined;
        keys.push(key);
      }
      return keys;
    },
    takesEdits: () => (edits === undefined || isOver(edits) ? undefined : edits.taken),
    noteEdits(taken) {
      edits = taken === undefined ? undefined : { taken, at: now() };
    },
    refusedClaims(key) {
      const refused = notes.get(key)?.refused ?? new Map<string, { message: string; until: number }>();
      return new Map(
        [...refused].filter(([, { until }]) => until > now()).map(([name, { message }]) => [name, message]),
      );
    },
  };

  function hasRefusal({ isRefused, refused, dryRun, editRefusal }: Notes): boolean {
    return isRefused === true || refused.size > 0 || dryRun?.refusal !== undefined || editRefusal !== undefined;
  }

  function isOver(answer: { readonly at: number } | undefined): boolean {
    return answer !== undefined && now() - answer.at >= DRY_RUN_HOLDS;
  }
}
