/** One service's dealings with a pool: what it has, what it is given, and how to give that back. */
import { StatusError } from "../status-error.ts";
import type { NumberPool } from "./number-pool.ts";

export interface NumberDesk {
  /** Any that is free, held from now on; undefined when none is. */
  any(): number | undefined;
  /** Why it cannot have this one, for a message; undefined when it has it, from now on or already. */
  obstacle(number: number): string | undefined;
  /** Gives back what it was given here. */
  revert(): void;
}

/** What is said of a number that is not of the pool, and of one that somebody else has. */
export interface DeskWords {
  readonly outside: string;
  readonly taken: string;
}

/** `owned`: what the service has already. */
export function openDesk(pool: NumberPool, owned: readonly number[], words: DeskWords): NumberDesk {
  const [before, given] = [new Set(owned), new Set<number>()];
  return {
    any() {
      const number = pool.takeAny();
      if (number !== undefined) given.add(number);
      return number;
    },
    obstacle(number) {
      if (before.has(number) || given.has(number)) return undefined;
      if (!pool.contains(number)) return words.outside;
      if (!pool.take(number)) return words.taken;
      given.add(number);
      return undefined;
    },
    revert() {
      for (const number of given) pool.free(number);
      given.clear();
    },
  };
}

/** 500: it is nobody's fault that it cannot be had. */
export function unavailable(what: string): StatusError {
  return new StatusError(500, "InternalError", `Internal error occurred: ${what}`);
}
