/**
 * Regular expressions whose cost grows with the text as it does in Go: all ways through the expression are gone at once, a
 * character at a time. JavaScript's own try one after the other, and `^(a+)+$` on thirty letters would hold up the process for good.
 */
import { type PatternTree, parsePattern } from "./pattern-tree.ts";

export interface Pattern {
  /** Whether the expression matches somewhere in the text. */
  test(text: string): boolean;
}

type Step =
  | { readonly kind: "character"; readonly is: (codePoint: number) => boolean }
  | Extract<PatternTree, { kind: "place" }>
  /** Goes on at each of these. */
  | { readonly kind: "fork"; readonly to: number[] }
  | { readonly kind: "end" };

const END: Step = { kind: "end" };

/** Steps that an expression may have when it is written out; Go's own limit is higher, and nobody's pattern comes near. */
const MAX_STEPS = 4_000;
/** Steps that are gone for one text, a fraction of a second: whoever needs more does not match. */
const MAX_WORK = 20_000_000;

/** Of a text that `RegExp` has accepted, with its flags. Throws `SyntaxError` for one that is too large. */
export function linearPattern(text: string, flags: string): Pattern {
  const steps: Step[] = [];
  write(parsePattern(text, flags), steps);
  steps.push(END);
  return { test: (candidate) => matches(steps, candidate) };
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
      const { part, least, most } = tree;
      for (let time = 0; time < least; time++) write(part, steps);
      if (most === undefined) {
        const fork = forkIn(steps);
        const back = steps.length - 1;
        fork.to.push(steps.length);
        write(part, steps);
        forkIn(steps).to.push(back);
        fork.to.push(steps.length);
        return;
      }
      const forks: { readonly to: number[] }[] = [];
      for (let time = least; time < most; time++) {
        const fork = forkIn(steps);
        fork.to.push(steps.length);
        forks.push(fork);
        write(part, steps);
      }
      for (const { to } of forks) to.push(steps.length);
    }
  }
}

function forkIn(steps: Step[]): { readonly to: number[] } {
  const fork = { kind: "fork", to: [] as number[] } as const;
  steps.push(fork);
  return fork;
}

function matches(steps: readonly Step[], text: string): boolean {
  /** Which steps were reached in front of which character: each counts once. */
  const reached = new Int32Array(steps.length).fill(-1);
  let current: number[] = [];
  let next: number[] = [];
  let before: number | undefined;
  let work = 0;

  for (let place = 0; ; ) {
    const character = text.codePointAt(place);
    // A match may begin anywhere.
    next.push(0);
    [current, next] = [next, []];
    while (current.length > 0) {
      const at = current.pop() ?? 0;
      if (reached[at] === place) continue;
      reached[at] = place;
      if (++work > MAX_WORK) return false;
      const step = steps[at] ?? END;
      switch (step.kind) {
        case "end":
          return true;
        case "fork":
          current.push(...step.to);
          break;
        case "place":
          if (step.holds(before, character)) current.push(at + 1);
          break;
        case "character":
          if (character !== undefined && step.is(character)) next.push(at + 1);
      }
    }
    if (character === undefined) return false;
    before = character;
    place += character > 0xffff ? 2 : 1;
  }
}
