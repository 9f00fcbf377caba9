/** Who is asked a second time about one request (upstream admission/plugin/webhook/mutating/reinvocationcontext.go). */

/** Webhooks by id. Only those that want to be asked again are reported as called. */
export interface Reinvocations {
  /** The webhook was called with the object as it is now. */
  called(id: string): void;
  /** Everybody who was called before has seen another object than the one that there is now. */
  objectChanged(): void;
  wanted(id: string): boolean;
}

export function createReinvocations(): Reinvocations {
  const seenCurrent = new Set<string>();
  const outdated = new Set<string>();
  return {
    called: (id) => void seenCurrent.add(id),
    objectChanged() {
      for (const id of seenCurrent) outdated.add(id);
      seenCurrent.clear();
    },
    wanted: (id) => outdated.has(id),
  };
}
