/** What a write comes to, given what is there. */
import type { Entry, StoreEvent, Value } from "./revisioned-store.ts";
import { StoreError } from "./store-error.ts";

export type Write =
  | { readonly type: "create"; readonly key: string; readonly value: Value }
  | { readonly type: "update"; readonly key: string; readonly expected: number; readonly value: Value }
  | { readonly type: "delete"; readonly key: string; readonly expected: number };

/** The event that the write becomes at this revision. Throws the reason why it does not, or what its value function throws. */
export function decideWrite(write: Write, current: Entry | undefined, revision: number): StoreEvent {
  const { key } = write;
  if (write.type === "create") {
    if (current !== undefined) throw new StoreError("Exists", `${key} exists already`, { current });
    return { type: "created", revision, key, entry: entryOf(key, revision, write.value) };
  }

  if (current === undefined) throw new StoreError("NotFound", `${key} is not there`);
  if (current.revision !== write.expected) {
    const message = `${key} was written at revision ${current.revision}, not ${write.expected}; read it again`;
    throw new StoreError("Conflict", message, { current });
  }
  if (write.type === "delete") return { type: "deleted", revision, key, previous: current };
  return { type: "updated", revision, key, entry: entryOf(key, revision, write.value), previous: current };
}

function entryOf(key: string, revision: number, made: Value): Entry {
  const value = typeof made === "string" ? made : made(revision);
  if (!isStorable(key) || !isStorable(value)) {
    const message = `${JSON.stringify(key)} or its value has a NUL or half of a surrogate pair in it`;
    throw new StoreError("Unstorable", message);
  }
  return { key, revision, value };
}

/** SQLite ends texts at a NUL, and UTF-8 has no form for half of a surrogate pair: neither would come back as it was. */
function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}
