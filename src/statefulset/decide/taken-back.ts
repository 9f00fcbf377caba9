/**
 * Somebody who takes back what we do: an operator that overwrites foreign edits, or that creates a set again with the
 * size it had. Trying for ever would be a fight, at the cost of the pods in between. So what was taken back is counted,
 * told to people, and tried again only after a while, each time a longer one.
 *
 * The count is kept by the process and nowhere else. One that starts anew tries once more, which does no harm.
 */
import { toTimestamp } from "../../core/clock.ts";
import type { Hold, TemplateFacts } from "./holds.ts";
import { controllerOf } from "./references.ts";
import { RECREATE_FINALIZER } from "./saved-set.ts";
import type { TemplateSizes } from "./template-target.ts";

/** What has happened to one set so far. */
export interface Tries {
  /** Marks that were put on the set of this uid, and that we have not taken off ourselves. */
  readonly marks?: { readonly uid: string; readonly times: number; readonly at: number };
  /** Deletions for the sake of these sizes. */
  readonly sizes?: { readonly text: string; readonly times: number; readonly at: number };
}

export interface TakenBack {
  /** `marks`: the finalizer or the retention policy. `size`: the set came back, and too small. */
  readonly what: "marks" | "size";
  readonly times: number;
  /** When it is tried again. */
  readonly until: number;
}

/** A step that was taken, as far as it matters here. */
export interface Taken {
  readonly kind: string;
  readonly uid: string;
  /** What the template is to have. */
  readonly sizes: TemplateSizes;
  readonly now: number;
}

/** Putting the marks on again once or twice happens: somebody edits the set between two calls of ours. */
const MARKS_AT_MOST = 3;
/** How long marks are not tried again, in milliseconds. */
const MARKS_AGAIN = 10 * 60_000;
/** Between the second re-creation for the same size and the third, in milliseconds; doubled each time, up to the longest. */
const FIRST = 2 * 60_000;
const LONGEST = 60 * 60_000;

/** The tries after this step; the same object when it does not matter. */
export function afterStep(tries: Tries, { kind, uid, sizes, now }: Taken): Tries {
  const { marks, ...others } = tries;
  switch (kind) {
    case "prepare": {
      const times = marks?.uid === uid && !isOver(marks, now) ? marks.times + 1 : 1;
      return { ...others, marks: { uid, times, at: now } };
    }
    case "restore":
      return marks === undefined || marks.times >= MARKS_AT_MOST ? tries : others;
    case "delete": {
      const text = format(sizes);
      const times = tries.sizes?.text === text ? tries.sizes.times + 1 : 1;
      return { sizes: { text, times, at: now } };
    }
    default:
      return tries;
  }
}

/** Not now, where somebody has taken it back before. */
export function triedInVain({ set, tries = {}, now }: TemplateFacts, sizes: TemplateSizes): Hold | undefined {
  const found = takenBack(tries, sizes, now);
  if (found === undefined) return undefined;
  const { what, times, until } = found;
  const owner = controllerOf(set);
  const who = owner === undefined ? "somebody" : `the operator of ${owner.kind} ${owner.name}`;
  const story =
    what === "marks"
      ? `${who} takes back what makes deleting the set safe (finalizer ${RECREATE_FINALIZER}, retention policy Retain)`
      : `the set was created again ${times} times for this size, and ${who} made it smaller each time`;
  const reason = `${story}; have that stopped, or change the template there; tried again at ${toTimestamp(until)}`;
  return { id: "taken-back", reason, lookAgain: { at: until } };
}

/** What stands against trying now; undefined when nothing does. */
export function takenBack(tries: Tries, sizes: TemplateSizes, now: number): TakenBack | undefined {
  const { marks } = tries;
  if (marks !== undefined && marks.times >= MARKS_AT_MOST && !isOver(marks, now)) {
    return { what: "marks", times: marks.times, until: marks.at + MARKS_AGAIN };
  }
  const { text, times = 0, at = 0 } = tries.sizes ?? {};
  if (times < 2 || text !== format(sizes)) return undefined;
  const until = at + Math.min(FIRST * 2 ** (times - 2), LONGEST);
  return now < until ? { what: "size", times, until } : undefined;
}

function isOver({ at }: { readonly at: number }, now: number): boolean {
  return now - at >= MARKS_AGAIN;
}

function format(sizes: TemplateSizes): string {
  return [...sizes].map(([template, size]) => `${template}=${size.toString()}`).join();
}
