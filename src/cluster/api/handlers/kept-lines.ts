/**
 * Lines of plain objects, the same for all who watch: of the last changes alone, which all of them are being told. Kept for as
 * long as the objects are, they would be a quarter of all memory.
 */
import type { JsonObject } from "../json.ts";

export interface KeptLines<T> {
  get(object: JsonObject, type: string): T | undefined;
  /** `characters`: of the line, by which it is counted. The last one is kept, however long it is. */
  keep(object: JsonObject, type: string, line: T, characters: number): void;
}

export interface KeptLimits {
  readonly objects: number;
  readonly characters: number;
}

interface Kept<T> {
  readonly byType: Map<string, T>;
  characters: number;
}

export function createKeptLines<T>(limits: KeptLimits): KeptLines<T> {
  /** Who came first is first. */
  const kept = new Map<JsonObject, Kept<T>>();
  let characters = 0;

  function forgetOldest(): void {
    for (const [object, { characters: fewer }] of kept) {
      const fits = kept.size <= limits.objects && characters <= limits.characters;
      if (fits || kept.size === 1) return;
      kept.delete(object);
      characters -= fewer;
    }
  }

  return {
    get: (object, type) => kept.get(object)?.byType.get(type),
    keep(object, type, line, more) {
      const known = kept.get(object) ?? { byType: new Map<string, T>(), characters: 0 };
      // It is told of now, as the last are.
      kept.delete(object);
      kept.set(object, known);
      known.byType.set(type, line);
      known.characters += more;
      characters += more;
      forgetOldest();
    },
  };
}
