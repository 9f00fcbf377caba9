/** Keys that are due at a moment, earliest first. A key is in it once, with its earliest moment. */
export interface DelayHeap {
  readonly size: number;
  /** The earliest moment; undefined when empty. */
  readonly earliest: number | undefined;
  /** Adds the key, or moves it forward; a later moment than it has already changes nothing. */
  add(key: string, due: number): void;
  /** Takes out the earliest key if it is due by now. */
  takeDue(now: number): string | undefined;
  clear(): void;
}

interface Entry {
  readonly key: string;
  due: number;
  /** Of two that are due at the same moment, the one that was added first comes first. */
  order: number;
}

export function createDelayHeap(): DelayHeap {
  const heap: Entry[] = [];
  const positions = new Map<string, number>();
  let added = 0;

  const before = (a: Entry, b: Entry): boolean => a.due < b.due || (a.due === b.due && a.order < b.order);

  function place(entry: Entry, position: number): void {
    heap[position] = entry;
    positions.set(entry.key, position);
  }

  function rise(entry: Entry, position: number): void {
    while (position > 0) {
      const parent = (position - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || !before(entry, above)) break;
      place(above, position);
      position = parent;
    }
    place(entry, position);
  }

  function sink(entry: Entry, position: number): void {
    for (;;) {
      const left = heap[2 * position + 1];
      const right = heap[2 * position + 2];
      if (left === undefined) break;
      const takeRight = right !== undefined && before(right, left);
      const child = takeRight ? right : left;
      if (!before(child, entry)) break;
      place(child, position);
      position = 2 * position + (takeRight ? 2 : 1);
    }
    place(entry, position);
  }

  return {
    get size() {
      return heap.length;
    },
    get earliest() {
      return heap[0]?.due;
    },
    add(key, due) {
      const position = positions.get(key);
      const known = position === undefined ? undefined : heap[position];
      if (known === undefined || position === undefined) {
        const entry = { key, due, order: added++ };
        heap.push(entry);
        rise(entry, heap.length - 1);
      } else if (due < known.due) {
        known.due = due;
        known.order = added++;
        rise(known, position);
      }
    },
    takeDue(now) {
      const first = heap[0];
      if (first === undefined || first.due > now) return undefined;
      positions.delete(first.key);
      const last = heap.pop();
      if (last !== undefined && last !== first) sink(last, 0);
      return first.key;
    },
    clear() {
      heap.length = 0;
      positions.clear();
    },
  };
}
