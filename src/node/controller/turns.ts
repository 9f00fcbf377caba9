/** Work on one claim at a time: a mount and the controller must not both ask the driver. */
export interface Turns {
  /** Runs the work when all that was asked for before, under the same key, has ended. */
  take<T>(key: string, work: () => Promise<T>): Promise<T>;
}

export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>();
  return {
    async take(key, work) {
      const before = last.get(key) ?? Promise.resolve();
      const mine = before.then(work, work);
      last.set(key, mine);
      try {
        return await mine;
      } finally {
        if (last.get(key) === mine) last.delete(key);
      }
    },
  };
}
