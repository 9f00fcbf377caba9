/**
 * A list that items are put into and taken out of anywhere. In an array all that stands behind moves by one each time: ten thousand
 * operations of a patch on a list of a hundred thousand are a billion moves. Here only what stands in the same chunk moves.
 */

/** Chunks begin half as long as they may become. */
const MOST_IN_CHUNK = 1024;

export class ChunkedList<T> {
  readonly #chunks: T[][] = [];
  #length = 0;

  constructor(items: readonly T[]) {
    for (let at = 0; at < items.length; at += MOST_IN_CHUNK / 2)
      this.#chunks.push(items.slice(at, at + MOST_IN_CHUNK / 2));
    if (items.length === 0) this.#chunks.push([]);
    this.#length = items.length;
  }

  get length(): number {
    return this.#length;
  }

  /** The item at an index below the length. */
  at(index: number): T | undefined {
    const [chunk, place] = this.#find(index);
    return chunk[place];
  }

  /** In place of the item at an index below the length. */
  set(index: number, item: T): void {
    const [chunk, place] = this.#find(index);
    chunk[place] = item;
  }

  /** Before the item at the index, or behind the last. */
  insert(index: number, item: T): void {
    const [chunk, place, number] = this.#find(index);
    chunk.splice(place, 0, item);
    this.#length++;
    if (chunk.length > MOST_IN_CHUNK) this.#chunks.splice(number + 1, 0, chunk.splice(MOST_IN_CHUNK / 2));
  }

  /** Takes out the item at an index below the length. */
  remove(index: number): void {
    const [chunk, place, number] = this.#find(index);
    chunk.splice(place, 1);
    this.#length--;
    if (chunk.length === 0 && this.#chunks.length > 1) this.#chunks.splice(number, 1);
  }

  items(): T[] {
    return this.#chunks.flat();
  }

  /** The chunk in which the index lies, the place in it, and which one it is. */
  #find(index: number): readonly [chunk: T[], place: number, number: number] {
    let place = index;
    for (const [number, chunk] of this.#chunks.entries()) {
      if (place < chunk.length || number === this.#chunks.length - 1) return [chunk, place, number];
      place -= chunk.length;
    }
    throw new RangeError(`no index ${index} in a list of ${this.#length}`);
  }
}
