/**
 * Regular expressions whose cost grows with the text as it does in Go: all ways through the expression are gone at once, a
 * character at a time. JavaScript's own try one after the other, and `^(a+)+$` on thirty letters would hold up the process for good.
 */
import type { PatternTree } from "./pattern-tree.ts";

/** Steps that may still be gone. Below zero: what was asked for last was given up. */
export interface Effort {
  left: number;
}

/** Whoever asks about several texts, or about several matches in one, gives the same `effort` each time. */
export interface Pattern {
  /** How many steps it is made of: what it takes of memory. */
  readonly size: number;
  /** Whether the expression matches somewhere in the text. */
  test(text: string, effort?: Effort): boolean;
  /** Where the leftmost match from this place on begins and ends; of those that begin there, the one that Go prefers. */
  find(text: string, from: number, effort?: Effort): readonly [number, number] | undefined;
}

type Step =
  | { readonly kind: "character"; readonly is: (codePoint: number) => boolean }
  | Extract<PatternTree, { kind: "place" }>
  /** Goes on at each of these, the first preferred. */
  | { readonly kind: "fork"; readonly to: number[] }
  | { readonly kind: "end" };

const END: Step = { kind: "end" };

/** Steps that an expression may have when it is written out; Go's own limit is higher, and nobody's pattern comes near. */
const MAX_STEPS = 10_000;
/** Steps that are gone for one text, about a second; whoever needs more does not match. */
const MAX_WORK = 20_000_000;

/** An item of a list that somebody else looks at is about as much work as so many steps. */
export const PER_ITEM = 10;

export function newEffort(): Effort {
  return { left: MAX_WORK };
}

/** Throws `SyntaxError` for an expression that is too large. */
export function linearPattern(tree: PatternTree): Pattern {
  const steps: Step[] = [];
  write(tree, steps);
  steps.push(END);
  return {
    size: steps.length,
    test: (candidate, effort = newEffort()) => matches(steps, candidate, effort),
    find: (candidate, from, effort = newEffort()) => preferred(steps, candidate, from, effort),
  };
}

function write(tree: PatternTree, steps: Step[]): void {
  if (steps.length > MAX_STEPS) throw new SyntaxError("expression too large");
  switch (tree.kind) {
    case "character":
    case "place":
      steps.push(tree);
      return;
    case "sequence":
      for (const part of tree.parts) write(part, steps);
      return;
    case "choice": {
      const fork = forkIn(steps);
      const ends = tree.options.map((option) => {
        fork.to.push(steps.length);
        write(option, steps);
        return forkIn(steps);
      });
      for (const end of ends) end.to.push(steps.length);
      return;
    }
    case "repeat": {
      const { part, least, most, isLazy } = tree;
      if (most === undefined) {
        if (least > 0) return writeOften(part, least, isLazy, steps);
        // What may be nothing is asked for once before the way past it: else a turn that found nothing would not count.
        if (!mayBeNothing(part)) return writeAny(part, isLazy, steps);
        const fork = forkIn(steps);
        fork.to.push(steps.length);
        writeOften(part, 1, isLazy, steps);
        return prefer(fork, steps.length, isLazy);
      }
      for (let time = 0; time < least; time++) write(part, steps);
      const forks: { readonly to: number[] }[] = [];
      for (let time = least; time < most; time++) {
        const fork = forkIn(steps);
        fork.to.push(steps.length);
        forks.push(fork);
        write(part, steps);
      }
      for (const fork of forks) prefer(fork, steps.length, isLazy);
    }
  }
}

/** As often as one likes, also never. */
function writeAny(part: PatternTree, isLazy: boolean, steps: Step[]): void {
  const fork = forkIn(steps);
  const back = steps.length - 1;
  fork.to.push(steps.length);
  write(part, steps);
  forkIn(steps).to.push(back);
  prefer(fork, steps.length, isLazy);
}

/** So many times at least, which is once or more. */
function writeOften(part: PatternTree, least: number, isLazy: boolean, steps: Step[]): void {
  for (let time = 1; time < least; time++) write(part, steps);
  const again = steps.length;
  write(part, steps);
  const fork = forkIn(steps);
  fork.to.push(again);
  prefer(fork, steps.length, isLazy);
}

function mayBeNothing(tree: PatternTree): boolean {
  switch (tree.kind) {
    case "character":
      return false;
    case "place":
      return true;
    case "sequence":
      return tree.parts.every(mayBeNothing);
    case "choice":
      return tree.options.some(mayBeNothing);
    case "repeat":
      return tree.least === 0 || mayBeNothing(tree.part);
  }
}

/** The way past a repetition comes last, or first where it is lazy. */
function prefer(fork: { readonly to: number[] }, past: number, isLazy: boolean): void {
  if (isLazy) fork.to.unshift(past);
  else fork.to.push(past);
}

function forkIn(steps: Step[]): { readonly to: number[] } {
  const fork = { kind: "fork", to: [] as number[] } as const;
  steps.push(fork);
  return fork;
}

function matches(steps: readonly Step[], text: string, effort: Effort): boolean {
  /** Which steps were reached in front of which character: each counts once. */
  const reached = new Int32Array(steps.length).fill(-1);
  const open = new Int32Array(steps.length);
  let [entered, following] = [new Int32Array(steps.length), new Int32Array(steps.length)];
  let [enteredCount, followingCount, openCount] = [0, 0, 0];
  let before: number | undefined;
  let place = 0;

  function enter(at: number): void {
    if (reached[at] === place) return;
    reached[at] = place;
    open[openCount++] = at;
  }

  for (;;) {
    const character = text.codePointAt(place);
    // A match may begin anywhere.
    enter(0);
    for (let index = 0; index < enteredCount; index++) enter(entered[index] ?? 0);
    while (openCount > 0) {
      const at = open[--openCount] ?? 0;
      if (--effort.left < 0) return false;
      const step = steps[at] ?? END;
      switch (step.kind) {
        case "end":
          return true;
        case "fork":
          for (const to of step.to) enter(to);
          break;
        case "place":
          if (step.holds(before, character)) enter(at + 1);
          break;
        case "character":
          if (character !== undefined && step.is(character)) following[followingCount++] = at + 1;
      }
    }
    if (character === undefined) return false;
    [entered, following] = [following, entered];
    [enteredCount, followingCount] = [followingCount, 0];
    before = character;
    place += character > 0xffff ? 2 : 1;
  }
}

/** A way through the expression that is still open: its next step, and where it began. */
interface Way {
  readonly at: number;
  readonly start: number;
}

/** All ways at once as in `matches`, but in the order of preference: once one has matched, only those before it may still do better. */
function preferred(
  steps: readonly Step[],
  text: string,
  from: number,
  effort: Effort,
): readonly [number, number] | undefined {
  const reached = new Int32Array(steps.length).fill(-1);
  let found: readonly [number, number] | undefined;
  let current: Way[] = [];
  let before = from === 0 ? undefined : characterBefore(text, from);

  for (let place = from; ; ) {
    const character = text.codePointAt(place);
    if (found === undefined) current.push({ at: 0, start: place });
    const next: Way[] = [];
    const open = current.toReversed();
    while (open.length > 0) {
      const { at, start } = open.pop() as Way;
      if (reached[at] === place) continue;
      reached[at] = place;
      if (--effort.left < 0) return undefined;
      const step = steps[at] ?? END;
      if (step.kind === "end") {
        found = [start, place];
        break;
      }
      if (step.kind === "fork") for (const to of step.to.toReversed()) open.push({ at: to, start });
      else if (step.kind === "place") {
        if (step.holds(before, character)) open.push({ at: at + 1, start });
      } else if (character !== undefined && step.is(character)) next.push({ at: at + 1, start });
    }
    if (character === undefined || (found !== undefined && next.length === 0)) return found;
    current = next;
    before = character;
    place += character > 0xffff ? 2 : 1;
  }
}

function characterBefore(text: string, place: number): number | undefined {
  const unit = text.charCodeAt(place - 1);
  return unit >= 0xdc00 && unit <= 0xdfff ? text.codePointAt(place - 2) : unit;
}
