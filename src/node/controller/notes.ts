/** What this node remembers of each claim while a pod of the node uses it: by its key, and only of the same claim (uid). */
import type { Quantity } from "../../core/quantity.ts";
import type { NodeMemory } from "../decide/facts.ts";

export interface Note {
  readonly uid: string;
  readonly memory: NodeMemory;
  /** What the volume was grown to here. */
  readonly grownTo?: Quantity;
  /** With a volume of this size there was nothing to do. */
  readonly settledAt?: Quantity;
  /** For which size people were told that the mount is read-only. */
  readonly toldReadOnly?: Quantity;
}

export interface Notes {
  /** What is known of this very claim; an empty note when nothing is, or when it was of a former claim of that name. */
  of(key: string, uid: string): Note;
  get(key: string): Note | undefined;
  put(key: string, note: Note): void;
  forget(key: string): void;
}

export function createNotes(): Notes {
  const notes = new Map<string, Note>();
  return {
    of(key, uid) {
      const known = notes.get(key);
      return known?.uid === uid ? known : { uid, memory: {} };
    },
    get: (key) => notes.get(key),
    put: (key, note) => void notes.set(key, note),
    forget: (key) => void notes.delete(key),
  };
}
