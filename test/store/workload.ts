/** What the process that is going to be killed writes, in a form that the one who kills it can check. */
import { openSqliteStore, type RevisionedStore, type StoreOptions } from "../../src/cluster/store/index.ts";

/** Little history, so that compaction and the moving of the log into the file happen all the time. */
const OPTIONS: StoreOptions = { limits: { events: 200, age: Number.POSITIVE_INFINITY } };

export function openWorkload(file: string): RevisionedStore {
  return openSqliteStore(file, OPTIONS);
}

/** Printed before a write is asked for. A writer has at most one write under way, and its keys are its own. */
export interface Intent {
  readonly say: "intent";
  readonly writer: number;
  readonly key: string;
  /** The value is `valueOf(tag)`; without a tag the key is deleted. */
  readonly tag?: string | undefined;
}
/** Printed when it was acknowledged. */
export interface Acknowledgement {
  readonly say: "done";
  readonly writer: number;
  readonly revision: number;
}
export type Line = { readonly say: "open"; readonly revision: number } | Intent | Acknowledgement;

/** Long enough to cross pages, and different at both ends: half of one cannot pass for the whole. */
export function valueOf(tag: string): string {
  const length = 200 + (Number.parseInt(tag.slice(-3), 36) % 4000);
  return JSON.stringify({ tag, fill: "x".repeat(length), end: tag });
}
