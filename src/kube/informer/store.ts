/** Objects by key, and by whatever else somebody wants to find them by. */
import type { KubeObject } from "../../core/types.ts";
import type { Ref } from "../client/resource.ts";

/** `namespace/name`, or `name` for what has no namespace. */
export function keyOf({ namespace, name }: Ref): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

export function refOfKey(key: string): Ref {
  const slash = key.indexOf("/");
  return slash < 0 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}

/** The values under which an object is found; none: it is not in this index. */
export type IndexValues = string | readonly string[] | undefined;

/** Must depend on the object alone. */
export type IndexFunction<T> = (object: T) => IndexValues;

export interface Store<T, Index extends string> {
  readonly size: number;
  get(key: string): T | undefined;
  values(): IterableIterator<T>;
  keys(): IterableIterator<string>;
  /** The objects with this value; in no particular order. */
  byIndex(index: Index, value: string): T[];
  put(key: string, object: T): void;
  remove(key: string): void;
}

/** Most values lead to one object only; then no set is made for it. */
type Keys = string | Set<string>;

export function createStore<T extends KubeObject, Index extends string>(
  functions: Readonly<Record<Index, IndexFunction<T>>>,
): Store<T, Index> {
  const objects = new Map<string, T>();
  const indexes = new Map<string, { values: IndexFunction<T>; keys: Map<string, Keys> }>(
    Object.entries<IndexFunction<T>>(functions).map(([name, values]) => [name, { values, keys: new Map() }]),
  );

  function unindex(key: string, object: T): void {
    for (const { values, keys } of indexes.values()) {
      for (const value of listOf(values(object))) {
        const former = keys.get(value);
        if (former instanceof Set) {
          former.delete(key);
          if (former.size === 0) keys.delete(value);
        } else if (former === key) {
          keys.delete(value);
        }
      }
    }
  }

  return {
    get size() {
      return objects.size;
    },
    get: (key) => objects.get(key),
    values: () => objects.values(),
    keys: () => objects.keys(),
    byIndex(index, value) {
      const keys = indexes.get(index)?.keys.get(value);
      return (keys instanceof Set ? [...keys] : keys === undefined ? [] : [keys]).flatMap(
        (key) => objects.get(key) ?? [],
      );
    },
    put(key, object) {
      const former = objects.get(key);
      if (former !== undefined) unindex(key, former);
      objects.set(key, object);
      for (const { values, keys } of indexes.values()) {
        for (const value of listOf(values(object))) {
          const others = keys.get(value);
          if (others === undefined || others === key) keys.set(value, key);
          else if (others instanceof Set) others.add(key);
          else keys.set(value, new Set([others, key]));
        }
      }
    },
    remove(key) {
      const former = objects.get(key);
      if (former === undefined) return;
      unindex(key, former);
      objects.delete(key);
    },
  };
}

function listOf(values: IndexValues): readonly string[] {
  if (values === undefined) return [];
  return typeof values === "string" ? [values] : values;
}
