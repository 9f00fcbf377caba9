/** Addresses for pods: nothing listens there, but they are of one network, and no two pods have the same. */

/** As many as the last two parts of `10.244.x.y` give, without the first and the last. */
const FIRST = 2;
const LAST = 256 * 256 - 2;

/** The next free one after `last`, a number of this network; undefined when all are taken. */
export function nextAddress(
  last: number,
  isTaken: (address: string) => boolean,
): { readonly number: number; readonly address: string } | undefined {
  const count = LAST - FIRST + 1;
  for (let step = 1; step <= count; step++) {
    const number = FIRST + ((last - FIRST + step) % count);
    const address = `10.244.${Math.floor(number / 256)}.${number % 256}`;
    if (!isTaken(address)) return { number, address };
  }
  return undefined;
}

/** Before the first. */
export const BEFORE_ALL = FIRST - 1;
