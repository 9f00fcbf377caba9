/** Choices that look random and are the same in every run: from a seed, with nothing of the machine in them. */
export interface Random {
  /** True once in `n` times. */
  once(n: number): boolean;
  below(n: number): number;
  pick<T>(items: readonly T[]): T;
  /** Some of the items, in their order or (sometimes) another. */
  some<T>(items: readonly T[]): T[];
}

export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  /** The mixing of `splitmix32`. */
  const next = (): number => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  };
  const below = (n: number) => next() % n;
  const random: Random = {
    below,
    once: (n) => below(n) === 0,
    pick: (items) => items[below(items.length)]!,
    some(items) {
      const chosen = items.filter(() => below(2) === 0);
      return below(4) === 0 ? chosen.reverse() : chosen;
    },
  };
  return random;
}
