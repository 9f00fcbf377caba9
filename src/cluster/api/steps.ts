/**
 * Work that is done in steps. One thread serves everybody: where long work yields, others may have their turn. The work itself does not know
 * whether they do, so that it is written once for what is small and for what is large. A step that says how small it was, in characters that were
 * read, is taken together with those behind it: thousands of small ones need no turn each.
 */
export type Steps<T> = Generator<number | undefined, T, void>;

/** So many characters are worth a turn: what is dearest to read, expressions, takes tens of milliseconds for as many. */
const ENOUGH = 2 ** 15;

/** All steps, one right after the other. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** All steps, with a turn for others between two of them; at once when there are to be none, or the steps are too small for one. */
export function inTurns<T>(steps: Steps<T>, turn: (() => Promise<void>) | undefined): T | Promise<T> {
  if (turn === undefined) return atOnce(steps);
  const begun = untilTurn(steps);
  return begun.done === true ? begun.value : withTurns(steps, turn);
}

/** The first turn is due already. */
async function withTurns<T>(steps: Steps<T>, turn: () => Promise<void>): Promise<T> {
  for (;;) {
    await turn();
    const step = untilTurn(steps);
    if (step.done === true) return step.value;
  }
}

/** Takes steps until others should have their turn, or there are no more. */
function untilTurn<T>(steps: Steps<T>): IteratorResult<unknown, T> {
  let read = 0;
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step;
    read += step.value ?? ENOUGH;
    if (read >= ENOUGH) return step;
  }
}
