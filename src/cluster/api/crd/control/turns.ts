/** Work that is asked for more often than it needs doing: one turn at a time, and one more when it was asked for meanwhile. */
export interface Turns {
  /** A turn that begins after now will be taken. */
  ask(): void;
  /** Resolves when no turn is being taken or waits. */
  idle(): Promise<void>;
}

/** A turn that fails is reported; the next one is taken when it is asked for. */
export function createTurns(work: () => Promise<void>, report: (error: unknown) => void): Turns {
  let asked = false;
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    while (asked) {
      asked = false;
      await work().catch(report);
    }
    running = undefined;
  }

  return {
    ask() {
      asked = true;
      running ??= run();
    },
    idle: () => running ?? Promise.resolve(),
  };
}
