/** Faults by chance: what goes wrong with the next request, for a given seed. */
import type { ApiRequest } from "./api-core.ts";
import type { Fault, WatchFault } from "./faults.ts";
import type { Seeded } from "./seeded.ts";

const STATUSES: readonly [number, string][] = [
  [409, "Conflict"],
  [410, "Expired"],
  [429, "TooManyRequests"],
  [500, "InternalError"],
  [503, "ServiceUnavailable"],
  [504, "Timeout"],
];
const WATCH_FAULTS: readonly WatchFault[] = ["cut", "cut-mid-line", "end", "expired", "error", "silence"];

/** `stale`: whether lists may come from a replica that is behind, which honest servers do not do. */
export function randomFault(seeded: Seeded, request: ApiRequest, stale: boolean): Fault | undefined {
  if (!seeded.chance(0.4)) return undefined;
  if (request.query.get("watch") === "true" && seeded.chance(0.7)) {
    return { kind: "watch", how: seeded.pick(WATCH_FAULTS), after: seeded.below(6) };
  }
  switch (seeded.below(stale ? 8 : 7)) {
    case 0:
      return { kind: "drop" };
    case 1:
      return { kind: "lost-answer" };
    case 2:
      return { kind: "cut-body" };
    case 3:
      return { kind: "silence" };
    case 4:
      return { kind: "delay", milliseconds: seeded.below(5_000) };
    case 7:
      return { kind: "stale", by: 1 + seeded.below(10) };
    default: {
      const [status, reason] = seeded.pick(STATUSES);
      return { kind: "status", status, reason, ...(status === 429 || status === 503 ? { retryAfter: 1 } : {}) };
    }
  }
}
