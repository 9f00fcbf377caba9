/** Numbers of a range that are given out, each to one: addresses and ports of services. */

export interface NumberPool {
  /** Whether the number is of this range at all. */
  contains(number: number): boolean;
  /** False when somebody has it already. */
  take(number: number): boolean;
  /** Any that is free; undefined when none is. */
  takeAny(): number | undefined;
  free(number: number): void;
}

export interface NumberRange {
  readonly first: number;
  readonly last: number;
  /**
   * What nobody asks for by number is given out from here on as long as there is some: the rest is left to those who choose
   * (KEP-3070, KEP-3668).
   */
  readonly chosenBelow: number;
}

/** `below` gives a whole number from 0 up to, but without, its argument. */
export function createNumberPool(range: NumberRange, below: (limit: number) => number): NumberPool {
  const { first, last, chosenBelow } = range;
  const taken = new Set<number>();

  /** From a place by chance on, so that numbers are not used again at once. */
  function anyOf(from: number, to: number): number | undefined {
    const size = to - from + 1;
    if (size <= 0) return undefined;
    const start = below(size);
    for (let step = 0; step < size; step++) {
      const number = from + ((start + step) % size);
      if (!taken.has(number)) return number;
    }
    return undefined;
  }

  return {
    contains: (number) => number >= first && number <= last,
    take(number) {
      if (taken.has(number)) return false;
      taken.add(number);
      return true;
    },
    takeAny() {
      const number = anyOf(chosenBelow, last) ?? anyOf(first, chosenBelow - 1);
      if (number !== undefined) taken.add(number);
      return number;
    },
    free: (number) => void taken.delete(number),
  };
}
