/** What one run of the controller remembers of each claim: by its key, and only as long as it is the same claim (uid). */
import { type ClaimMemory, NOTHING_REMEMBERED } from "../decide/facts.ts";

export interface Note {
  readonly uid: string;
  readonly memory: ClaimMemory;
  /** A lowered request is being tried. */
  readonly recovering: boolean;
  /** When the claim was first seen to need something, in milliseconds since the epoch. */
  readonly since: number;
}

export interface Notes {
  /** What is remembered of this very claim; a new note when nothing is, or when it was of a former claim of that name. */
  of(key: string, uid: string): Note;
  /** Keeps what was learnt of a claim; nothing when it was forgotten since, or when another has its name now. */
  put(key: string, note: Note): void;
  forget(key: string): void;
  isInUse(key: string): boolean;
}

export function createNotes(now: () => number): Notes {
  const notes = new Map<string, Note>();
  return {
    of(key, uid) {
      const known = notes.get(key);
      if (known?.uid === uid) return known;
      const note = { uid, memory: NOTHING_REMEMBERED, recovering: false, since: now() };
      notes.set(key, note);
      return note;
    },
    put(key, note) {
      if (notes.get(key)?.uid === note.uid) notes.set(key, note);
    },
    forget: (key) => void notes.delete(key),
    isInUse: (key) => notes.get(key)?.memory.inUse === true,
  };
}
