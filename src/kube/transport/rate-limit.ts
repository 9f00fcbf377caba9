/** A token bucket: this many requests per second in the long run, and that many at once after a pause. */
import { sleep, type Timers } from "../timers.ts";

export interface RateLimit {
  /** Resolves when the next request may be sent, in the order of the calls; rejects with the signal's reason. */
  take(signal?: AbortSignal): Promise<void>;
}

export function createRateLimit(qps: number, burst: number, timers: Timers): RateLimit {
  let tokens = burst;
  let filledAt = timers.elapsed();
  return {
    async take(signal) {
      const now = timers.elapsed();
      tokens = Math.min(burst, tokens + ((now - filledAt) / 1000) * qps);
      filledAt = now;
      tokens--;
      if (tokens >= 0) return;
      try {
        await sleep(timers, (-tokens / qps) * 1000, signal);
      } catch (error) {
        tokens++;
        throw error;
      }
    },
  };
}
