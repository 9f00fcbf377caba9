/**
 * Work that is done in steps. One thread serves everybody: where long work yields, others may have their turn. The work itself does not know
 * whether they do, so that it is written once for what is small and for what is large.
 */
export type Steps<T> = Generator<void, T, void>;

/** All steps, one right after the other. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** All steps, with a turn for others between two of them; at once when there are to be none. */
export function inTurns<T>(steps: Steps<T>, turn: (() => Promise<void>) | undefined): T | Promise<T> {
  return turn === undefined ? atOnce(steps) : withTurns(steps, turn);
}

async function withTurns<T>(steps: Steps<T>, turn: () => Promise<void>): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await turn();
  }
}
