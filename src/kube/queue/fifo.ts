/** First in, first out, each key once. A plain Set would do, but finding its first element slows down as it is emptied. */
export interface Fifo {
  readonly size: number;
  has(key: string): boolean;
  push(key: string): void;
  shift(): string | undefined;
}

export function createFifo(): Fifo {
  const members = new Set<string>();
  let keys: string[] = [];
  let head = 0;
  return {
    get size() {
      return members.size;
    },
    has: (key) => members.has(key),
    push(key) {
      if (members.has(key)) return;
      members.add(key);
      keys.push(key);
    },
    shift() {
      const key = keys[head];
      if (key === undefined) return undefined;
      head++;
      members.delete(key);
      if (head === keys.length || head > 1000 + members.size) {
        keys = keys.slice(head);
        head = 0;
      }
      return key;
    },
  };
}
