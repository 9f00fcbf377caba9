/**
 * Telling a refusal from a volume that was taken away: a driver that is asked to grow what has just been unmounted says
 * NotFound, which would make the size infeasible. The answer then says nothing about the size.
 */
import type { Grower } from "./grower.ts";

/** `isMounted` is asked after a refusal. */
export function whileMounted(grower: Grower, isMounted: () => Promise<boolean>): Grower {
  return {
    canExpand: () => grower.canExpand(),
    async expand(volume, size, place, signal) {
      const answer = await grower.expand(volume, size, place, signal);
      if (answer.kind !== "failed" || !answer.final || (await isMounted())) return answer;
      return { ...answer, final: false, infeasible: false, inUse: false };
    },
  };
}
