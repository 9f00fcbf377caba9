/**
 * Owners of which the server has said that they are not there. A uid is never given out twice, so that stays true; a thousand
 * dependents of one owner cost one question instead of a thousand.
 */
import type { OwnerReference } from "../../../../../core/types.ts";

export interface AbsentOwners {
  has(key: string): boolean;
  add(key: string): void;
}

const REMEMBERED = 1_000;

export function createAbsentOwners(): AbsentOwners {
  const keys = new Set<string>();
  return {
    has: (key) => keys.has(key),
    add(key) {
      keys.add(key);
      const [oldest] = keys;
      if (keys.size > REMEMBERED && oldest !== undefined) keys.delete(oldest);
    },
  };
}

/** `namespace`: where the owner was looked for; undefined for kinds without. */
export function absentKey({ apiVersion, kind, name, uid }: OwnerReference, namespace: string | undefined): string {
  return [apiVersion, kind, namespace ?? "", name, uid].join(" ");
}
